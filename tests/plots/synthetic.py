"""A sweep.csv made from a formula instead of a simulation: six trees, two machines, three runs."""

import json

import pandas as pd

from engine.results import COLUMNS

POOLS = {  # kernel -> slots a read may use, batch
    "2.4.18": (64, 32),
    "2.4.19": (64, 32),
    "2.4.19-pre5": (64, 32),
    "2.4.18-ac-rmap12": (384, 192),
    "2.4.19-pre5-read_latency2": (384, 32),
    "2.5.7": (128, 32),
    "2.4.0": (256, 1),
}
TREES = tuple(POOLS)[:6]
THREADS = (1, 8, 16, 32, 64, 128, 256)
SEQUENTIAL, RANDOM = "tiobench_sequential_read", "tiobench_random_read"


def run(sweep, kernel, machine, workload, threads, number, overrides):
    """One row of sweep.csv: a wait that jumps where demand reaches the slots and the batch is large."""
    slots, batch = POOLS[kernel]
    if "queue_size" in overrides:
        slots = overrides["queue_size"] // 2
        batch = min(32, slots // 2)
    spread = 1 + 0.1 * (number - 2)
    per_reader = 3.0 if workload == SEQUENTIAL else 1.02
    starves = threads * per_reader >= slots and batch / slots > 0.15
    worst_s = (60 + threads / 4) * spread if starves else 0.03 * threads * spread
    row = {column.name: "" if column.kind is str else column.kind(0) for column in COLUMNS}
    return row | {
        "sweep": sweep,
        "kernel": kernel,
        "machine": machine,
        "workload": workload,
        "threads": threads,
        "run": number,
        "seed": 1,
        "overrides": json.dumps(overrides, sort_keys=True),
        "read_latency": overrides.get("read_latency", 8192),
        "queue_size": 2 * slots,
        "read_slots": slots,
        "batch_requests": batch,
        "requests_per_reader": per_reader,
        "read_mib_s": (12 if machine == "k6-2" else 31) * spread,
        "read_max_ms": 1000 * worst_s,
        "read_over_2s_pct": 0.02 if worst_s > 2 else 0.0,
        "read_over_10s_pct": 0.01 if worst_s > 10 else 0.0,
    }


def synthetic_sweep(kernels=TREES, threads=THREADS, runs=(1, 2, 3)):
    """The four sweeps of trees and one over queue_size."""
    rows = [
        run(workload[9:12] + machine, kernel, machine, workload, count, number, overrides)
        for workload in (SEQUENTIAL, RANDOM)
        for machine, overrides in (("k6-2", {}), ("quad_xeon", {"size_mib": 8192}))
        for kernel in kernels
        for count in threads
        for number in runs
    ]
    rows += [
        run("queue_size", "2.4.19-pre5", "k6-2", SEQUENTIAL, count, number, {"queue_size": size})
        for size in (32, 64, 128, 256, 512)
        for count in threads
        for number in runs
    ]
    return table(rows)


def two_readers_sweep():
    """Two sequential readers, who starve in one kernel."""
    chunk = {"allocation_chunk_kib": 0}
    rows = [
        run("two", kernel, "k6-2", SEQUENTIAL, 2, number, chunk)
        | {"duration_s": 15.0, "read_max_ms": 7400.0 if kernel == "2.4.0" else 20.0 + number}
        for kernel in ("2.4.0", "2.4.18")
        for number in (1, 2, 3)
    ]
    return table(rows)


def trade_off_sweep():
    """Readers beside a writer: one kernel with a knee at 64, one whose knob decides nothing."""
    rates = {2: 2.0, 64: 9.0, 2048: 9.5}
    rows = [
        run("elvtune", kernel, "k6-2", "readers_beside_a_writer", 4, 1, {"read_latency": value})
        | {"read_mean_ms": 0.5 * time, "read_p99_ms": time, "read_max_ms": 2 * time}
        | {"background_write_mib_s": rates[value] if kernel == "2.4.18" else 5.0}
        for kernel in ("2.4.18", "2.5.7")
        for value, time in ((2, 50.0), (64, 100.0), (2048, 3000.0))
    ]
    return table(rows)


def typing_sweep():
    """Users beside a writer: one kernel answers sooner the fewer its passovers, and the load pays for it."""
    rows = [
        run("typing", kernel, "k6-2", "interactive", 4, 1, {"read_latency": value})
        | {"round_p50_ms": 0.2 * time, "round_p99_ms": time, "round_max_ms": 2 * time}
        | {"round_over_100ms_pct": min(100.0, time / 40), "background_write_mib_s": 5 + rate}
        for kernel, rate in (("2.4.18", 4.0), ("2.5.7", 1.0))
        for value, time in ((0, 40.0), (64, 100.0), (2048, 3000.0))
    ]
    return table(rows)


def table(rows):
    """Rows as a sweep.csv has them."""
    return pd.DataFrame(rows, columns=["sweep", *(column.name for column in COLUMNS)])
