"""The request queue by itself, on the same stream of buffers as its slow twin in plain Python."""

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.timing import cpu_ns, interleaved
from engine.build import build
from engine.core import request_queue
from engine.core.jit import kernel
from engine.core.queue_records import BIO
from engine.core.records import NONE, PAGE_BYTES, PAGE_SECTORS, new_record
from engine.devices import load_device
from engine.resolve import resolve
from engine.simulate import simulate
from tests.reference.generations import make_queue
from tests.reference.request import Bio, Direction, Settings

STREAMS = ("sequential read", "random read", "random write")
QUEUE_SIZES = (128, 1024, 8192)
TWIN_QUEUE_SIZES = (128, 1024)  # with 8192 the twin would take minutes to fill its queue

BUFFERS = 100_000
TWIN_BUFFERS = 400
TWIN_ROUNDS = 1
READERS, WINDOW_PAGES = 16, 31
DISK_PAGES = 2**21  # 8 GiB

# SCSI, so that the driver gives the slot back when it takes the request.
POINT = {"kernel": "2.4.19-pre5", "machine": "quad_xeon", "workload": "tiobench_sequential_read"}


@dataclass(frozen=True)
class Case:
    """A stream and the size of the pool; the queue is kept as full as the pool allows."""

    stream: str
    queue_size: int

    @property
    def slots(self) -> int:
        """Slots of the stream's direction."""
        return self.queue_size // 2

    @property
    def is_write(self) -> bool:
        """Direction of the stream."""
        return self.stream == "random write"

    def sectors(self) -> np.ndarray:
        """First sectors of the stream's page-sized buffers: as many as fill the queue, then BUFFERS."""
        count = self.filling + BUFFERS
        if self.stream == "sequential read":
            number = np.arange(count)
            window, page = np.divmod(number, WINDOW_PAGES)
            turn, reader = np.divmod(window, READERS)
            return (reader * (DISK_PAGES // READERS) + turn * WINDOW_PAGES + page) * PAGE_SECTORS
        return np.random.default_rng(0).integers(0, DISK_PAGES, count) * PAGE_SECTORS

    @property
    def filling(self) -> int:
        """Buffers after which the queue is full, whatever merges."""
        return self.slots * (WINDOW_PAGES if self.stream == "sequential read" else 2)


@dataclass(frozen=True)
class Cost:
    """Processor time of a buffer in ns; `twin_ns` is None where the twin was not run."""

    engine_ns: float
    twin_ns: float | None


def measure(rounds: int) -> dict[Case, Cost]:
    """Cost of every case, once engine and twin have shown that they do the same."""
    simulate(
        POINT | {"threads": 2, "size_mib": 2}
    )  # compile as users do; the order decides inlining
    cases = [Case(stream, size) for stream in STREAMS for size in QUEUE_SIZES]
    engines = {case: EngineQueue(case) for case in cases}
    twins = {case: TwinQueue(case) for case in cases if case.queue_size in TWIN_QUEUE_SIZES}
    for case, twin in twins.items():
        check_the_same(case, engines[case], twin)
    engine_ns = interleaved(engines, rounds)
    twin_ns = interleaved(twins, TWIN_ROUNDS)
    return {
        case: Cost(
            engine_ns[case] / BUFFERS, twin_ns[case] / TWIN_BUFFERS if case in twins else None
        )
        for case in cases
    }


def check_the_same(case: Case, engine: "EngineQueue", twin: "TwinQueue") -> None:
    """Stop if the two do not take the same requests in the same order."""
    engine.fill()
    twin.fill()
    if engine.drive(twin.stream) != twin.drive(twin.stream):
        sys.exit(f"{case}: the engine's queue and its twin differ; no figure would mean anything")


class EngineQueue:
    """The engine's queue; a call fills it and returns the processor time of BUFFERS more, in ns."""

    def __init__(self, case: Case):
        self.case, self.bio = case, new_record(BIO)
        self.beginning, self.stream = np.split(case.sectors(), [case.filling])

    def fill(self) -> None:
        """An empty queue takes the first buffers."""
        settings = resolve(POINT | {"queue_size": self.case.queue_size})
        device = load_device(settings["disk"]).record  # has no part in it
        self.state = build(settings, device, np.random.default_rng(0)).state
        self.bio.is_write = self.case.is_write
        self.bio.nr_sectors = PAGE_SECTORS
        self.drive(self.beginning)

    def drive(self, sectors: np.ndarray) -> int:
        """Submit; returns a digest of the requests the driver took, in order."""
        return int(_drive(self.state, self.bio, sectors, self.case.slots))

    def __call__(self) -> int:
        """Fill, then time."""
        self.fill()
        return cpu_ns(lambda: self.drive(self.stream))


@kernel
def _drive(state, bio, sectors, full):
    """Submit buffer after buffer; whenever the queue is full the driver takes one and is done with it."""
    block_device = state.block_devices[0]
    queue = block_device.queue
    digest = 0
    for number in range(len(sectors)):
        bio.sector = sectors[number]
        bio.memory = 2 * (bio.sector // PAGE_SECTORS) * PAGE_BYTES
        request_queue.submit(state, block_device, bio, NONE)
        request_queue.unplug(queue)
        while queue.length >= full:
            request = request_queue.take(state, block_device, True)
            digest = (31 * digest + queue.requests[request].serial) & 0xFFFFFFFF
            request_queue.complete(state, block_device, request, False)
    return digest


class TwinQueue:
    """The same of the twin, over fewer buffers."""

    def __init__(self, case: Case):
        self.case = case
        self.direction = Direction.WRITE if case.is_write else Direction.READ
        self.beginning, rest = np.split(case.sectors(), [case.filling])
        self.stream = rest[:TWIN_BUFFERS]

    def fill(self) -> None:
        """An empty queue takes the first buffers."""
        preset = resolve(POINT)
        settings = Settings(
            preset["max_sectors"],
            self.case.queue_size,
            head_active=False,
            release_at_dispatch=True,
            read_latency=preset["read_latency"],
            write_latency=preset["write_latency"],
        )
        self.queue: Any = make_queue(preset["elevator"], settings)
        self.drive(self.beginning)

    def drive(self, sectors: np.ndarray) -> int:
        """As the engine's."""
        queue, full, digest = self.queue, self.case.slots, 0
        for sector in sectors.tolist():
            memory = 2 * (sector // PAGE_SECTORS) * PAGE_BYTES
            queue.submit(Bio(self.direction, sector, PAGE_SECTORS, memory=memory))
            queue.unplug()
            while len(queue.requests) >= full:
                digest = (31 * digest + queue.take()) & 0xFFFFFFFF
                queue.complete(0)
        return digest

    def __call__(self) -> int:
        """Fill, then time."""
        self.fill()
        return cpu_ns(lambda: self.drive(self.stream))
