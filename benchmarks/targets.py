"""The targets the engine was designed to, and whether the figures of a run meet them.

Those marked "quoted" compare with prototypes that were measured elsewhere, on another core and with a
smaller model of the machine: they tell an order of magnitude. All others are measured here.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from benchmarks import queue_alone, whole_runs
from benchmarks.pipeline import Pipeline
from benchmarks.whole_runs import MECHANICAL, SIMPLE


class Quoted(NamedTuple):
    """The prototypes' figures for one case, in ns: a page if sequential, a request if random."""

    naive_c: float
    array: float


# (pattern, threads, queue size) -> the prototypes' figures.
QUOTED = {
    ("sequential", 1, 128): Quoted(12, 1.5),
    ("sequential", 16, 128): Quoted(15, 2.4),
    ("sequential", 256, 1024): Quoted(68, 8.3),
    ("random", 16, 128): Quoted(80, 68),
    ("random", 256, 1024): Quoted(961, 154),
}


class Verdict(NamedTuple):
    """One target beside what was measured; `met` is None where the design only asks for the figure."""

    what: str
    target: str
    measured: str
    met: bool | None


Costs = Mapping[whole_runs.Case, whole_runs.Cost]
Queues = Mapping[queue_alone.Case, queue_alone.Cost]


def of_runs(costs: Costs) -> Iterator[Verdict]:
    """Targets of whole runs, on the simple disk."""
    for key, quoted in QUOTED.items():
        cost = costs[whole_runs.Case(*key, SIMPLE)]
        what = f"{key[0]}, {key[1]} threads, queue {key[2]}"
        cost_ns = cost.page_ns if key[0] == "sequential" else cost.request_ns
        yield _at_most(f"{what}, against naive C (quoted)", cost_ns, quoted.naive_c, "ns")
        limit_ns = 1.15 * quoted.array
        yield _at_most(f"{what}, against the prototype (quoted)", cost_ns, limit_ns, "ns")
    sixteen = {
        (pattern, disk): costs[whole_runs.Case(pattern, 16, 128, disk)]
        for pattern in whole_runs.PATTERNS
        for disk in whole_runs.DISKS
    }
    sequential, random_ns = sixteen["sequential", SIMPLE], sixteen["random", SIMPLE].request_ns
    yield _at_most("sequential, 16 threads, queue 128: a page", sequential.page_ns, 3, "ns")
    yield _at_most("sequential, 16 threads, queue 128: a request", sequential.request_ns, 95, "ns")
    yield _at_most("random, 16 threads, queue 128: a request", random_ns, 75, "ns")
    added_ns = sixteen["random", MECHANICAL].request_ns - random_ns
    yield _stated("what the mechanical disk adds to that", f"{added_ns:.0f} ns")


def of_queue(queues: Queues) -> Iterator[Verdict]:
    """Targets of the queue alone."""
    small, large = (
        queues[queue_alone.Case("random write", size)].engine_ns for size in (128, 8192)
    )
    yield _at_most("random write, queue 8192 over queue 128", large / small, 2, "x")


def of_starts(start_s: Mapping[str, float]) -> Iterator[Verdict]:
    """Targets of processes that start."""
    yield _at_most("cold compile", start_s["cold"], 15, "s")
    yield _at_most("warm start", start_s["warm"], 0.3, "s")


def of_cores(ratios: Mapping[str, float]) -> Iterator[Verdict]:
    """Targets of two processes."""
    for name, ratio in ratios.items():
        yield Verdict(f"two cores over one, by {name}", ">= 1.9 x", f"{ratio:.2f} x", ratio >= 1.9)


def of_pipeline(result: Pipeline) -> Iterator[Verdict]:
    """The design has no number for the pipeline's share, which hangs on the study's size."""
    share = f"{100 * result.table_share:.0f} %"
    yield _stated("pipeline up to sweep.csv, share that is no simulation", share)


def _at_most(what: str, measured: float, limit: float, unit: str) -> Verdict:
    return Verdict(what, f"<= {limit:.3g} {unit}", f"{measured:.3g} {unit}", measured <= limit)


def _stated(what: str, measured: str) -> Verdict:
    return Verdict(what, "stated", measured, None)
