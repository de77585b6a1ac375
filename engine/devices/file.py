"""A device's YAML file, read and checked against `device.schema.yaml`."""

import difflib
import math
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from engine.errors import UserError


def read_device_file(path: Path) -> dict[str, Any]:
    """The keys of a device file; raises UserError naming file, key and what would be right."""
    try:
        parameters = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error}); a YAML file would be right") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UserError(f"{path}: line {line}: this is not YAML: {error.problem}") from None
    if not isinstance(parameters, dict):
        raise UserError(f"{path}: no keys in it; a device file begins with `schema:`")
    parameters = _with_whole_numbers(parameters, f"{path}:")
    kinds = _schema()["kinds"]
    kind = parameters.get("schema")
    if kind not in kinds:
        raise UserError(f"{path}: schema: {kind!r}; right would be one of {', '.join(kinds)}")
    validator = jsonschema.Draft202012Validator(
        kinds[kind] | {"definitions": _schema()["definitions"]}
    )
    # A misspelt key is often a missing one as well; the spelling is what to say.
    errors = sorted(
        validator.iter_errors(parameters),
        key=lambda error: (error.validator != "additionalProperties", len(error.path)),
    )
    if errors:
        raise UserError(f"{path}: {_sentence(errors[0])}")
    return parameters


def _with_whole_numbers(value: Any, place: str) -> Any:
    """`value` with 63.0 as 63 everywhere, so that a whole number may be written either way."""
    if isinstance(value, dict):
        return {key: _with_whole_numbers(part, f"{place} {key}") for key, part in value.items()}
    if isinstance(value, list):
        return [_with_whole_numbers(part, f"{place}/{i}") for i, part in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"{place}: {value}; right would be a finite number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


@cache
def _schema() -> dict[str, Any]:
    """`definitions`, shared, and `kinds`, the schema of each value of the key `schema`."""
    text = Path(__file__).with_name("device.schema.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def _sentence(error: jsonschema.ValidationError) -> str:
    """Where, what, and what would be right."""
    place = "/".join(map(str, error.absolute_path))
    where = f"{place}: " if place else ""
    known = error.schema.get("properties", {})
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(known), key=str)[0]
        near = difflib.get_close_matches(str(unknown), known, n=1)
        right = f"did you mean {near[0]!r}?" if near else f"known keys are {', '.join(known)}"
        return f"{where}unknown key {unknown!r}; {right}"
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{where}the key {missing!r} is missing; right would be {_right(known[missing])}"
    return f"{where}{error.message}; right would be {_right(error.schema)}"


def _right(part: dict[str, Any]) -> str:
    """What a part of the schema says would be right."""
    if "$ref" in part:
        part = _schema()["definitions"][part["$ref"].rsplit("/", 1)[1]]
    return part["description"] if "description" in part else str(part["const"])
