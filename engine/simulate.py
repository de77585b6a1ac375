"""One point of a sweep: build the machine, run it, measure it."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.core import calendar, request_pool, request_queue
from engine.core.checks import Breach
from engine.core.elevators import ELEVATORS
from engine.core.histogram import percentile_ns
from engine.core.loop import run
from engine.core.pools import POOLS, slots_for
from engine.core.readahead import ReadAhead
from engine.core.records import (
    NONE,
    PAGE,
    STATE,
    DriveOrder,
    Driver,
    Event,
    Pattern,
    new_record,
)
from engine.devices import load_device
from engine.errors import UserError
from engine.parameters import AUTO
from engine.resolve import PAGE_KIB, Settings, resolve
from engine.results import COLUMNS

SECTORS_PER_MIB = 2048
START_SPREAD_NS = 10_000_000  # threads set off within the first 10 ms, in an order of chance
MIB = 2**20


class EngineError(Exception):
    """A run broke a rule of conservation: a defect of the engine, never of the input."""


def simulate(point: Mapping[str, Any]) -> dict[str, Any]:
    """Run one point and return its row, keyed as `engine.results.COLUMNS`.

    Raises UserError for an impossible point and EngineError if the run breaks conservation.
    """
    settings = resolve(point)
    return row_of(settings, simulate_state(settings))


def simulate_state(settings: Settings) -> np.record:
    """Run the machine that `settings` describes; returns its final STATE."""
    bus = settings["bus_mb_s"]
    device = load_device(settings["disk"], bus_mb_s=None if bus == AUTO else bus)
    rng = np.random.default_rng(
        np.random.SeedSequence(settings["seed"], spawn_key=(settings["run"],))
    )
    state = build_state(settings, device.record, rng)
    pages = np.zeros(settings["threads"] * settings.file_pages, PAGE).view(np.recarray)
    end_sector = state.machine.data_start_sector + pages.size * 8
    if end_sector > device.capacity_sectors:
        raise UserError(
            f"size_mib: the files end {end_sector // SECTORS_PER_MIB} MiB into the disk, but "
            f"{settings['disk']} holds {device.capacity_sectors // SECTORS_PER_MIB} MiB"
        )
    with np.errstate(over="ignore"):  # the random stream wraps around, as it should
        breach = run(state, pages, lay_out(settings, rng), device.tables)
    if breach != Breach.NOTHING:
        raise EngineError(f"conservation broken: {Breach(breach).name} in {dict(settings.values)}")
    return state


def build_state(settings: Settings, device: np.record, rng: np.random.Generator) -> np.record:
    """A STATE at time 0, with the start of every thread on the calendar."""
    state = new_record(STATE)
    state.disk = device
    _set_queue(state, settings)
    _set_machine(state, settings)
    starts_ns = rng.integers(0, START_SPREAD_NS, settings["threads"])
    seeds = rng.integers(0, 2**63, settings["threads"])
    for number in range(settings["threads"]):
        thread = state.threads[number]
        thread.calls_left = settings.calls_per_thread
        thread.random = seeds[number]
        thread.readahead.version = ReadAhead[settings["readahead"].upper()]
        calendar.schedule(state.machine, starts_ns[number], Event.START, number)
    return state


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
    machine.threads = machine.threads_alive = settings["threads"]
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
    machine.file_pages = settings.file_pages
    machine.piece_pages = settings["allocation_chunk_kib"] // PAGE_KIB or settings.file_pages
    machine.pieces_per_file = -(-machine.file_pages // machine.piece_pages)
    machine.data_start_sector = settings["data_start_mib"] * SECTORS_PER_MIB
    machine.readahead_pages = settings["readahead_pages"]
    machine.readahead_min_pages = settings["readahead_min_pages"]


def lay_out(settings: Settings, rng: np.random.Generator) -> np.ndarray:
    """Where each piece of each file begins, in pages from the start of the data.

    Files written at the same time interleave: in every round each file gets one piece, in an order of
    chance. Shape (threads * pieces per file,), file by file.
    """
    threads, file_pages = settings["threads"], settings.file_pages
    piece_pages = min(settings["allocation_chunk_kib"] // PAGE_KIB or file_pages, file_pages)
    pieces = -(-file_pages // piece_pages)
    order = rng.permuted(np.tile(np.arange(threads), (pieces, 1)), axis=1)  # [round][turn] = file
    lengths = np.full(pieces, piece_pages)
    lengths[-1] = file_pages - (pieces - 1) * piece_pages
    round_start = np.concatenate(([0], np.cumsum(lengths[:-1] * threads)))
    start = np.empty((threads, pieces), np.int64)
    turns = np.arange(threads)
    for number in range(pieces):
        start[order[number], number] = round_start[number] + turns * lengths[number]
    return start.reshape(-1)


def row_of(settings: Settings, state: np.record) -> dict[str, Any]:
    """What a finished run measured, keyed as `engine.results.COLUMNS`."""
    row = {
        **_identity(settings),
        **_calls(settings, state),
        **_finishes(settings, state),
        **_queue(state),
        **_device(state),
        "remark": settings.remark,
    }
    return {column.name: column.kind(row[column.name]) for column in COLUMNS}


def _identity(settings: Settings) -> dict[str, Any]:
    names = ("kernel", "machine", "workload", "threads", "run", "seed", "elevator")
    values = ("read_latency", "write_latency", "queue_size", "batch_requests", "max_sectors")
    return {
        **{name: settings[name] for name in (*names, *values)},
        "overrides": json.dumps(dict(settings.overrides), sort_keys=True),
        "read_slots": settings.read_slots,
    }


def _calls(settings: Settings, state: np.record) -> dict[str, Any]:
    measures, duration_ns = state.measures, state.machine.now_ns
    calls = int(measures.calls)
    read_mib = calls * settings["block_kib"] / 1024
    percentiles = {"p50": 50, "p90": 90, "p99": 99, "p999": 99.9, "p9999": 99.99}
    return {
        "duration_s": duration_ns / 1e9,
        "read_calls": calls,
        "read_mib": read_mib,
        "read_mib_s": read_mib / (duration_ns / 1e9),
        "read_mean_ms": measures.call_ns / calls / 1e6,
        "read_max_ms": measures.call_max_ns / 1e6,
        **{
            f"read_{name}_ms": percentile_ns(measures.histogram, percent) / 1e6
            for name, percent in percentiles.items()
        },
        "read_over_2s_pct": 100 * measures.over_2s / calls,
        "read_over_10s_pct": 100 * measures.over_10s / calls,
    }


def _finishes(settings: Settings, state: np.record) -> dict[str, Any]:
    finish_s = state.threads["finish_ns"][: settings["threads"]] / 1e9
    rates = 1 / finish_s
    return {
        "fairness_jain": rates.sum() ** 2 / (rates.size * (rates**2).sum()),
        "finish_first_s": finish_s.min(),
        "finish_mean_s": finish_s.mean(),
        "finish_last_s": finish_s.max(),
        "finish_mean_over_duration": finish_s.mean() / (state.machine.now_ns / 1e9),
    }


def _queue(state: np.record) -> dict[str, Any]:
    measures = state.measures
    completed = int(measures.completed)
    return {
        "requests": completed,
        "merges": int(measures.merges),
        "request_mean_kib": measures.completed_sectors / completed / 2,
        "requests_per_reader": measures.page_wait_requests / max(1, measures.page_waits),
        "queue_mean_requests": measures.length_area / state.machine.now_ns,
        "queue_max_requests": int(measures.length_max),
        "queue_mean_ms": measures.queue_ns / completed / 1e6,
        "device_mean_ms": measures.device_ns / completed / 1e6,
        "slot_sleeps": int(measures.slot_sleeps),
        "slot_sleep_max_ms": measures.slot_sleep_max_ns / 1e6,
        "requests_expired": int(measures.expired),
    }


def _device(state: np.record) -> dict[str, Any]:
    counters, duration_ns = state.disk.counters, state.machine.now_ns
    seeks = int(counters.seeks)
    return {
        "device_busy_pct": 100 * counters.busy_ns / duration_ns,
        "device_seeks": seeks,
        "seek_mean_cylinders": counters.seek_cylinders / max(1, seeks),
        "device_seek_pct": 100 * counters.seek_ns / duration_ns,
        "device_rotation_pct": 100 * counters.rotation_ns / duration_ns,
        "device_transfer_pct": 100 * counters.transfer_ns / duration_ns,
    }
