"""walls.csv: one row a line of the wall figure, with the pool its wall follows from."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from engine import presets, published
from engine.metrics.agreement import Reading, agreement
from engine.metrics.law import with_law
from engine.metrics.sweep import LINE, keeps_kernel, overrides_of, runs_of
from engine.metrics.wall import RULE, WallRule, latency_wall


def walls_table(sweep: pd.DataFrame, rule: WallRule = RULE) -> pd.DataFrame:
    """The wall of every kernel, machine, workload and set of overrides in `sweep`.

    `threads_before` and `threads_after` are the counts on either side of the wall with the medians of
    their longest read() calls [s]. `slots`, `batch`, `requests_per_reader` and the demand are medians
    at the first starving count, or at the largest count tested if none starves. `agreement` takes the
    published number as the first starving count, `agreement_last_good` as the last good one
    (`engine.metrics.agreement` says why the first counts).
    """
    rows = [
        _row(dict(zip(LINE, key, strict=True)), runs, rule)
        for key, runs in runs_of(sweep).groupby(list(LINE), sort=False)
    ]
    counts = ["threads_before", "threads_after"]
    return pd.DataFrame(rows, columns=[*_COLUMNS]).astype(dict.fromkeys(counts, "Int64"))


_COLUMNS = (
    *("tree", "test", "machine", "overrides", "runs", "wall"),
    *("threads_before", "read_max_before_s", "threads_after", "read_max_after_s"),
    *("slots", "batch", "requests_per_reader", "demand_over_slots", "batch_over_slots"),
    *("published_wall", "agreement", "agreement_last_good"),
)


def _row(line: dict[str, str], runs: pd.DataFrame, rule: WallRule) -> dict[str, object]:
    wall = latency_wall(runs, *rule)
    at = runs["threads"] == (wall.threads_after or wall.threads_before)
    pool = with_law(runs[at]).median(numeric_only=True)
    known = published_walls(line)
    values = (
        *(line["kernel"], line["workload"], line["machine"], line["overrides"]),
        *(int(runs.groupby("threads")["run"].count().min()), str(wall)),
        *(wall.threads_before, wall.read_max_before_s, wall.threads_after, wall.read_max_after_s),
        *(int(pool["read_slots"]), int(pool["batch_requests"]), pool["requests_per_reader"]),
        *(pool["demand_over_slots"], pool["batch_over_slots"], " or ".join(known)),
        agreement(wall, known, Reading.FIRST_STARVING),
        agreement(wall, known, Reading.LAST_GOOD),
    )
    return dict(zip(_COLUMNS, values, strict=True))


def published_walls(line: Mapping[str, Any]) -> tuple[str, ...]:
    """Published walls of a line's tree as printed; none once a value of the kernel was overridden, or on
    another machine or with other files than the published runs had."""
    known = published.walls(line["kernel"], line["workload"])
    if not known or not keeps_kernel(line["overrides"]):
        return ()
    preset = presets.workload(line["workload"]).values["size_mib"].value
    size_mib = overrides_of(line["overrides"]).get("size_mib", preset)
    return known if published.WALL_SIZES_MIB.get(line["machine"]) == size_mib else ()
