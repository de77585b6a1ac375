"""The store of finished points: what a re-run, or a run after a kill, need not simulate again.

A job appends one line a finished point to a file of its own, in a folder of the engine's hash. A point
is found by what it is, not by the job or sweep it was simulated for: regrouping the jobs loses nothing.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from engine.pipeline.sweep import canonical

Row = dict[str, Any]

# A line is {"key":"<20 digits>","row":{...}}; the key is compared before the line is parsed.
_KEY = slice(8, 28)


def key_of(point: Mapping[str, object], files: Mapping[str, str]) -> str:
    """20 hexadecimal digits that name a point; a file named by a value counts with its digest."""
    named = {str(value): files[str(value)] for value in point.values() if str(value) in files}
    return sha256(canonical([point, named]).encode()).hexdigest()[:20]


def finished_rows(folder: Path, keys: Iterable[str]) -> dict[str, Row]:
    """The rows of those `keys` that some file in `folder` has; other jobs may be writing there."""
    wanted, found = set(keys), {}
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            key = line[_KEY]
            if key in wanted and key not in found and (row := _row(line)) is not None:
                found[key] = row
    return found


@contextmanager
def point_log(path: Path) -> Iterator[Callable[[str, Row], None]]:
    """A function that appends the row of a key to `path`, each line handed to the system at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        # A writer that was killed may have left half a line; end it, or the next would be lost too.
        if file.tell() and not _ends_with_newline(file):
            file.write(b"\n")

        def add(key: str, row: Row) -> None:
            line = json.dumps({"key": key, "row": row}, separators=(",", ":"))
            file.write(f"{line}\n".encode())
            file.flush()

        yield add


def _ends_with_newline(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _row(line: str) -> Row | None:
    """The row on a line, or None if a kill tore the line."""
    try:
        return json.loads(line)["row"]
    except (ValueError, KeyError, TypeError):
        return None
