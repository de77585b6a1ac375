"""What a drive has done of a command before it is its turn: overhead, and the way of a write over the bus."""

import pytest

from engine.core.devices import serve
from engine.devices import load_device

DISK = "quantum_atlas_10k"
SECTORS = 128
REQUESTS = 50


def stream_ns(is_write: bool, queued: bool) -> int:
    """Time of sequential requests, of which all are in the drive from the beginning, or one at a time."""
    device = load_device(DISK, bus_mb_s=80)
    now_ns = 0
    for number in range(REQUESTS):
        came_ns = 0 if queued else now_ns
        sector = number * SECTORS
        now_ns = serve(device.record, device.tables, now_ns, came_ns, sector, SECTORS, is_write)
    return int(now_ns)


def test_queued_sequential_writes_lose_no_revolutions() -> None:
    lost_ns = stream_ns(True, queued=False) - stream_ns(True, queued=True)
    revolution_ns = int(load_device(DISK).record.mechanics.revolution_ns)
    assert lost_ns > 0.9 * REQUESTS * revolution_ns
    assert stream_ns(True, queued=True) < 1.2 * stream_ns(False, queued=True)


@pytest.mark.parametrize("is_write", [False, True])
def test_a_command_that_has_just_come_pays_its_overhead(is_write: bool) -> None:
    times_ns = []
    for came_ns in (10**9, 10**9 - 10**8):
        device = load_device(DISK)
        serve(device.record, device.tables, 10**9, came_ns, 1_000_000, 8, is_write)
        times_ns.append(int(device.record.counters.overhead_ns))
    mechanics = load_device(DISK).record.mechanics
    overheads_ns = mechanics.write_overhead_ns if is_write else mechanics.read_overhead_ns
    saved_ns = times_ns[0] - times_ns[1]
    assert saved_ns == int(overheads_ns[0])
