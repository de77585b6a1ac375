"""Conformance: the engine's own kernels replay what the real kernels' code did on recorded scripts.

A vector file is gzip-compressed JSON with a `gen` and a list of scripts; `../shared/kernels/vectors` and
`tests/data/vectors` hold some. There is one player for each schema; each drives the functions a
simulation runs.
"""

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.conformance import elevator, readahead, wait
from engine.errors import UserError

PLAYERS = {1: elevator, "wait-1": wait, "ra-1": readahead}


@dataclass(frozen=True)
class FileReport:
    """How one vector file went. `first_miss` says where the first script that failed went wrong."""

    path: Path
    generation: str
    supported: bool
    total: int
    passed: int
    first_miss: str = ""


def vector_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files named, and all vector files below the folders named, in order of name.

    Raises UserError if a path does not exist, or a folder holds none.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(path.rglob("*.json.gz"))
            if not below:
                raise UserError(f"{path}: no vector file in it; give a folder with *.json.gz")
            found += below
        elif path.is_file():
            found.append(path)
        else:
            raise UserError(f"{path}: no such file or folder; give vector files (*.json.gz)")
    return found


def run_file(path: Path) -> FileReport:
    """Replay all scripts of one vector file. Raises UserError if it is none."""
    document = read_file(path)
    player = PLAYERS[document["schema"]]
    generation, scripts = document["gen"], document["scripts"]
    if not player.supports(generation):
        return FileReport(path, generation, False, len(scripts), 0)
    try:
        misses = [miss for script in scripts if (miss := run_script(player, generation, script))]
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        schema = document["schema"]
        raise UserError(
            f"{path}: damaged ({error}); right would be scripts of schema {schema}"
        ) from error
    first = misses[0] if misses else ""
    return FileReport(path, generation, True, len(scripts), len(scripts) - len(misses), first)


def run_script(player: Any, generation: str, script: dict[str, Any]) -> str:
    """Replay one script; returns where it first went wrong, or nothing."""
    inputs, results = player.steps(script)
    play = player.Player(generation, script["params"])
    for number, (step, expected) in enumerate(zip(inputs, results, strict=True)):
        actual = play.step(number, step)
        if actual != expected:
            return f"{script['name']} step {number} {step}: expected {expected}, got {actual}"
    return ""


def read_file(path: Path) -> dict[str, Any]:
    """What is in a vector file: `gen`, `schema`, `scripts` and more. Raises UserError if it is none."""
    try:
        document = json.loads(gzip.decompress(path.read_bytes()))
        lists = isinstance(document["gen"], str) and isinstance(document["scripts"], list)
        known = lists and document["scripts"] and document["schema"] in PLAYERS
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        names = ", ".join(map(str, PLAYERS))
        raise UserError(f"{path}: not a vector file; right would be gzip JSON of schema {names}")
    return document
