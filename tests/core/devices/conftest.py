"""What DiskSim did: samples beside the tests, whole logs where the reference material is."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from engine.core.devices import serve
from engine.devices import Device, load_device

SAMPLES = Path(__file__).resolve().parents[2] / "data" / "devices"

Oracle = Callable[[str, str], pd.DataFrame]
Replay = Callable[[Device, pd.DataFrame], pd.DataFrame]


@pytest.fixture(params=["sample", "whole"])
def oracle(request: pytest.FixtureRequest) -> Oracle:
    """A reader of DiskSim's files: `oracle(disk, file)`."""
    if request.param == "sample":
        return lambda disk, file: pd.read_csv(SAMPLES / f"{disk}.{file}.csv")
    folder = request.getfixturevalue("shared") / "devices" / "oracle"
    return lambda disk, file: pd.read_csv(folder / disk / f"{file}.csv.gz")


@pytest.fixture
def replay() -> Replay:
    """A function that serves every request of a log from the head state the log gives it."""
    return replayed


def replayed(device: Device, log: pd.DataFrame) -> pd.DataFrame:
    """Parts of the service time of every request, ns."""
    disk, mechanics, counters = device.record, device.record.mechanics, device.record.counters
    disk.track_buffer.sectors = 0
    revolution_ns = int(mechanics.revolution_ns)
    rows = []
    sums = (0, 0, 0)
    for request in log.itertuples():
        disk.cylinder, disk.head = request.from_cyl, request.from_head
        is_write = request.op == "W"
        overheads = mechanics.write_overhead_ns if is_write else mechanics.read_overhead_ns
        seek_start_ns = revolution_ns + round(request.from_angle_rev * revolution_ns)
        dispatch_ns = seek_start_ns - int(overheads[disk.last_was_write])
        complete_ns = serve(
            disk, device.tables, dispatch_ns, dispatch_ns, request.lbn, request.sectors, is_write
        )
        before = sums
        sums = (int(counters.seek_ns), int(counters.rotation_ns), int(counters.transfer_ns))
        parts = (after - earlier for after, earlier in zip(sums, before, strict=True))
        rows.append((complete_ns - dispatch_ns, *parts))
    return pd.DataFrame(rows, columns=["total_ns", "seek_ns", "rotation_ns", "transfer_ns"])


@pytest.fixture
def ide_disk() -> Device:
    """The IDE disk of 2001, with its track buffer."""
    return load_device("ide_40gb_2001")
