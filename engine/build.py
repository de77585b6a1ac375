"""Build the machine a run begins with: its STATE at time 0, and the arrays beside it."""

from typing import NamedTuple

import numpy as np

from engine.core import calendar, request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.pools import POOLS, slots_for
from engine.core.readahead import ReadAhead
from engine.core.records import (
    FILE,
    NONE,
    OPERATION,
    PAGE,
    PAGE_BYTES,
    STATE,
    Balance,
    DriveOrder,
    Driver,
    Event,
    Op,
    Pattern,
    new_record,
)
from engine.resolve import PAGE_KIB, PAGES_PER_MIB, Settings
from engine.workload import Plan

SECTORS_PER_MIB = 2048
LOW_MEMORY_MIB = 896  # ZONE_NORMAL and below
START_SPREAD_NS = 10_000_000  # threads set off within the first 10 ms, in an order of chance


class Machine(NamedTuple):
    """All that `engine.core.loop.run` works on, but for the device's tables."""

    state: np.record
    pages: np.recarray  # PAGE, in the order of the disk
    files: np.recarray  # FILE, a thread's by its number
    pieces: np.ndarray  # where each piece of each file begins, in pages
    program: np.recarray  # OPERATION, those of a class behind one another


def build(settings: Settings, device: np.record, rng: np.random.Generator) -> Machine:
    """The machine at time 0, with the start of every thread on the calendar."""
    state = new_record(STATE)
    state.disk = device
    _set_queue(state, settings)
    _set_machine(state, settings)
    _set_cache(state, settings)
    program, first_steps = _program(settings.plan)
    _set_threads(state, settings, first_steps, rng)
    pieces, files = lay_out(settings, rng)
    end = sum(int(file.pages) for file in files)
    pages = np.zeros(end, PAGE).view(np.recarray)
    return Machine(state, pages, files, pieces, program)


def _program(plan: Plan) -> tuple[np.recarray, list[int]]:
    """The operations of all classes, bdflush and kupdate, and where each of them begins.

    Before each begins one that is never carried out: a thread at `step` goes on to the next.
    """
    rows: list[tuple] = []
    first_steps = []
    for one in plan.classes:
        first_steps.append(len(rows))
        base = len(rows) + 1
        rows.append((Op.END, 0, 0, 0, 0, 0, 0, False))
        rows += [
            (
                *(Op[step.kind.upper()], Pattern[step.pattern.upper()], step.call_bytes),
                *(step.calls, step.duration_ns, base + step.target, step.level),
                step.phase == plan.measured,
            )
            for step in one.program
        ]
        rows.append((Op.END, 0, 0, 0, 0, 0, 0, False))
    for kind in (Op.BDFLUSH, Op.KUPDATE):
        first_steps.append(len(rows))
        rows += [(Op.END, 0, 0, 0, 0, 0, 0, False), (kind, 0, 0, 0, 0, 0, 0, False)]
    return np.array(rows, OPERATION).view(np.recarray), first_steps


def _set_threads(
    state: np.record, settings: Settings, first_steps: list[int], rng: np.random.Generator
) -> None:
    """The threads of every class, then bdflush and kupdate, each before its program."""
    plan, machine, cache = settings.plan, state.machine, state.cache
    counts = [one.threads for one in plan.classes]
    threads = sum(counts)
    machine.threads = threads + 2
    machine.foreground_alive = sum(one.threads for one in plan.classes if not one.background)
    steps = np.repeat(first_steps, [*counts, 1, 1])
    background = np.repeat([one.background for one in plan.classes], counts)
    starts_ns = rng.integers(0, START_SPREAD_NS, threads)
    seeds = rng.integers(0, 2**63, threads)
    for number in range(threads):
        thread = state.threads[number]
        thread.random = seeds[number]
        thread.background = background[number]
        thread.file = number
        thread.readahead.version = ReadAhead[settings["readahead"].upper()]
        calendar.schedule(machine, starts_ns[number], Event.START, number)
    for number in range(threads + 2):
        state.threads[number].step = steps[number]
    cache.bdflush, cache.kupdate = threads, threads + 1
    for number in (threads, threads + 1):
        state.threads[number].background = True
        calendar.schedule(machine, START_SPREAD_NS, Event.START, number)


