"""Whole runs of the event loop: what a page and a request cost."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from benchmarks.timing import cpu_ns, interleaved
from engine.build import build
from engine.core.loop import run
from engine.devices import load_device
from engine.resolve import PAGE_KIB, resolve

PATTERNS = ("sequential", "random")
THREADS = (1, 16, 64, 256)
QUEUE_SIZES = (128, 1024, 8192)
DISKS = SIMPLE, MECHANICAL = "simple", "ide_40gb_2001"

# Contiguous files; large enough for the cost of a fresh state (2 MB) to vanish.
MACHINE = {"kernel": "2.4.19-pre5", "machine": "k6-2", "allocation_chunk_kib": 0}
WORK = {
    "sequential": {"workload": "tiobench_sequential_read", "size_mib": 4096},
    "random": {"workload": "tiobench_random_read", "size_mib": 8192, "operations": 200_000},
}


@dataclass(frozen=True)
class Case:
    """One point of the benchmark."""

    pattern: str
    threads: int
    queue_size: int
    disk: str

    def on(self, disk: str) -> "Case":
        """The same on another disk."""
        return replace(self, disk=disk)


@dataclass(frozen=True)
class Cost:
    """Processor time of a whole run by what it did, in ns: by page returned, by request served.

    A random read that finds its page in the page cache returns one and makes no request.
    """

    page_ns: float
    request_ns: float


def cases() -> Iterator[Case]:
    """All of them."""
    for values in product(PATTERNS, THREADS, QUEUE_SIZES, DISKS):
        yield Case(*values)


def measure(rounds: int) -> dict[Case, Cost]:
    """Cost of every case."""
    runs = {case: Run(case) for case in cases()}
    times_ns = interleaved(runs, rounds)
    return {case: runs[case].cost(times_ns[case]) for case in runs}


class Run:
    """A case that runs whenever it is called, and returns its processor time in ns."""

    def __init__(self, case: Case):
        self.settings = resolve(
            MACHINE
            | WORK[case.pattern]
            | {"threads": case.threads, "queue_size": case.queue_size, "disk": case.disk}
        )
        self.device = load_device(case.disk)

    def __call__(self) -> int:
        """Run from a fresh state; making that does not count."""
        machine = build(self.settings, self.device.record, np.random.default_rng(0))
        machine.pages.fill(0)  # touches the memory, so that no page fault counts
        self.state = machine.state
        with np.errstate(over="ignore"):
            return cpu_ns(lambda: run(*machine, self.device.tables))

    def cost(self, time_ns: float) -> Cost:
        """`time_ns` shared out among what the run did."""
        pages = self.state.measures.reads["count"] * self.settings["block_kib"] // PAGE_KIB
        return Cost(
            float(time_ns / pages), float(time_ns / self.state.block_devices[0].measures.completed)
        )
