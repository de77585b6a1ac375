"""Runs against the mapping rules taken literally, sector by sector, on small made-up disks."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.devices.geometry import locate
from engine.core.devices.records import DEVICE
from engine.devices.mechanics import fill_mechanics

MECHANICS = {
    "revolution_ms": 10.0,
    "head_switch_ms": 1.0,
    "write_settle_extra_ms": 0.0,
    "seek": {"kind": "table_linear_interpolation", "points_cyl_ms": [[1, 1.0], [2, 2.0]]},
}
REGION_CYLINDERS = 2  # of the scheme with ranges


def region_positions(zone, geometry):
    """Physical sectors that have spares of their own."""
    track = zone["sectors_per_track"]
    cylinder = track * geometry["heads"]
    whole = cylinder * (zone["last_cyl"] - zone["first_cyl"] + 1)
    sizes = {"track": track, "cylinder": cylinder, "range": REGION_CYLINDERS * cylinder}
    scheme = geometry["sparing"].removesuffix("_end").rsplit("_", 1)[1]
    return whole, sizes.get(scheme, whole)


def literal_zone(zone, geometry):
    """Every sector of a zone: (cylinder, head, angle in sectors), by the rules of the format."""
    track, heads = zone["sectors_per_track"], geometry["heads"]
    whole, region = region_positions(zone, geometry)
    unit = track if geometry["sparing"] == "tracks_at_zone_end" else 1
    at_disk_end = geometry["sparing"] == "sectors_at_disk_end"
    spares = len(zone["slipped"]) if at_disk_end else zone["spares_per_region"] * unit
    count = whole - zone["front_reserved_sectors"] - spares * (whole // region)
    replaced = dict(zone["remapped_pairs"])
    for sector in range(count):
        x = sector + zone["front_reserved_sectors"]
        index, inside = divmod(x, region - spares)
        running, rest = divmod(inside, unit)
        for slip in zone["slipped"]:
            running += index * region <= slip * unit and slip - index * region // unit <= running
        position = running + index * region // unit
        position = replaced.get(position, position) * unit + rest
        cylinder, on_cylinder = divmod(position, track * heads)
        head, on_track = divmod(on_cylinder, track)
        by_region = geometry["sparing"] in ("sectors_at_cylinder_end", "sectors_at_track_end")
        pushed = by_region * sum(slip < index * region for slip in zone["slipped"])
        skew = zone["track_skew_sectors"] * (head + (heads - 1) * cylinder)
        skew += zone["cylinder_skew_sectors"] * cylinder
        angle = (zone["first_block_offset_sectors"] + skew + pushed + on_track) % track
        turning = {"serpentine_reset_per_zone": 0, "serpentine_even_up_odd_down": zone["first_cyl"]}
        if (cylinder + turning.get(geometry["lbn_mapping"], -cylinder)) % 2:
            head = heads - 1 - head
        yield zone["first_cyl"] + cylinder, head, angle


@st.composite
def zones(draw, first_cylinder, geometry):
    """A zone of a few tracks, with no more slips in a region than spares."""
    track, cylinders = draw(st.integers(4, 9)), draw(st.integers(1, 5))
    zone = {
        "first_cyl": first_cylinder,
        "last_cyl": first_cylinder + cylinders - 1,
        "sectors_per_track": track,
        "first_block_offset_sectors": draw(st.integers(0, 2 * track)),
        "front_reserved_sectors": 0,
        "track_skew_sectors": draw(st.integers(0, 2 * track)),
        "cylinder_skew_sectors": draw(st.integers(0, 2 * track)),
        "spares_per_region": draw(st.integers(0, 2)),
        "slipped": [],
        "remapped_pairs": [],
    }
    whole, region = region_positions(zone, geometry)
    unit = track if geometry["sparing"] == "tracks_at_zone_end" else 1
    if region <= zone["spares_per_region"] * unit or whole < region:
        zone["spares_per_region"] = 0
    slips = st.integers(0, region // unit - 1)
    for first in range(0, whole - region + 1, region):
        some = draw(st.sets(slips, max_size=zone["spares_per_region"]))
        zone["slipped"] += [first // unit + slip for slip in sorted(some)]
    if geometry["sparing"].endswith("zone_end") and whole > 3 * unit:
        pair = draw(
            st.lists(st.integers(0, whole // unit - 1), max_size=2, min_size=2, unique=True)
        )
        zone["remapped_pairs"] = [pair]
    places = list(literal_zone(zone, geometry))
    zone["front_reserved_sectors"] = draw(st.integers(0, max(0, len(places) - 1)))
    return zone


@st.composite
def disks(draw):
    """Geometry and zones of a small disk."""
    schemes = ("zone", "disk", "cylinder_range", "cylinder", "track")
    mappings = ("conventional", "serpentine_reset_per_zone", "serpentine_even_up_odd_down")
    names = ["tracks_at_zone_end", *(f"sectors_at_{scheme}_end" for scheme in schemes)]
    geometry = {
        "heads": draw(st.integers(1, 3)),
        "sparing": draw(st.sampled_from(names)),
        "lbn_mapping": draw(st.sampled_from(mappings)),
        "sparing_range_cylinders": REGION_CYLINDERS,
    }
    of_disk = []
    for gap in draw(st.lists(st.integers(0, 1), min_size=1, max_size=3)):
        first = of_disk[-1]["last_cyl"] + 1 + gap if of_disk else gap
        of_disk.append(draw(zones(first, geometry)))
    return geometry, of_disk


@given(disks())
@settings(max_examples=150, deadline=None)
def test_every_sector_lies_where_the_rules_say(disk):
    geometry, of_disk = disk
    expected = [place for zone in of_disk for place in literal_zone(zone, geometry)]
    parameters = {
        "geometry": geometry | {"capacity_sectors": len(expected)},
        "mechanics": MECHANICS,
        "zones": of_disk,
    }
    record = np.zeros(1, DEVICE).view(np.recarray)[0]
    tables = fill_mechanics(record, parameters)
    places = [locate(record.mechanics, tables, sector) for sector in range(len(expected))]
    assert [(place.cylinder, place.head, place.angle) for place in places] == expected
    follows = [
        (one.cylinder, one.head) == (two.cylinder, two.head)
        and two.angle == (one.angle + 1) % record.mechanics.zones[one.zone].sectors_per_track
        for one, two in pairwise(places)
    ]
    for place, contiguous in zip(places, follows, strict=False):
        assert contiguous or place.contiguous == 1
