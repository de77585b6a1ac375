"""The wall: the thread count at which the longest wait jumps."""

from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd


class WallRule(NamedTuple):
    """What counts as the wall: a jump by this factor, above this floor [s]."""

    jump: float = 10.0
    floor_s: float = 10.0


RULE = WallRule()


@dataclass(frozen=True)
class Wall:
    """Where the longest read() call jumps, with its value on either side.

    With a wall, `threads_after` is the wall and `threads_before` the next smaller count tested. With
    none, `threads_before` is the largest count tested and nothing comes after; if the first count
    tested is already over the floor, it comes after and nothing before.
    """

    threads_before: int | None
    read_max_before_s: float | None
    threads_after: int | None
    read_max_after_s: float | None

    @property
    def threads(self) -> int | None:
        """The wall, if it was seen to rise between two tested counts."""
        return self.threads_after if self.threads_before is not None else None

    def __str__(self) -> str:
        """`32`, `none up to 128` or `at or below 8`."""
        if self.threads_after is None:
            return f"none up to {self.threads_before}"
        if self.threads_before is None:
            return f"at or below {self.threads_after}"
        return str(self.threads_after)


def latency_wall(
    runs: pd.DataFrame, jump: float = RULE.jump, floor_s: float = RULE.floor_s
) -> Wall:
    """The smallest tested thread count whose longest wait jumps.

    `runs` has a row a run with `threads` and `read_max_ms`, all of one kernel, machine and workload.
    The longest wait of a thread count is the median over its runs of the longest read() call. It is
    at the wall if it is at least `jump` times that of the next smaller count tested and above
    `floor_s` seconds. A slow rise without a jump is no wall, however long the waits become.
    """
    worst_s = runs.groupby("threads")["read_max_ms"].median().sort_index() / 1000
    if worst_s.empty:
        raise ValueError("latency_wall needs at least one run")
    counts = [int(threads) for threads in worst_s.index]
    values = [float(value) for value in worst_s]
    if values[0] > floor_s:
        return Wall(None, None, counts[0], values[0])
    for i in range(1, len(counts)):
        if values[i] > floor_s and values[i] >= jump * values[i - 1]:
            return Wall(counts[i - 1], values[i - 1], counts[i], values[i])
    return Wall(counts[-1], values[-1], None, None)
