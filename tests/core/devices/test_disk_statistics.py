"""What a disk must do on average, whatever its layout."""

from itertools import pairwise

import numpy as np
import pytest

from engine.core.devices import serve
from engine.core.devices.geometry import locate
from engine.devices import load_device

REQUESTS = 20_000
TOLERANCE = 0.006  # about four standard errors of the mean service time


@pytest.mark.parametrize("name", ["quantum_atlas_10k", "hp_c3323a"])
def test_random_reads_take_seek_half_a_revolution_and_a_sector(name):
    """Back to back, a sector each: the mean is that of three independent parts."""
    device = load_device(name, mechanics_only=True)
    disk, counters = device.record.mechanics, device.record.counters
    now_ns = 0
    for sector in np.random.default_rng(1).integers(0, device.capacity_sectors, REQUESTS):
        now_ns = serve(device.record, device.tables, now_ns, now_ns, sector, 1, False)
    seek_ns, sector_ns = expected_parts(device)
    expected_ns = seek_ns + disk.revolution_ns / 2 + sector_ns
    assert now_ns / REQUESTS == pytest.approx(expected_ns, rel=TOLERANCE)
    assert counters.rotation_ns / REQUESTS == pytest.approx(disk.revolution_ns / 2, rel=0.02)


def expected_parts(device):
    """Mean seek between two random sectors, and mean time of a random sector, ns."""
    disk = device.record.mechanics
    sectors = np.random.default_rng(2).integers(0, device.capacity_sectors, 4 * REQUESTS)
    places = [locate(disk, device.tables, sector) for sector in sectors]
    seeks = [device.tables[abs(one.cylinder - two.cylinder)] for one, two in pairwise(places)]
    tracks = np.array([disk.zones[place.zone].sectors_per_track for place in places])
    return np.mean(seeks), (disk.revolution_ns / tracks).mean()
