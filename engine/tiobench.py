"""tiobench's own report: four tables, a line for every thread count, as tiobench.pl 0.3.3 prints them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.resolve import resolve
from engine.simulate import simulate

PHASES = {  # in the order of the report: phase -> title and direction
    "read": ("Sequential Reads", "read"),
    "random_read": ("Random Reads", "read"),
    "write": ("Sequential Writes", "write"),
    "random_write": ("Random Writes", "write"),
}
HEAD = """\
                              File   Blk    Num                     Avg        Maximum    Lat%      Lat%    CPU
Identifier                    Size   Size   Thr   Rate  (CPU%)    Latency      Latency     >2s      >10s    Eff
---------------------------- ------ ------ ---- ------- ------- ---------- ------------ -------- -------- ------"""
UNITS = """\
Size in megabytes, block in bytes, rate in megabytes per second, CPU% of one processor, latencies in
milliseconds, Lat% of the calls that took longer, CPU Eff: rate over CPU share."""
ADDED = (
    "Latencies and Lat% of the {} runs are added, as tiobench.pl of 2002 does; rates are totals."
)


def report(
    point: Mapping[str, Any], threads: Sequence[int], runs: int, summed: bool
) -> Iterator[str]:
    """Lines of the report for `point` at each of `threads`, over `runs` runs of each.

    `summed` adds the waiting times and shares over the runs, as the published tables do; else they are
    means, and the maximum that of all runs. Raises UserError for an impossible point.
    """
    settings = resolve({**point, "workload": "tiobench", "threads": threads[0]})
    size_mib, block_kib = settings["size_mib"], settings["block_kib"]
    yield UNITS
    if summed:
        yield ADDED.format(runs)
    for phase, (heading, direction) in PHASES.items():
        yield f"\n{heading}\n{HEAD}"
        for count in threads:
            rows = [
                simulate(
                    {
                        **point,
                        "workload": "tiobench",
                        "measured": phase,
                        "threads": count,
                        "run": run,
                    }
                )
                for run in range(runs)
            ]
            yield _line(rows, size_mib, block_kib, direction, summed)


def _line(
    rows: list[dict[str, Any]], size_mib: int, block_kib: int, direction: str, summed: bool
) -> str:
    """One line of a table."""

    def over_runs(name: str) -> float:
        total = sum(row[f"{direction}_{name}"] for row in rows)
        return total if summed else total / len(rows)

    seconds = sum(row["duration_s"] for row in rows)
    rate = sum(row[f"{direction}_mib"] for row in rows) / seconds
    cpu_pct = sum(row["cpu_pct"] * row["duration_s"] for row in rows) / seconds
    maximum = over_runs("max_ms") if summed else max(row[f"{direction}_max_ms"] for row in rows)
    return (
        f"{rows[0]['kernel']:28} {size_mib:6} {1024 * block_kib:6} {rows[0]['threads']:4} {rate:7.2f} {cpu_pct:6.2f}% "
        f"{over_runs('mean_ms'):10.3f} {maximum:12.2f} {over_runs('over_2s_pct'):8.5f} "
        f"{over_runs('over_10s_pct'):8.5f} {100 * rate / cpu_pct if cpu_pct else 0:6.0f}"
    )
