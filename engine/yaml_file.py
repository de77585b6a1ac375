"""YAML as people mean it: what plain YAML silently reads as something else is an error here."""

import re
from pathlib import Path
from typing import Any

import yaml

from engine.errors import UserError

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


class _Loader(yaml.SafeLoader):
    """Refuses a key given twice, and leaves numbers that are not plain decimal ones as text.

    Plain YAML keeps the last of two equal keys, reads 010 as 8 and 1:30 as 90. The check of the key
    such a text stands at then names it.
    """


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen = set()
    for key, _ in node.value:
        if key.value in seen:
            line = key.start_mark.line + 1
            raise UserError(f"line {line}: the key {key.value!r} stands here twice; keep one")
        seen.add(key.value)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


def _integer(loader: _Loader, node: yaml.ScalarNode) -> int | str:
    return int(node.value) if NUMBER.fullmatch(node.value) else node.value


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
_Loader.add_constructor("tag:yaml.org,2002:int", _integer)


def read_yaml(file: Path) -> Any:
    """What a YAML file of a user's says; raises UserError with file and line."""
    try:
        return yaml.load(file.read_text(encoding="utf-8"), _Loader)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text in UTF-8"
        raise UserError(f"{file}: cannot be read: {reason}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{file}: line {line}: this is not YAML: {error.problem}") from None
    except UserError as error:
        raise UserError(f"{file}: {error}") from None
    except yaml.YAMLError as error:
        raise UserError(f"{file}: this is not YAML: {str(error).splitlines()[0]}") from None
