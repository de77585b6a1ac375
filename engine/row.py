"""What a finished run measured, as one row of the results."""

import json
from typing import Any

import numpy as np

from engine.core.histogram import percentile_ns
from engine.resolve import Settings
from engine.results import COLUMNS

PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "p999": 99.9, "p9999": 99.99}


def row_of(settings: Settings, state: np.record) -> dict[str, Any]:
    """What a finished run measured, keyed as `engine.results.COLUMNS`."""
    row = {
        **_identity(settings),
        "duration_s": state.machine.now_ns / 1e9,
        **_calls(settings, state, "read"),
        **_calls(settings, state, "write"),
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


def _calls(settings: Settings, state: np.record, direction: str) -> dict[str, Any]:
    """What the calls of a direction, `read` or `write`, took."""
    measured, duration_s = getattr(state.measures, f"{direction}s"), state.machine.now_ns / 1e9
    calls = int(measured["count"])
    mib = calls * settings["block_kib"] / 1024
    each = max(1, calls)  # where nobody writes, all is 0
    values = {
        "calls": calls,
        "mib": mib,
        "mib_s": mib / duration_s,
        "mean_ms": measured.sum_ns / each / 1e6,
        "max_ms": measured.max_ns / 1e6,
        **{
            f"{name}_ms": percentile_ns(measured.histogram, percent) / 1e6 if calls else 0.0
            for name, percent in PERCENTILES.items()
        },
        "over_2s_pct": 100 * measured.over_2s / each,
        "over_10s_pct": 100 * measured.over_10s / each,
    }
    return {f"{direction}_{name}": value for name, value in values.items()}


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
