"""The law behind the wall: what the readers ask of the pool, against what it has.

A wall needs both: the readers' demand reaches the slots, and sleepers are woken only when a large part
of the slots is free at once.
"""

import pandas as pd


def with_law(rows: pd.DataFrame) -> pd.DataFrame:
    """`rows` of the results with the three quantities of the law added.

    `demand_requests`: threads times the requests per reader measured in the run [requests];
    `demand_over_slots`: that over the slots a read may use (at 1 the pool is exhausted);
    `batch_over_slots`: free slots at which sleepers are woken, over the same slots.
    """
    demand = rows["threads"] * rows["requests_per_reader"]
    return rows.assign(
        demand_requests=demand,
        demand_over_slots=demand / rows["read_slots"],
        batch_over_slots=rows["batch_requests"] / rows["read_slots"],
    )
