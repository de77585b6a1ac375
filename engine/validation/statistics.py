"""What the scorecard and the claims say in a few numbers."""

from itertools import combinations
from math import inf

import numpy as np
import pandas as pd

from engine.validation.scorecard import NOT_SIMULATED, PREDICTED, met

CLEAR_GAP = 1.10  # kernels closer than that in print are not in an order worth keeping
OVERALL = "all tables"
OVERALL_FURTHER = "further tables"


def deviation(card: pd.DataFrame) -> pd.Series:
    """|log2 ratio| of every row: 1 is off by a factor of two; a bound that is met is off by nothing."""
    with np.errstate(divide="ignore"):
        off = np.log2(card["ratio"].astype(float)).abs().fillna(inf)
    return off.where(~met(card), 0.0).where(card["role"] != NOT_SIMULATED)


def summary(card: pd.DataFrame, overall: str = OVERALL) -> pd.DataFrame:
    """One row a table, and one for all, named `overall`.

    `figures` published, `predicted` of them, `calibration` and `not_simulated` as counts;
    `median_log2` of the predicted ones' |log2 ratio|, `within_2x` how many are off by less than a factor
    of two; `orders` pairs of kernels more than 10 % apart in print, `orders_kept` of them simulated in
    the same order.
    """
    parts = [*card.groupby("table", sort=False), (overall, card)]
    return pd.DataFrame([{"table": name, **_numbers(part)} for name, part in parts])


def _numbers(card: pd.DataFrame) -> dict[str, object]:
    predicted = card[card["role"] == PREDICTED]
    off = deviation(predicted)
    kept = [kept for _, _, kept in orders(predicted)]
    return {
        "figures": len(card),
        "predicted": len(predicted),
        "calibration": int(card["role"].eq("calibration").sum()),
        "not_simulated": int(card["role"].eq(NOT_SIMULATED).sum()),
        "median_log2": float(off.median()) if len(off) else np.nan,
        "within_2x": int((off <= 1).sum()),
        "orders": len(kept),
        "orders_kept": sum(kept),
    }


def orders(card: pd.DataFrame) -> list[tuple[int, int, bool]]:
    """Pairs of rows that differ in nothing but the kernel and lie clearly apart in print.

    Each as the labels of its rows and whether the simulated values are in the same order.
    """
    same = ["table", "section", "machine", "workload", "clients", "parameter", "metric"]
    exact = card[(card["bound"] == "") & (card["published"] > 0)]
    pairs = []
    for _, rows in exact.groupby(same, sort=False):
        for a, b in combinations(rows.index, 2):
            low, high = sorted((a, b), key=lambda label: rows.loc[label, "published"])
            apart = rows.loc[high, "published"] > CLEAR_GAP * rows.loc[low, "published"]
            if rows.loc[a, "kernel"] != rows.loc[b, "kernel"] and apart:
                kept = rows.loc[high, "simulated"] > rows.loc[low, "simulated"]
                pairs.append((low, high, bool(kept)))
    return pairs