def _set_cache(state: np.record, settings: Settings) -> None:
    """Memory for pages, and when dirty ones are written back."""
    cache = state.cache
    for pages in (cache.clean_pages, cache.dirty_pages):
        pages.oldest = pages.newest = NONE
    free_mib = settings["ram_mib"] - settings["system_mib"]
    cache.capacity = free_mib * PAGES_PER_MIB
    low_mib = min(free_mib, LOW_MEMORY_MIB) if settings["dirty_zone"] == "normal" else free_mib
    cache.soft = Balance[settings["dirty_soft"].upper()]
    cache.hard = Balance[settings["dirty_hard"].upper()]
    for limit in ("soft", "hard", "stop"):
        pages = low_mib * PAGES_PER_MIB * settings[f"dirty_{limit}_pct"] // 100
        cache[f"{limit}_pages"] = pages
    cache.chunk = settings["dirty_chunk"]
    cache.counts_writing = settings["dirty_counts"] == "dirty_and_writing"


def _set_queue(state: np.record, settings: Settings) -> None:
    """Request queue and pool."""
    queue, pool = state.queue, state.pool
    queue.elevator = ELEVATORS[settings["elevator"]]
    queue.head_active = settings["driver"] == "ide"
    for name in (
        "max_sectors",
        "max_segments",
        "read_latency",
        "write_latency",
        "max_bomb_segments",
        "read_expire_ms",
    ):
        queue[name] = settings[name]
    queue.inserts_after_sleep = settings["after_sleep"] == "insert"
    request_queue.reset(queue)
    pool.kind = POOLS[settings["pool"]]
    pool.most_sectors = settings["max_queue_sectors"]
    pool.throttles = settings["pool"].startswith("sectors") and settings["max_queue_sectors"] > 0
    pool.per_direction = settings["wait_queues"] == "per_direction"
    pool.newest_first = settings["wake_order"] == "lifo"
    pool.wake_all = settings["wake_count"] == "all"
    slots = slots_for(POOLS[settings["pool"]], settings["queue_size"])
    request_pool.reset(pool, slots, settings["batch_requests"])


def _set_machine(state: np.record, settings: Settings) -> None:
    """Processors, driver, files and read-ahead."""
    machine = state.machine
    machine.cpus = machine.idle_cpus = settings["cpus"]
    machine.driver = Driver[settings["driver"].upper()]
    machine.release_at_dispatch = (
        settings["driver"] == "scsi" and settings["slot_release"] == "dispatch"
    )
    machine.queue_depth = settings["queue_depth"]
    machine.drive_order = DriveOrder[settings["drive_order"].upper()]
    machine.served = NONE
    machine.call_ns = round(settings["call_us"] * 1000)
    machine.page_ns = round(settings["page_us"] * 1000)
    machine.data_start_sector = settings["data_start_mib"] * SECTORS_PER_MIB
    machine.readahead_pages = settings["readahead_pages"]
    machine.readahead_min_pages = settings["readahead_min_pages"]


def lay_out(settings: Settings, rng: np.random.Generator) -> tuple[np.ndarray, np.recarray]:
    """Where each piece of each file begins, in pages from the start of the data, and the FILEs.

    The files of a class are written at the same time and interleave: in every round each gets one piece,
    in an order of chance. The classes lie one behind the other, and the files in order of the threads.
    """
    pieces: list[np.ndarray] = []
    files, behind = [], 0
    for one in settings.plan.classes:
        file_pages = one.file_bytes // PAGE_BYTES
        piece_pages = settings["allocation_chunk_kib"] // PAGE_KIB or file_pages
        piece_pages = max(1, min(piece_pages, file_pages))
        starts = _interleave(one.threads, file_pages, piece_pages, rng)
        first_piece = sum(part.size for part in pieces)
        for number in range(one.threads):
            length = one.file_bytes if one.file_exists else 0
            first = first_piece + number * starts.shape[1]
            files.append((length, file_pages, piece_pages, first))
        pieces.append(behind + starts)
        behind += one.threads * file_pages
    daemons = [(0, 0, 1, 0)] * 2
    return (
        np.concatenate([part.reshape(-1) for part in pieces]),
        np.array(files + daemons, FILE).view(np.recarray),
    )


def _interleave(
    threads: int, file_pages: int, piece_pages: int, rng: np.random.Generator
) -> np.ndarray:
    """First page of each piece of each file. Shape (threads, pieces per file)."""
    pieces = -(-file_pages // piece_pages)
    order = rng.permuted(np.tile(np.arange(threads), (pieces, 1)), axis=1)  # [round][turn] = file
    lengths = np.full(pieces, piece_pages)
    lengths[-1:] = file_pages - (pieces - 1) * piece_pages
    round_start = np.concatenate(([0], np.cumsum(lengths[:-1] * threads)))
    start = np.empty((threads, pieces), np.int64)
    turns = np.arange(threads)
    for number in range(pieces):
        start[order[number], number] = round_start[number] + turns * lengths[number]
    return start
