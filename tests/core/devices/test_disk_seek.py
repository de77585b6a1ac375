"""Seek times against DiskSim's table of the same drives."""

import numpy as np
import pytest

from engine.core.devices.geometry import Place
from engine.core.devices.media import seek_ns
from engine.devices import load_device

DISKS = ("quantum_atlas_10k", "seagate_cheetah_9lp", "hp_c3323a")


@pytest.mark.parametrize("disk", DISKS)
def test_seek_times_agree(disk, oracle):
    device = load_device(disk)
    rows = []
    table = oracle(disk, "seek")
    for cylinders in table.distance_cyl:
        there, other_head = (Place(0, 0, cylinders, head, 0, 1) for head in (0, 1))
        rows.append(
            (
                seek_ns(device.record, device.tables, there, False),
                seek_ns(device.record, device.tables, there, True),
                seek_ns(device.record, device.tables, other_head, False),
            )
        )
    expected = table[["seek_read_ms", "seek_write_ms", "seek_read_with_head_switch_ms"]]
    assert np.abs(np.array(rows) - expected.to_numpy() * 1e6).max() <= 1.001


def test_beyond_the_last_point_the_last_two_go_on():
    device = load_device("hp_c3323a")  # its last points: 17.81224 ms at 2900, 18.116135 at 2976
    assert device.tables[2981] == pytest.approx(
        18_116_135 + 5 * (18_116_135 - 17_812_240) / 76, abs=1
    )


def test_square_root_and_line(shared):
    seek = load_device(shared / "devices" / "disks" / "hp_c2247a.yaml").tables
    assert seek[0] == 0
    assert seek[3] == 3_810_000
    assert seek[299] == pytest.approx((3.81 + 0.33 * 299**0.5) * 1e6, abs=1)
    assert seek[300] == pytest.approx((7.75 + 0.0059 * 300) * 1e6, abs=1)
