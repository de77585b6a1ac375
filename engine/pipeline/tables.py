"""The tables the jobs write, and the joined ones."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.pipeline.sweep import axes_of, canonical, points_of

if TYPE_CHECKING:  # jobs import this module, and do without the configuration's libraries
    from engine.pipeline.config import Config

# What a table of a job says of each row before anything else: its sweep and, as canonical JSON, its
# point.
KEY = ("sweep", "point")


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write `rows` as CSV; floats with all digits that tell them apart."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV, all values as text."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def joined(tables: Iterable[Path], config: "Config") -> Iterator[dict[str, str]]:
    """The rows of the tables of all jobs, in the order in which the sweeps list their points.

    It does not depend on what was one job.
    """
    rows = {}
    for table in tables:
        for row in read_table(table):
            rows[tuple(row[name] for name in KEY)] = row
    for sweep in config.sweeps:
        for point in points_of(axes_of(config, sweep)):
            key = sweep, canonical(point)
            if key in rows:
                yield rows[key]
