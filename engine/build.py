"""Build the machine a run begins with: its STATE at time 0, and where its files lie."""

import numpy as np

from engine.core import calendar, request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.pools import POOLS, slots_for
from engine.core.readahead import ReadAhead
from engine.core.records import NONE, STATE, DriveOrder, Driver, Event, Pattern, new_record
from engine.resolve import Settings

SECTORS_PER_MIB = 2048
START_SPREAD_NS = 10_000_000  # threads set off within the first 10 ms, in an order of chance


def build_state(settings: Settings, device: np.record, rng: np.random.Generator) -> np.record:
    """A STATE at time 0, with the start of every thread on the calendar."""
    state = new_record(STATE)
    state.disk = device
    _set_queue(state, settings)
    _set_machine(state, settings)
    threads = settings["threads"] + settings["writers"]
    starts_ns = rng.integers(0, START_SPREAD_NS, threads)
    seeds = rng.integers(0, 2**63, threads)
    for number in range(threads):
        thread = state.threads[number]
        thread.random = seeds[number]
        thread.writes = number >= settings["threads"]
        if not thread.writes:
            thread.calls_left = settings.calls_per_thread
            thread.readahead.version = ReadAhead[settings["readahead"].upper()]
        _set_file(thread, settings, number)
        calendar.schedule(state.machine, starts_ns[number], Event.START, number)
    return state


def _set_file(thread: np.record, settings: Settings, number: int) -> None:
    """The file of thread `number`, in the order of `lay_out`; a writer's is in one piece."""
    file, pieces = thread.file, settings.pieces_per_file
    if thread.writes:
        file.pages = file.piece_pages = settings.writer_pages
        file.first_piece = settings["threads"] * pieces + number - settings["threads"]
    else:
        file.pages, file.piece_pages = settings.file_pages, settings.piece_pages
        file.first_piece = number * pieces


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
    machine.threads = settings["threads"] + settings["writers"]
    machine.readers_alive = settings["threads"]
    machine.driver = Driver[settings["driver"].upper()]
    machine.release_at_dispatch = (
        settings["driver"] == "scsi" and settings["slot_release"] == "dispatch"
    )
    machine.queue_depth = settings["queue_depth"]
    machine.drive_order = DriveOrder[settings["drive_order"].upper()]
    machine.served = NONE
    machine.call_ns = round(settings["call_us"] * 1000)
    machine.page_ns = round(settings["page_us"] * 1000)
    machine.pattern = Pattern[settings.pattern.upper()]
    machine.block_bytes = settings["block_kib"] * 1024
    machine.data_start_sector = settings["data_start_mib"] * SECTORS_PER_MIB
    machine.readahead_pages = settings["readahead_pages"]
    machine.readahead_min_pages = settings["readahead_min_pages"]


def lay_out(settings: Settings, rng: np.random.Generator) -> np.ndarray:
    """Where each piece of each file begins, in pages from the start of the data.

    Files written at the same time interleave: in every round each file gets one piece, in an order of
    chance. Behind them lie the writers' files. Shape (threads * pieces per file + writers,), file by file.
    """
    threads, pieces = settings["threads"], settings.pieces_per_file
    order = rng.permuted(np.tile(np.arange(threads), (pieces, 1)), axis=1)  # [round][turn] = file
    lengths = np.full(pieces, settings.piece_pages)
    lengths[-1] = settings.file_pages - (pieces - 1) * settings.piece_pages
    round_start = np.concatenate(([0], np.cumsum(lengths[:-1] * threads)))
    start = np.empty((threads, pieces), np.int64)
    turns = np.arange(threads)
    for number in range(pieces):
        start[order[number], number] = round_start[number] + turns * lengths[number]
    behind = threads * settings.file_pages
    written = behind + np.arange(settings["writers"]) * settings.writer_pages
    return np.concatenate((start.reshape(-1), written))
