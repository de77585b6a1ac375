"""What a finished run measured, as one row of the results."""

import json
from typing import Any

import numpy as np

from engine.core.histogram import bucket_bounds_ns, percentile_ns
from engine.core.kinds import Stage
from engine.core.measures import background_rest_ns
from engine.resolve import Settings
from engine.results import COLUMNS

MIB = 2**20
PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "p999": 99.9, "p9999": 99.99}


def row_of(settings: Settings, state: np.record) -> dict[str, Any]:
    """What a finished run measured, keyed as `engine.results.COLUMNS`."""
    row = {
        **_identity(settings),
        "duration_s": _duration_s(state),
        **_calls(state, "read"),
        **_calls(state, "write"),
        **_calls(state, "round"),
        **_calls(state, "background_read"),
        **_calls(state, "background_write"),
        "background_rounds": int(state.measures.background_rounds),
        "cpu_pct": state.measures.cpu_ns / 1e7 / _duration_s(state),
        "background_cpu_pct": _background_cpu_ns(state) / 1e7 / _duration_s(state),
        **_finishes(settings, state),
        "classes": json.dumps(_classes(settings, state)),
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


def _calls(state: np.record, whose: str) -> dict[str, Any]:
    """What calls took; `whose` is one of the kinds that are measured, such as `read`."""
    measured = getattr(state.measures, f"{whose}s")
    calls, mib = int(measured["count"]), measured["bytes"] / MIB
    each = max(1, calls)  # where nobody calls, all is 0
    values = {
        "calls": calls,
        "mib": mib,
        "mib_s": mib / _duration_s(state),
        "mean_ms": measured.sum_ns / each / 1e6,
        "max_ms": measured.max_ns / 1e6,
        **{
            # the middle of the last bucket may lie beyond the longest call
            f"{name}_ms": min(percentile_ns(measured.histogram, percent), measured.max_ns) / 1e6
            for name, percent in PERCENTILES.items()
        },
        "over_100ms_pct": _share_over(measured, 1e8, each),
        "over_1s_pct": _share_over(measured, 1e9, each),
        "over_2s_pct": 100 * measured.over_2s / each,
        "over_10s_pct": 100 * measured.over_10s / each,
        "over_500s_pct": _share_over(measured, 5e11, each),
    }
    return {f"{whose}_{name}": value for name, value in values.items()}


def _share_over(measured: np.record, time_ns: float, calls: int) -> float:
    """Share in % of the calls that took longer, to the width of a bucket."""
    over = bucket_bounds_ns()[:-1] >= time_ns
    return 100 * int(measured.histogram[over].sum()) / calls


def _duration_s(state: np.record) -> float:
    """Of what was measured."""
    return (state.machine.now_ns - state.measures.since_ns) / 1e9


def _background_cpu_ns(state: np.record) -> int:
    """Without what is left at the end of bursts, which were noted in full."""
    return int(state.measures.background_cpu_ns) - int(background_rest_ns(state))


def _finishes(settings: Settings, state: np.record) -> dict[str, Any]:
    foreground = settings.plan.foreground
    finish_s = (state.threads["finish_ns"][:foreground] - state.measures.since_ns) / 1e9
    rates = 1 / finish_s[finish_s > 0]  # who has nothing to do in a phase is done at once
    return {
        "fairness_jain": rates.sum() ** 2 / (rates.size * (rates**2).sum()),
        "finish_first_s": finish_s.min(),
        "finish_mean_s": finish_s.mean(),
        "finish_last_s": finish_s.max(),
        "finish_mean_over_duration": finish_s.mean() / _duration_s(state),
    }


def _classes(settings: Settings, state: np.record) -> dict[str, dict[str, Any]]:
    """Threads, finishes, rounds and beats of each class, by its name; None for what did not happen."""
    told, first = {}, 0
    for one in settings.plan.classes:
        threads = state.threads[first : first + one.threads]
        done = threads["stage"] == Stage.DONE
        finish_s = (threads["finish_ns"][done] - state.measures.since_ns) / 1e9
        rounds, rounds_s = int(threads["rounds_done"].sum()), int(threads["rounds_ns"].sum()) / 1e9
        beats = any(step.is_beat for step in one.program)
        told[one.name] = {
            "threads": one.threads,
            "finished": int(done.sum()),
            "finish_first_s": float(finish_s.min()) if done.any() else None,
            "finish_mean_s": round(float(finish_s.mean()), 9) if done.all() else None,
            "finish_last_s": float(finish_s.max()) if done.all() else None,
            "rounds": rounds,
            "round_mean_s": round(rounds_s / rounds, 9) if rounds else None,
            "late_s": int(threads["late_ns"].sum()) / 1e9 if beats else None,
        }
        first += one.threads
    return told


def _queue(state: np.record) -> dict[str, Any]:
    measures = state.measures
    completed = int(measures.completed - measures.completed_before)
    each = max(1, completed)  # all may have been in the cache
    return {
        "requests": completed,
        "merges": int(measures.merges - measures.merges_before),
        "request_mean_kib": measures.completed_sectors / each / 2,
        "requests_per_reader": measures.page_wait_requests / max(1, measures.page_waits),
        "queue_mean_requests": measures.length_area / 1e9 / _duration_s(state),
        "queue_max_requests": int(measures.length_max),
        "queue_mean_ms": measures.queue_ns / each / 1e6,
        "device_mean_ms": measures.device_ns / each / 1e6,
        "slot_sleeps": int(measures.slot_sleeps),
        "slot_sleep_max_ms": measures.slot_sleep_max_ns / 1e6,
        "requests_expired": int(measures.expired),
    }


def _device(state: np.record) -> dict[str, Any]:
    """Shares are means over the disks."""
    disks = state.disks[: int(state.machine.disks)]
    counters = disks["counters"]
    all_ns = 1e9 * _duration_s(state) * len(disks)
    # What a disk is at when the run ends was counted in full. Of it the transfer comes last, the seek first.
    late_ns = np.maximum(0, disks["write_cache"]["media_ns"] - state.machine.now_ns)
    pct = {"busy": 100 * (counters["busy_ns"] - late_ns).sum() / all_ns}
    for part in ("transfer", "rotation", "seek"):
        cut_ns = np.minimum(late_ns, counters[f"{part}_ns"])
        pct[part] = 100 * (counters[f"{part}_ns"] - cut_ns).sum() / all_ns
        late_ns -= cut_ns
    seeks = int(counters["seeks"].sum())
    return {
        "device_busy_pct": pct["busy"],
        "device_seeks": seeks,
        "seek_mean_cylinders": counters["seek_cylinders"].sum() / max(1, seeks),
        "device_seek_pct": pct["seek"],
        "device_rotation_pct": pct["rotation"],
        "device_transfer_pct": pct["transfer"],
    }
