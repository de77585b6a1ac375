"""The knee of a trade-off: the setting that gives up least of either side."""

import numpy as np
import pandas as pd

LEAST_SPAN = 1.05  # a side that moves by less than 5 % is traded for nothing


def knee(cost: pd.Series, gain: pd.Series) -> object:
    """Index label of the knee of a curve of settings, or None if it has none.

    `cost` (smaller is better, over 0) and `gain` (larger is better, over 0) share an index, one entry a
    setting. Both are taken as logarithms and scaled to the span of the curve; the knee is the setting
    that lies farthest on the good side of the straight line between the cheapest and the dearest. There
    is none with fewer than three settings, where a side hardly moves, or where all lie on the bad side.
    """
    order = cost.sort_values(kind="stable").index
    costs, gains = np.log(cost[order].to_numpy()), np.log(gain[order].to_numpy())
    least = np.log(LEAST_SPAN)
    if len(order) < 3 or np.ptp(costs) < least or np.ptp(gains) < least:
        return None
    x, y = (costs - costs[0]) / np.ptp(costs), (gains - gains[0]) / np.ptp(gains)
    above = y - x * y[-1]
    best = int(above.argmax())
    return order[best] if above[best] > 1e-9 else None
