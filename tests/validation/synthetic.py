"""Results that nobody simulated, for the scorecard to read."""

import json

import pandas as pd

from engine.resolve import resolve
from engine.results import COLUMNS

XEON = {"kernel": "2.4.19-pre5", "machine": "quad_xeon", "workload": "tiobench"} | {
    "measured": "read",
    "size_mib": 8192,
    "threads": 32,
}


def row(point: dict, run: int = 0, **measured: object) -> dict[str, object]:
    """A row of the results of a point; columns not `measured` are 0 or empty."""
    settings = resolve(point)
    empty = {column.name: column.kind() for column in COLUMNS}
    identity = {name: settings[name] for name in ("kernel", "machine", "workload", "threads")}
    overrides = json.dumps(dict(settings.overrides), sort_keys=True)
    return empty | identity | {"overrides": overrides, "run": run} | measured


def table(*rows: dict[str, object]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[column.name for column in COLUMNS])
