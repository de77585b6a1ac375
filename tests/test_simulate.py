"""Whole runs against queueing theory and arithmetic, and the promise that a run is a function of its point."""

from typing import Any

import numpy as np
import pytest
import yaml

from engine import presets
from engine import simulate as simulate_module
from engine.core.checks import Breach
from engine.devices import PRESETS
from engine.errors import UserError
from engine.layout import lay_out
from engine.resolve import Settings, resolve
from engine.results import COLUMNS
from engine.row import row_of
from engine.simulate import EngineError, simulate, simulate_state

POINT = {"kernel": "2.4.19-pre5", "machine": "k6-2", "workload": "tiobench_sequential_read"}
SMALL = POINT | {"threads": 8, "size_mib": 16}
RANDOM = POINT | {"workload": "tiobench_random_read"}

SERVICE_MS = 2.0
START_SPREAD_S = 0.01  # within which the threads set off

# Nothing takes time but the server; every call is a request.
CLOSED_LOOP = RANDOM | {
    "elevator": "noop",
    "call_us": 0,
    "page_us": 0,
    "readahead_pages": 0,
    "readahead_min_pages": 0,
    "size_mib": 512,
    "allocation_chunk_kib": 0,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A device with one service time."""
    path = tmp_path_factory.mktemp("server") / "server.yaml"
    path.write_text(
        f"{{schema: fixed-service/1, name: Server, capacity_sectors: {2**24}, service_ms: {SERVICE_MS}}}"
    )
    return str(path)


def finished(point: dict[str, Any]) -> tuple[Settings, np.record, dict[str, Any]]:
    settings = resolve(point)
    state = simulate_state(settings)
    return settings, state, row_of(settings, state)


@pytest.mark.parametrize("threads", [1, 2, 16, 64])
def test_a_closed_loop_keeps_its_server_busy_and_obeys_littles_law(
    server: str, threads: int
) -> None:
    """N readers, one server, no thinking: utilisation 1, throughput 1 / S, each read takes N x S."""
    point = CLOSED_LOOP | {"disk": server, "threads": threads, "operations": 200 * threads}
    _, state, row = finished(point)
    assert row["merges"] == row["slot_sleeps"] == 0
    busy_s = row["requests"] * SERVICE_MS / 1000
    assert busy_s <= row["duration_s"] <= busy_s + START_SPREAD_S
    assert row["device_busy_pct"] == pytest.approx(100 * busy_s / row["duration_s"])
    # Little, over the whole run and exactly: time in the queue is the queue's length summed over time.
    measures = state.measures
    assert measures.length_area == measures.queue_ns + measures.device_ns == measures.reads.sum_ns
    # A read of a page that is there already takes no time.
    mean_ms = measures.reads.sum_ns / row["requests"] / 1e6
    assert mean_ms == pytest.approx(threads * SERVICE_MS, rel=0.04)
    assert row["queue_max_requests"] == threads
    assert row["queue_mean_requests"] == pytest.approx(threads, rel=0.04)
    assert row["device_mean_ms"] == pytest.approx(SERVICE_MS)
    assert row["fairness_jain"] == pytest.approx(1, abs=0.01)


def test_a_drive_with_depth_holds_requests_that_left_the_queue(server: str) -> None:
    """SCSI, 16 readers, depth 4: 4 in the drive, 12 in the queue."""
    scsi = {"driver": "scsi", "queue_depth": 4, "drive_order": "fcfs"}
    _, state, row = finished(
        CLOSED_LOOP | scsi | {"disk": server, "threads": 16, "operations": 4800}
    )
    measures = state.measures
    assert measures.length_area == measures.queue_ns
    assert measures.reads.sum_ns == measures.queue_ns + measures.device_ns
    assert row["queue_mean_requests"] == pytest.approx(12, rel=0.03)
    assert row["queue_mean_ms"] == pytest.approx(12 * SERVICE_MS, rel=0.03)
    assert row["device_mean_ms"] == pytest.approx(4 * SERVICE_MS, rel=0.03)


def test_fewer_slots_than_readers_serve_as_many_calls(server: str) -> None:
    """The slots bound the queue; whoever has none sleeps, and nothing is lost."""
    slots = {"queue_size": 8, "threads": 16, "operations": 1600}
    _, state, row = finished(CLOSED_LOOP | slots | {"disk": server})
    assert row["read_calls"] == 1600
    assert row["queue_max_requests"] == 4
    assert row["slot_sleeps"] > 0
    assert row["slot_sleep_max_ms"] <= row["read_max_ms"]
    busy_s = row["requests"] * SERVICE_MS / 1000
    assert busy_s <= row["duration_s"] <= busy_s + START_SPREAD_S
    assert (state.pool.free == state.pool.slots).all()


def test_thinking_time_leaves_the_server_idle(server: str) -> None:
    """One reader with 3 ms of his own for each call of 2 ms at the server: busy 40 % of the time."""
    point = CLOSED_LOOP | {"disk": server, "threads": 1, "operations": 500, "call_us": 3000}
    row = simulate(point)
    assert row["device_busy_pct"] == pytest.approx(40, abs=0.5)


# Share of the mean that the sample of 4000 requests may be off by: over four standard errors.
TOLERANCE = 0.02


@pytest.mark.parametrize("disk", ["ide_40gb_2001", "seagate_cheetah_9lp"])
def test_random_reads_take_seek_half_a_revolution_transfer_and_overhead(disk: str) -> None:
    """One reader of single blocks all over 8 GiB; the parts are worked out from the disk's file."""
    point = CLOSED_LOOP | {"disk": disk, "threads": 1, "size_mib": 8192, "bus_mb_s": 100}
    _, state, row = finished(point)
    file = yaml.safe_load((PRESETS / f"{disk}.yaml").read_text())
    assert row["requests"] > 3950
    assert state.measures.completed_sectors == 8 * row["requests"]
    revolution_ms = file["mechanics"]["revolution_ms"]
    expected_ms = (
        mean_seek_ms(file, 8192 * 2048)
        + revolution_ms / 2
        + mean_transfer_ms(file, 8192 * 2048)
        + 512 / 100e3  # the last sector on the bus
        + file["overheads_ms"]["read_miss_after_read"]
    )
    assert row["device_mean_ms"] == pytest.approx(expected_ms, rel=TOLERANCE)
    assert state.disks[0].counters.rotation_ns / row["requests"] / 1e6 == pytest.approx(
        revolution_ms / 2, rel=2 * TOLERANCE
    )


def sample(file: dict[str, Any], sectors: int) -> tuple[np.ndarray, np.ndarray]:
    """Cylinder and zone of 200,000 sectors drawn from the first `sectors`; spares and slips left out."""
    first, last, track = (
        np.array([zone[key] for zone in file["zones"]])
        for key in ("first_cyl", "last_cyl", "sectors_per_track")
    )
    cylinder_sectors = track * file["geometry"]["heads"]
    start = np.concatenate(([0], np.cumsum((last + 1 - first) * cylinder_sectors)[:-1]))
    drawn = np.random.default_rng(1).integers(0, sectors, 200_000)
    zone = np.searchsorted(start, drawn, side="right") - 1
    return first[zone] + (drawn - start[zone]) // cylinder_sectors[zone], zone


def mean_seek_ms(file: dict[str, Any], sectors: int) -> float:
    cylinder, _ = sample(file, sectors)
    distance = np.abs(np.diff(cylinder))
    cylinders, seek_ms = np.array(file["mechanics"]["seek"]["points_cyl_ms"]).T
    return np.where(distance == 0, 0, np.interp(distance, cylinders, seek_ms)).mean()


def mean_transfer_ms(file: dict[str, Any], sectors: int) -> float:
    """Of 8 sectors, with the skew where a track ends between them."""
    _, zone = sample(file, sectors)
    track, skew = (
        np.array([zone[key] for zone in file["zones"]])
        for key in ("sectors_per_track", "track_skew_sectors")
    )
    passing = 8 + 7 / track * skew
    return (passing * file["mechanics"]["revolution_ms"] / track)[zone].mean()


def test_a_row_has_every_column_in_its_type() -> None:
    _, state, row = finished(SMALL)
    assert [(name, type(value)) for name, value in row.items()] == [
        (column.name, column.kind) for column in COLUMNS
    ]
    assert row["read_calls"] == 4096
    assert row["read_mib"] == 16
    assert row["read_mib_s"] == pytest.approx(16 / row["duration_s"])
    assert row["read_mean_ms"] <= row["read_max_ms"]
    assert row["finish_first_s"] <= row["finish_mean_s"] <= row["finish_last_s"]
    assert row["finish_last_s"] == row["duration_s"]
    assert row["requests"] + row["merges"] + state.measures.joins == 4096
    assert row["request_mean_kib"] == pytest.approx(16 * 1024 / row["requests"])


def test_percentiles_rise_to_the_maximum() -> None:
    row = simulate(SMALL)
    names = ("read_p50_ms", "read_p90_ms", "read_p99_ms", "read_p999_ms", "read_p9999_ms")
    values = [row[name] for name in names]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(row["read_max_ms"], rel=2**-7)


@pytest.mark.parametrize("machine", ["k6-2", "quad_xeon"])
def test_the_same_point_gives_the_same_row_in_any_order(machine: str) -> None:
    points = [
        SMALL | {"machine": machine, "kernel": kernel, "run": run, "workload": workload}
        for kernel in ("2.4.18", "2.5.7")
        for run in (0, 1)
        for workload in ("tiobench_sequential_read", "tiobench_random_read")
    ]
    forwards = [simulate(point) for point in points]
    backwards = [simulate(point) for point in reversed(points)]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize("workload", ["tiobench_sequential_read", "tiobench_random_read"])
def test_every_run_and_every_seed_has_its_own_chance(workload: str) -> None:
    points = [{"run": run, "seed": seed} for run in range(4) for seed in (0, 1)]
    durations = [simulate(SMALL | {"workload": workload} | point)["duration_s"] for point in points]
    assert len(set(durations)) == len(points)


def test_values_may_come_as_text() -> None:
    texts = {name: str(value) for name, value in SMALL.items()}
    assert simulate(texts) == simulate(SMALL)


@pytest.mark.parametrize(
    ("threads", "size_mib", "chunk_kib"), [(3, 10, 64), (4, 8, 0), (5, 17, 12), (7, 7, 4096)]
)
def test_files_cover_the_data_area_and_interleave(
    threads: int, size_mib: int, chunk_kib: int
) -> None:
    settings = resolve(
        POINT | {"threads": threads, "size_mib": size_mib, "allocation_chunk_kib": chunk_kib}
    )
    layout = lay_out(settings, np.random.default_rng(3))
    file_pages = size_mib // threads * 256
    piece = min(chunk_kib // 4, file_pages) or file_pages
    assert layout.pages == threads * file_pages
    assert set(layout.files.pages) == {file_pages}
    assert set(layout.files.piece_pages) == {piece}
    starts = np.array(
        [layout.pieces[first:][: -(-file_pages // piece)] for first in layout.files.first_piece]
    )
    owner = np.full(threads * file_pages, -1)
    for number, pieces in enumerate(starts):
        for index, start in enumerate(pieces):
            length = min(piece, file_pages - index * piece)
            assert (owner[start : start + length] == -1).all()
            owner[start : start + length] = number
    assert (owner >= 0).all()
    # In each round of writing every file gets one piece, and the pieces of a round lie together.
    rounds = np.sort(starts, axis=0)
    assert (rounds[:, 0] == np.arange(threads) * min(piece, file_pages)).all()
    assert (rounds[-1, :-1] < rounds[0, 1:]).all()


def test_files_beyond_the_end_of_the_disk_are_refused(server: str) -> None:
    with pytest.raises(UserError, match=r"^size_mib: the files end 8200 MiB into the disk, but .* holds 8192 MiB$"):  # fmt: skip
        simulate(SMALL | {"disk": server, "data_start_mib": 8184})
    assert simulate(SMALL | {"disk": server, "data_start_mib": 8176})["read_calls"] == 4096


def test_ide_machines_have_a_write_cache() -> None:
    point = SMALL | {"workload": "tiobench", "measured": "write", "threads": 1, "size_mib": 64}
    through, back = simulate(point | {"write_cache_kib": 0}), simulate(point)
    assert back["write_mib_s"] > 1.5 * through["write_mib_s"]
    values = presets.machines().values()
    ide = [one for one in values if one.values["driver"].value == "ide"]
    assert {one.values["write_cache_kib"].value for one in ide} == {"auto"}


SHORT = [
    {"workload": "tiobench", "measured": "random_read", "size_mib": 64, "operations": 1},
    {"workload": "tiobench", "measured": "random_write", "size_mib": 64, "operations": 1},
    {"workload": "tiobench", "measured": "read", "size_mib": 16, "threads": 16, "ram_mib": 28},
    {"workload": "readers_beside_a_writer", "size_mib": 4, "operations": 1, "slice_ms": 50},
    {"workload": "fsync_beside_a_writer", "ram_mib": 64, "size_mib": 1, "slice_ms": 50},
]


@pytest.mark.parametrize("point", SHORT)
def test_no_share_of_a_short_phase_is_over_all_of_it(point: dict[str, Any]) -> None:
    row = simulate({"kernel": "2.4.18", "machine": "k6-2", "threads": 1} | point)
    parts_pct = sum(row[f"device_{part}_pct"] for part in ("seek", "rotation", "transfer"))
    assert 0 <= parts_pct <= row["device_busy_pct"] + 1e-9
    assert row["device_busy_pct"] <= 100 + 1e-9
    assert row["cpu_pct"] + row["background_cpu_pct"] <= 100 + 1e-9


def test_each_disk_of_a_raid_has_its_own_write_cache() -> None:
    point = SMALL | {"workload": "tiobench", "measured": "write", "machine": "quad_xeon"}
    _, state, row = finished(point | {"write_cache_kib": 256})
    caches = state.disks["write_cache"]
    assert (caches["capacity_sectors"] == 512).tolist() == [True] * 4 + [False] * 12
    assert (caches["media_ns"][:4] > 0).all()
    assert row["device_busy_pct"] <= 100


def test_a_write_cache_in_a_disk_without_buffer_is_refused(server: str) -> None:
    with pytest.raises(
        UserError, match=r"write_cache_kib: 64 KiB, but .* no buffer; give 0 or auto"
    ):
        simulate(SMALL | {"disk": server, "write_cache_kib": 64})


def test_an_unknown_disk_is_refused() -> None:
    with pytest.raises(UserError, match="did you mean 'ide_40gb_2001'"):
        simulate(SMALL | {"disk": "ide_40gb"})


def test_a_breach_of_conservation_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_module, "run", lambda *state: Breach.SLOTS)
    with pytest.raises(EngineError, match=r"SLOTS in .*'threads': 8"):
        simulate(SMALL)


def test_a_plugged_queue_beside_sleepers_alone_is_run() -> None:
    """kupdate sleeps for a slot like all others, and nobody is left to unplug the queue."""
    point = {"workload": "async_read_and_write", "machine": "jens2003", "kernel": "2.4.19"}
    writers = {"threads": 4, "size_mib": 8, "writers": 8, "writer_mib": 128}
    few = {"queue_size": 8, "slot_release": "completion", "filesystem": "ext2"}
    assert simulate(point | writers | few)["duration_s"] > 60
