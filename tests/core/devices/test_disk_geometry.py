"""Where sectors lie: against DiskSim's lists, and the time of an arc."""

import numpy as np
import pandas as pd
import pytest

from engine.core.devices.geometry import arc_ns, find_run, locate
from engine.core.devices.records import Run
from engine.devices import load_device

DISKS = ("quantum_atlas_10k", "seagate_cheetah_9lp", "hp_c3323a")


@pytest.mark.parametrize("disk", DISKS)
def test_layout_agrees(disk, oracle):
    device = load_device(disk)
    disk, layout = device.record.mechanics, oracle(disk, "layout")
    places = [locate(disk, device.tables, sector) for sector in layout.lbn]
    tracks = np.array([disk.zones[place.zone].sectors_per_track for place in places])
    assert (tracks == layout.sectors_per_track).all()
    assert [(place.cylinder, place.head) for place in places] == list(
        zip(layout.cyl, layout["head"], strict=True)
    )
    angle = np.array([place.angle for place in places]) / tracks
    away = np.abs(angle - layout.start_angle_rev)
    assert np.minimum(away, 1 - away).max() < 1e-7
    to_track_end = layout.track_last_lbn - layout.lbn + 1
    assert (np.array([place.contiguous for place in places]) <= to_track_end).all()


@pytest.mark.parametrize("disk", DISKS)
def test_arcs_of_a_track_make_a_revolution(disk):
    disk = load_device(disk).record.mechanics
    for zone in disk.zones[:8]:
        track = int(zone.sectors_per_track)
        for start in range(0, track, 7):
            arcs = [arc_ns(zone, (start + step) % track, 1) for step in range(track)]
            assert sum(arcs) == disk.revolution_ns == arc_ns(zone, start, track)
            assert max(arcs) - min(arcs) <= 1


def test_slips_of_earlier_cylinders_turn_a_track(shared):
    """The ST41601N spares at cylinder ends; DiskSim's reads end where its tracks' angles say.

    The first 60 requests only: DiskSim's platter falls behind by 4e-6 revolutions a request.
    """
    device = load_device(shared / "devices" / "disks" / "seagate_st41601n.yaml")
    disk = device.record.mechanics
    log = pd.read_csv(
        shared / "devices" / "oracle" / "seagate_st41601n" / "validation_measured.csv.gz", nrows=60
    )
    complete_ms = (log.disksim_response_ms + log.think_after_ms).cumsum() - log.think_after_ms
    after_media_ms = (disk.read_bus_ns + disk.read_completion_ns) / 1e6
    missed = (log.op == "R") & (log.disksim_cache_status == "miss")
    pushed = 0
    for request, at_ms in zip(log[missed].itertuples(), complete_ms[missed], strict=True):
        place = locate(disk, device.tables, request.lbn)
        track = int(disk.zones[place.zone].sectors_per_track)
        if place.contiguous >= request.sectors:
            revolutions = (at_ms - after_media_ms) / (disk.revolution_ns / 1e6)
            away = (revolutions * track - place.angle - request.sectors) % track
            assert min(away, track - away) < 0.04
            pushed += device.tables[find_run(disk, device.tables, request.lbn) + Run.PUSHED] > 0
    assert pushed > 10
