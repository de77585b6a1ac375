"""A number that finished runs give: what stands beside one published figure.

`docs/validation.md` has the words that describe one in `engine/published/mapping.yaml`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pandas as pd

from engine.errors import UserError
from engine.metrics.classes import with_classes
from engine.metrics.wall import Wall, latency_wall
from engine.resolve import resolve

IDENTITY = ("kernel", "machine", "workload", "threads", "overrides")
OVER_RUNS = ("mean", "sum", "rate")
ACROSS = ("one", "min", "max", "wall")
MEANINGS = ("ratio", "gain_pct", "loss_pct")


class NotSimulatedError(Exception):
    """There are no runs for a quantity; the text says why."""


@dataclass(frozen=True)
class Quantity:
    """How runs become one number.

    `axes` maps each axis of the points to its values; `value` is an expression in columns of the
    results and of `engine.metrics.classes`, such as `finish_last_s_of_ls`. A printed figure was made of
    `numruns` runs: their `mean`, their `sum` (tiobench's waiting times), or all bytes over all time
    (`rate`: the harmonic mean, because every run moves the same bytes). `across` says what becomes of
    several points; `against`, axes that differ in the points to divide by (None: not there), and
    `meaning` what the quotient is given as.
    """

    value: str
    axes: Mapping[str, tuple[Any, ...]]
    over_runs: str = "mean"
    numruns: int = 1
    across: str = "one"
    against: Mapping[str, Any] = field(default_factory=dict)
    meaning: str = "ratio"


@dataclass(frozen=True)
class Simulated:
    """A quantity as simulated: a value for each time its `numruns` runs were made, and remarks."""

    values: tuple[float, ...]
    remarks: tuple[str, ...] = ()


class Runs:
    """The finished runs of all studies, found by their point."""

    def __init__(self, rows: pd.DataFrame, errors: Iterable[Mapping[str, str]] = ()) -> None:
        groups = rows.drop_duplicates([*IDENTITY, "run"]).groupby(list(IDENTITY), sort=False)
        self._runs = {key: runs.sort_values("run", ignore_index=True) for key, runs in groups}
        self._errors = {
            _identity(json.loads(row["point"])): row["error"] for row in errors if row["point"]
        }

    def at(self, point: Mapping[str, Any]) -> pd.DataFrame:
        """All runs of a point, by their number; raises NotSimulatedError."""
        try:
            key = _identity(point)
        except UserError as error:
            raise NotSimulatedError(str(error)) from None
        if key in self._runs:
            return self._runs[key]
        raise NotSimulatedError(self._errors.get(key, "no study has this point"))


def points_of(quantity: Quantity) -> list[dict[str, Any]]:
    """The points of a quantity, without those it is divided by."""
    return [
        dict(zip(quantity.axes, values, strict=True)) for values in product(*quantity.axes.values())
    ]


def all_points_of(quantity: Quantity) -> list[dict[str, Any]]:
    """The points of a quantity, then those they are divided by, in the same order."""
    points = points_of(quantity)
    others = [{**point, **quantity.against} for point in points] if quantity.against else []
    return points + [{k: v for k, v in other.items() if v is not None} for other in others]


def simulated(quantity: Quantity, runs: Runs) -> Simulated:
    """The quantity out of finished runs; raises NotSimulatedError if runs of any of its points lack."""
    tables = [with_classes(runs.at(point)) for point in all_points_of(quantity)]
    remarks = {remark for table in tables for remark in table["remark"] if remark}
    if any(len(table) < quantity.numruns for table in tables):
        remarks.add(f"{min(map(len, tables))} of {quantity.numruns} runs")
    batches = [_batches(table, quantity.numruns) for table in tables]
    count = min(len(of_point) for of_point in batches)  # times that the figure was made
    if quantity.across == "wall":
        walls = [_wall(quantity, [one[i] for one in batches]) for i in range(count)]
        remarks |= {str(wall) for wall in walls if wall.threads is None}
        values = [float(wall.threads_after or wall.threads_before or 0) for wall in walls]
        return Simulated(tuple(values), tuple(sorted(remarks)))
    of_points = [[_over_runs(quantity, batch) for batch in one[:count]] for one in batches]
    if quantity.against:
        half = len(of_points) // 2
        of_points = [
            _divided(quantity, *pair)
            for pair in zip(of_points[:half], of_points[half:], strict=True)
        ]
    values = [_across(quantity.across, of_batch) for of_batch in zip(*of_points, strict=True)]
    return Simulated(tuple(values), tuple(sorted(remarks)))


def _identity(point: Mapping[str, Any]) -> tuple[Any, ...]:
    """A point by what it runs with, so that a value equal to its preset's makes no difference."""
    settings = resolve({name: v for name, v in point.items() if name not in ("run", "seed")})
    overrides = json.dumps(dict(settings.overrides), sort_keys=True)
    return (*(settings[name] for name in IDENTITY[:-1]), overrides)


def _batches(table: pd.DataFrame, numruns: int) -> list[pd.DataFrame]:
    """Runs in groups as large as the published figure was made of; fewer runs are one group."""
    complete = [table[i : i + numruns] for i in range(0, len(table) - numruns + 1, numruns)]
    return complete or [table]


def _over_runs(quantity: Quantity, batch: pd.DataFrame) -> float:
    values = batch.eval(quantity.value)
    if values.isna().any():
        raise NotSimulatedError("who it is about had not finished when the run ended")
    if quantity.over_runs == "sum":
        return float(values.mean() * quantity.numruns)
    if quantity.over_runs == "rate":
        return float(len(values) / (1 / values).sum()) if (values > 0).all() else 0.0
    return float(values.mean())


def _wall(quantity: Quantity, batch: list[pd.DataFrame]) -> Wall:
    line = pd.concat([runs.assign(read_max_ms=runs.eval(quantity.value)) for runs in batch])
    return latency_wall(line)


def _divided(quantity: Quantity, values: list[float], others: list[float]) -> list[float]:
    """The values of a point over those of the point it is held against."""
    quotients = [a / b if b else float("inf") for a, b in zip(values, others, strict=True)]
    return [_meant(quantity.meaning, quotient) for quotient in quotients]


def _meant(meaning: str, quotient: float) -> float:
    if meaning == "ratio":
        return quotient
    return 100 * (quotient - 1) if meaning == "gain_pct" else 100 * (1 - quotient)


def _across(across: str, values: tuple[float, ...]) -> float:
    if across == "one" and len(values) != 1:
        raise ValueError("several points make one number only with `across`")
    return max(values) if across == "max" else min(values)
