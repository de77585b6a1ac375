"""A workload's file with those it includes: their sets, classes and values, as if they stood in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import UserError
from engine.workload.entry import Scope, read_entry
from engine.workload.vocabulary import WORKLOAD
from engine.yaml_file import read_yaml

JOINED = ("files", "classes", "values")


@dataclass(frozen=True)
class Whole:
    """What a file and all it includes say together.

    `entry` has the keys of WORKLOAD. `sources` are those of what is included, by the names it is
    included by; `paths` are all files that were read, its own first.
    """

    entry: Mapping[str, Any]
    sources: Mapping[str, str]
    paths: tuple[Path, ...]


def read_whole(where: str, path: Path, presets: Path, above: tuple[Path, ...] = ()) -> Whole:
    """The file at `path` with what it includes: workloads of the folder `presets`, or files.

    `above` are the files that include this one. Raises UserError that begins with `where`.
    """
    above = (*above, path.resolve())
    given = _read(path, path.stat().st_mtime_ns)
    parts = {}
    for name in _included(given):
        here = f"{where}: include: {name}"
        file = _find(here, name, path.parent, presets)
        if file.resolve() in above:
            raise UserError(f"{here}: in the end it would include itself; take it out")
        parts[name] = read_whole(here, file, presets, above)
    sources: dict[str, str] = {}
    paths: tuple[Path, ...] = (path,)
    for name, part in parts.items():
        sources |= {name: part.entry["source"], **part.sources}
        paths += part.paths
    joined = _join(where, given, parts) if parts else given
    return Whole(read_entry(where, WORKLOAD, joined, Scope()), sources, paths)


@cache  # a sweep asks for the same workload again and again
def _read(path: Path, mtime_ns: int) -> Any:
    return read_yaml(path)


def _included(given: Any) -> list[str]:
    """The names under `include`; none if they are not right, which `read_entry` will say."""
    names = given.get("include") if isinstance(given, Mapping) else None
    right = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return names if names and right else []


def _find(where: str, name: str, beside: Path, presets: Path) -> Path:
    """The preset of that name, or the file of that path."""
    for file in (presets / f"{name}.yaml", beside / name):
        if file.is_file():
            return file
    raise UserError(
        f"{where}: there is neither such a workload nor a file {beside / name}; "
        "give a name that `list workloads` shows, or a path from where this file lies"
    )


def _join(where: str, given: Mapping[str, Any], parts: Mapping[str, Whole]) -> dict[str, Any]:
    """What is included, then what the file itself gives, each name once.

    A value, though, the file may give anew, and must where two that it includes have it.
    """
    joined = dict(given)
    for key in JOINED:
        own = given.get(key, {})
        if not isinstance(own, Mapping):
            continue  # `read_entry` says what is wrong with it
        known: dict[str, Any] = {}
        for name, part in parts.items():
            twice = known.keys() & part.entry[key].keys()
            _once(f"{where}: include: {name}: {key}", twice - own.keys())
            known |= part.entry[key]
        if key != "values":
            _once(f"{where}: {key}", known.keys() & own.keys())
        joined[key] = {**known, **own}
    return joined


def _once(where: str, twice: Iterable[str]) -> None:
    for name in twice:
        raise UserError(f"{where}: something included has {name!r} already; rename one")
