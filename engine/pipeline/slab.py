"""The work of one simulation job."""

import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.errors import UserError
from engine.pipeline.points import Row, finished_rows, key_of, point_log
from engine.pipeline.sweep import canonical, points_of
from engine.results import COLUMNS

REPORT_EVERY_S = 5.0


def simulate_slab(name: str, spec: Mapping[str, Any], store: Path) -> tuple[list[Row], list[Row]]:
    """The rows of the points of the job `name`, and a row with the error of each point that failed.

    `store` holds finished points, a folder a hash of the engine. A point that fails is reported and
    left out; the next run tries it again.
    """
    points = {key_of(point, spec["files"]): point for point in points_of(spec["axes"])}
    folder = store / spec["engine"]
    rows = finished_rows(folder, points)
    missing = {key: point for key, point in points.items() if key not in rows}
    errors = {}
    with point_log(folder / f"{name}.jsonl") as add:
        for key, point in _with_progress(name, missing.items(), len(rows), len(points)):
            row, error = _simulated(point)
            if row is None:
                print(f"{name}: failed: {canonical(point)}: {error}", flush=True)
                errors[key] = error
            else:
                add(key, row)
                rows[key] = row
    sweep = name.partition("/")[0]
    names = {key: {"sweep": sweep, "point": canonical(points[key])} for key in points}
    finished = [names[key] | rows[key] for key in points if key in rows]
    return finished, [names[key] | {"error": error} for key, error in errors.items()]


def _simulated(point: Row) -> tuple[Row | None, str]:
    """The row of one point in plain Python types, or what went wrong with it."""
    # Brings numba, which a job with nothing to simulate does without.
    from engine.simulate import simulate  # noqa: PLC0415

    try:
        row = simulate(point)
        return {column.name: column.kind(row[column.name]) for column in COLUMNS}, ""
    except Exception as error:  # one bad point must not take the others with it
        if not isinstance(error, UserError):
            traceback.print_exc()
        return None, f"{type(error).__name__}: {error}"


def _with_progress(name: str, items: Iterable, stored: int, total: int) -> Iterator:
    """The items, with a line now and then that says how many of the points are done."""
    start = reported = time.monotonic()
    done = stored
    for item in items:
        yield item
        done += 1
        if time.monotonic() - reported > REPORT_EVERY_S:
            reported = time.monotonic()
            print(f"{name}: {done} of {total} points, {reported - start:.0f} s", flush=True)
    new = done - stored
    seconds = time.monotonic() - start
    print(f"{name}: {new} points simulated in {seconds:.1f} s, {stored} known already", flush=True)
