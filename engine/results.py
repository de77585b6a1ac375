"""Every column of the results, declared once: writer, reader, docs and axis labels read this table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """One column of `sweep.csv`: its unit, its type and its meaning."""

    name: str
    unit: str
    kind: type
    text: str


# Identity of a run, then the resolved values of its presets, then what was measured.
COLUMNS = (
    Column("kernel", "", str, "Kernel preset."),
    Column("machine", "", str, "Machine preset."),
    Column("workload", "", str, "Workload preset."),
    Column("threads", "threads", int, "Threads reading at the same time; writers are not counted."),
    Column("run", "", int, "Number of the run."),
    Column("overrides", "", str, "Values that differ from the presets, as JSON with sorted keys."),
    Column("seed", "", int, "Root of the random streams."),
    Column("elevator", "", str, "Elevator generation."),
    Column("read_latency", "passovers", int, "How often a queued read may be overtaken."),
    Column("write_latency", "passovers", int, "How often a queued write may be overtaken."),
    Column("queue_size", "requests", int, "Slots of the request pool, both directions."),
    Column("read_slots", "requests", int, "Slots a read may use."),
    Column("batch_requests", "requests", int, "Free slots of a direction at which sleepers wake."),
    Column("max_sectors", "sectors", int, "Largest request merging may build."),
    Column("duration_s", "s", float, "First call to the end of the last reader."),
    Column("read_calls", "calls", int, "read() calls."),
    Column("read_mib", "MiB", float, "Bytes returned by read()."),
    Column("read_mib_s", "MiB/s", float, "Bytes over the time until the last thread is done."),
    Column("read_mean_ms", "ms", float, "Mean time of a read() call."),
    Column("read_max_ms", "ms", float, "Longest read() call."),
    Column("read_p50_ms", "ms", float, "Median read() call."),
    Column("read_p90_ms", "ms", float, "90th percentile of read() calls."),
    Column("read_p99_ms", "ms", float, "99th percentile of read() calls."),
    Column("read_p999_ms", "ms", float, "99.9th percentile of read() calls."),
    Column("read_p9999_ms", "ms", float, "99.99th percentile of read() calls."),
    Column("read_over_2s_pct", "%", float, "Calls longer than 2 s (tiobench Lat% > 2 s)."),
    Column("read_over_10s_pct", "%", float, "Calls longer than 10 s (tiobench Lat% > 10 s)."),
    Column("read_over_500s_pct", "%", float, "Calls longer than 500 s, to 1.6 %."),
    Column("write_calls", "calls", int, "write() calls; without any, all of write_... is 0."),
    Column("write_mib", "MiB", float, "Bytes taken by write()."),
    Column("write_mib_s", "MiB/s", float, "Bytes over the duration, in which an fsync counts."),
    Column("write_mean_ms", "ms", float, "Mean time of a write() call."),
    Column("write_max_ms", "ms", float, "Longest write() call."),
    Column("write_p99_ms", "ms", float, "99th percentile of write() calls."),
    Column("write_over_2s_pct", "%", float, "Calls longer than 2 s."),
    Column("write_over_10s_pct", "%", float, "Calls longer than 10 s."),
    Column("round_calls", "rounds", int, "Rounds of the outermost loops of the threads a run waits for."),
    Column("round_mean_ms", "ms", float, "Mean time of a round, from the end of its last pause."),
    Column("round_max_ms", "ms", float, "Longest round."),
    Column("round_p50_ms", "ms", float, "Median round."),
    Column("round_p90_ms", "ms", float, "90th percentile of rounds."),
    Column("round_p99_ms", "ms", float, "99th percentile of rounds."),
    Column("round_over_100ms_pct", "%", float, "Rounds longer than 0.1 s."),
    Column("round_over_1s_pct", "%", float, "Rounds longer than 1 s."),
    Column("round_over_10s_pct", "%", float, "Rounds longer than 10 s."),
    Column("background_read_mib_s", "MiB/s", float, "Read by threads nobody waits for."),
    Column("background_write_mib_s", "MiB/s", float, "Written by threads nobody waits for."),
    Column("background_write_max_ms", "ms", float, "Longest of their write() calls."),
    Column("background_rounds", "rounds", int, "Rounds of their programs that were completed."),
    Column("cpu_pct", "%", float, "Processor time of the threads a run waits for, over the duration; two processors make 200."),
    Column("background_cpu_pct", "%", float, "The same of the others."),
    Column("fairness_jain", "", float, "Jain's index of the threads' own rates; 1 is equal."),
    Column("finish_first_s", "s", float, "When the first thread was done."),
    Column("finish_mean_s", "s", float, "Mean over the threads of when they were done."),
    Column("finish_last_s", "s", float, "When the last thread was done."),
    Column("finish_mean_over_duration", "", float, "Mean finish time over run time."),
    Column("classes", "", str, "Each class of threads by name, as JSON: threads, finished (how many), finish_first_s, finish_mean_s, finish_last_s, rounds (of outermost loops), round_mean_s (without their last pause), late_s (by how much they missed their beat, see `ahead`); null is what did not come to an end."),
    Column("requests", "requests", int, "Requests the device served."),
    Column("merges", "merges", int, "Buffers merged into a queued request."),
    Column("request_mean_kib", "KiB", float, "Mean size of a request."),
    Column("requests_per_reader", "requests", float, "Mean requests queued, in service or asked for, per thread still running."),
    Column("queue_mean_requests", "requests", float, "Mean length of the queue over time."),
    Column("queue_max_requests", "requests", int, "Longest the queue has been."),
    Column("queue_mean_ms", "ms", float, "Mean Q2D: queued until handed to the device."),
    Column("device_mean_ms", "ms", float, "Mean D2C: handed to the device until complete."),
    Column("slot_sleeps", "sleeps", int, "Times a thread slept for a request slot."),
    Column("slot_sleep_max_ms", "ms", float, "Longest sleep for a request slot."),
    Column("requests_expired", "requests", int, "Requests that left the queue with their passovers used up."),
    Column("device_busy_pct", "%", float, "Share of what is measured the device had a request or its media were at work; of what goes on beyond either end, what lies within."),
    Column("device_seeks", "seeks", int, "Requests that moved the arm; of cached writes, tracks."),
    Column("seek_mean_cylinders", "cylinders", float, "Mean distance of those movements."),
    Column("device_seek_pct", "%", float, "Share spent in seeks; a request that is served when the phase measured begins counts as busy alone."),
    Column("device_rotation_pct", "%", float, "Share spent waiting for the sector."),
    Column("device_transfer_pct", "%", float, "Share spent moving data."),
    Column("remark", "", str, "What a reader of this row must know, such as a stand-in value."),
)  # fmt: skip

COLUMN = {column.name: column for column in COLUMNS}


def axis_label(name: str) -> str:
    """Name and unit as they stand on an axis, such as `read_max_ms [ms]`."""
    unit = COLUMN[name].unit
    return f"{name} [{unit}]" if unit else name
