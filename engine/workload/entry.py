"""How an entry of a workload file is read: what stands behind a word, checked, with its numbers resolved."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from engine.errors import UserError
from engine.parameters import PARAMETERS
from engine.workload.plan import ALL
from engine.workload.vocabulary import NUMBERS, OPERATIONS, Key, Word, wanted

MOST = 10**9  # of whatever is counted
FRACTION = re.compile(r"(\d+)/([1-9]\d*) of ")


@dataclass(frozen=True)
class Scope:
    """What numbers are resolved with: the values of a point, and the threads that share them."""

    values: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1


def read_entry(where: str, word: Word, given: Any, scope: Scope) -> dict[str, Any]:
    """All keys of `word`: what is `given`, checked and with its numbers resolved, or their defaults.

    A key that is not given and has no default is None. Raises UserError that begins with `where`.
    """
    known = {key.name: key for key in word.keys}
    if given is not None and "" in known:
        given = {"": given}
    entry = {} if given is None else given
    if not isinstance(entry, Mapping):
        takes = f"give a mapping with {', '.join(known)}" if known else "it takes nothing"
        raise UserError(f"{where}: {given!r} is not right; {takes}")
    for name in entry:
        if name not in known:
            raise UserError(f"{where}: no such word {name!r}; {_hint(name, known, 'it takes')}")
    both = [name for name in word.either if name in entry]
    if len(both) > 1:
        raise UserError(f"{where}: {' and '.join(both)} exclude each other; keep one")
    result = {}
    for name, key in known.items():
        if key.required and name not in entry:
            raise UserError(f"{where}: {name or 'what follows'} is missing; give {wanted(key)}")
        value = entry.get(name, key.default)
        if name in entry or (key.kind in NUMBERS and isinstance(value, str)):
            is_other = name in word.either and both and name not in entry
            here = f"{where}: {name}" if name else where
            value = None if is_other else _value(here, key, value, scope)
        result[name] = value
    return result


def unknown_word(where: str, given: object) -> UserError:
    """The error about a step that is none."""
    return UserError(f"{where}: no such step; {_hint(given, OPERATIONS, 'steps are')}")


def _value(where: str, key: Key, given: Any, scope: Scope) -> Any:
    right = {
        "text": isinstance(given, str) and bool(given),
        "flag": isinstance(given, bool),
        "ms": isinstance(given, int | float) and given is not True and 0 < given <= MOST,
        "choice": given in key.choices if isinstance(given, str) else False,
        "value": isinstance(given, str | int | float),
        "nice": _is_whole(given) and -20 <= given <= 19,
        "names": isinstance(given, Mapping) and (bool(given) or not key.required),
        "texts": isinstance(given, list) and all(isinstance(one, str) and one for one in given),
        "files": isinstance(given, Mapping),
        "steps": isinstance(given, list) and bool(given),
    }
    if key.kind in NUMBERS:
        return _number(where, key, given, scope)
    if not right[key.kind]:
        raise UserError(f"{where}: {given!r} is not right; give {wanted(key)}")
    if key.kind == "names":
        for name in given:
            if not isinstance(name, str):
                raise UserError(f"{where}: {name!r} is no name; put it in quotes, as '{name}'")
    return given


def _number(where: str, key: Key, given: Any, scope: Scope) -> int:
    """A number, the value of a parameter, a share or a fraction of it, or ALL."""
    if _is_whole(given):
        if not key.least <= given <= MOST:
            raise UserError(
                f"{where}: {given} is out of range; give {wanted(key)}, at most {MOST:,}"
            )
        return given
    if given == "all" and key.kind == "calls":
        return ALL
    if not isinstance(given, str):
        raise UserError(f"{where}: {given!r} is no whole number; give {wanted(key)}")
    name, times, parts = _part_of(given, scope)
    if name == "threads" and times > parts:
        raise UserError(f"{where}: {given!r} is more than all of {name}; give at most that")
    value = scope.values.get(name)
    if name in PARAMETERS and name not in scope.values:
        raise UserError(f"{where}: the workload has no {name}; give it a value under `values`")
    if not _is_whole(value):
        numbers = [n for n, v in scope.values.items() if _is_whole(v)]
        near = difflib.get_close_matches(name, numbers, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"give {wanted(key)}"
        raise UserError(f"{where}: {given!r} is no number; {hint}")
    part = value * times // parts
    if part < key.least and given.startswith("share of "):
        raise _share_too_small(name, value, parts)
    if part < key.least:
        least = -(-key.least * parts // times)
        raise UserError(f"{where}: {name} is {value}; give it at least {least}")
    return part


def _part_of(given: str, scope: Scope) -> tuple[str, int, int]:
    """A parameter's name, and how many of how many parts of its value are meant."""
    if given.startswith("share of "):
        return given.removeprefix("share of "), 1, max(1, scope.threads)
    if (found := FRACTION.match(given)) and int(found[1]):
        return given[found.end() :], int(found[1]), int(found[2])
    return given, 1, 1


def _share_too_small(name: str, value: int, threads: int) -> UserError:
    """The error about a parameter whose share among `threads` is nothing."""
    if PARAMETERS[name].unit == "MiB":
        return UserError(
            f"threads: {threads} threads need a file of at least 1 MiB each, but {name} is {value}; "
            f"give at most {value} threads"
        )
    unit = PARAMETERS[name].unit
    return UserError(
        f"{name}: {value} {unit} do not go round {threads} threads; give at least {threads}"
    )


def _is_whole(given: object) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _hint(given: object, known: Iterable[str], all_are: str) -> str:
    near = difflib.get_close_matches(str(given), known, n=1)
    everything = ", ".join(known) or "nothing"
    return f"did you mean {near[0]!r}?" if near else f"{all_are} {everything}"
