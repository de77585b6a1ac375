"""The scorecard: every published figure beside what was simulated for it."""

import operator
import re
from collections.abc import Iterable
from math import nan

import pandas as pd

from engine.validation.mapping import Figure
from engine.validation.quantity import NotSimulatedError, Runs, simulated

COLUMNS = (
    *("table", "line", "section", "kernel", "machine", "workload", "clients", "parameter"),
    *("metric", "unit", "published", "bound", "simulated", "low", "high", "ratio"),
    *("role", "remark"),
)
PREDICTED = "predicted"
CALIBRATION = "calibration"
REPEAT = "repeat"
NOT_SIMULATED = "not simulated"
_PRINTED = re.compile(r"(?P<sign>[<>]?=?)(?P<value>[\d.]+)(?:-(?P<upper>[\d.]+))?")
BOUNDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def scorecard(figures: Iterable[Figure], runs: Runs) -> pd.DataFrame:
    """One row a figure, in the order given.

    `published` is the printed number (with its sign in `bound` if it is one, such as `>`; a range as its
    middle), `simulated` the median over the times the whole figure was simulated and `low` and
    `high` the range; `ratio` is simulated over published. `role` says whether the row is predicted, was
    used for calibration, repeats another row, or is not simulated; only predictions count.
    """
    return pd.DataFrame([_row(figure, runs) for figure in figures], columns=[*COLUMNS])


def met(card: pd.DataFrame) -> pd.Series:
    """Whether a row's simulated value is on the right side of a published bound; False without one."""
    sides = zip(card["bound"], card["simulated"], card["published"], strict=True)
    right = [sign in BOUNDS and BOUNDS[sign](value, bound) for sign, value, bound in sides]
    return pd.Series(right, index=card.index, dtype=bool)


def printed_number(text: str) -> tuple[float, str]:
    """The number in a printed value, and its sign if it is a bound: `>128` is 128, `>`; `2.5-3` is 2.75."""
    found = _PRINTED.match(text)
    if not found:
        return nan, ""
    value = float(found["value"])
    upper = float(found["upper"]) if found["upper"] else value
    return (value + upper) / 2, found["sign"]


def _row(figure: Figure, runs: Runs) -> dict[str, object]:
    row = figure.row
    published, bound = printed_number(row["value"])
    parameter = f"{row['param_name']} {row['param_value']}".strip()
    identity = {
        **{"table": figure.table, "line": row["line"], "section": row["table"]},
        **{name: row[name] for name in ("kernel", "machine", "workload", "clients")},
        **{"parameter": parameter, "metric": row["metric"], "unit": row["unit"]},
        **{"published": published, "bound": bound},
    }
    return identity | _simulated(figure, published, runs)


def _simulated(figure: Figure, published: float, runs: Runs) -> dict[str, object]:
    try:
        if figure.quantity is None:
            raise NotSimulatedError(figure.reason)
        result = simulated(figure.quantity, runs)
    except NotSimulatedError as error:
        return {"role": NOT_SIMULATED, "remark": f"not simulated: {error}"}
    values = pd.Series(result.values)
    median = float(values.median())
    remarks = (figure.calibrated, figure.repeats, figure.remark, *result.remarks)
    marked = CALIBRATION if figure.calibrated else REPEAT if figure.repeats else PREDICTED
    return {
        **{"simulated": median, "low": float(values.min()), "high": float(values.max())},
        "ratio": _ratio(median, published),
        "role": marked,
        "remark": "; ".join(filter(None, remarks)),
    }


def _ratio(value: float, published: float) -> float:
    """Simulated over published; equal zeros are equal."""
    if published == 0:
        return 1.0 if value == 0 else float("inf")
    return value / published
