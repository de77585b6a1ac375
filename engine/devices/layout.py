"""From the zones of a disk file to runs, the form in which the simulated disk knows its layout.

Every sparing scheme ends in the same rows of `engine.core.devices.records.Run`. A position is a
physical sector counted from the start of its zone. A region is the stretch of positions that has
spares of its own: the zone, some cylinders, or a track. Slipped positions are passed over, so that
the sectors behind them move up; remapped ones are replaced by another position.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from engine.core.devices.records import RUN_COLUMNS
from engine.errors import UserError

Section = dict[str, Any]


class Row(NamedTuple):
    """A run, in the order of the columns of `Run`."""

    sector: int
    position: int
    zone: int
    pushed: int


@dataclass(frozen=True)
class Sparing:
    """The spares of a zone."""

    positions: int  # of the zone
    unit: int  # sectors of a spare or a slip: 1, or those of a track
    spares: int  # of each region, in units
    region: int  # positions of a region
    regions: int  # whole ones; what is left of the zone behind them has no spares
    pushes: bool  # slips turn the tracks of the regions behind theirs


def disk_runs(zones: list[Section], geometry: Section) -> tuple[np.ndarray, int]:
    """The runs of a disk, shape (runs, RUN_COLUMNS), and its capacity in sectors."""
    rows: list[Row] = []
    sector = 0
    for index, zone in enumerate(zones):
        sparing = sparing_of(zone, geometry)
        of_zone, sector = zone_runs(zone, index, sparing, sector)
        rows += remapped(of_zone, zone, sparing.unit, sector)
    return np.array(rows, np.int64).reshape(-1, RUN_COLUMNS), sector


def sparing_of(zone: Section, geometry: Section) -> Sparing:
    """The sparing scheme of `geometry` in the sizes of `zone`."""
    track = zone["sectors_per_track"]
    cylinder = track * geometry["heads"]
    cylinders = zone["last_cyl"] - zone["first_cyl"] + 1
    whole = cylinders * cylinder
    spares = zone["spares_per_region"]
    together = geometry.get("sparing_range_cylinders", 1)
    return {
        "tracks_at_zone_end": Sparing(whole, track, spares, whole, 1, False),
        "sectors_at_zone_end": Sparing(whole, 1, spares, whole, 1, False),
        "sectors_at_disk_end": Sparing(whole, 1, len(zone["slipped"]), whole, 1, False),
        "sectors_at_cylinder_range_end": Sparing(
            whole, 1, spares, together * cylinder, cylinders // together, False
        ),
        "sectors_at_cylinder_end": Sparing(whole, 1, spares, cylinder, cylinders, True),
        "sectors_at_track_end": Sparing(whole, 1, spares, track, whole // track, True),
    }[geometry["sparing"]]


def zone_runs(
    zone: Section, index: int, sparing: Sparing, first_sector: int
) -> tuple[list[Row], int]:
    """The runs of the zone that begins with `first_sector`, and the sector behind its last.

    Sectors are dealt out to the used positions, the reserved ones in front counted along.
    """
    reserved = zone["front_reserved_sectors"]
    used_end = sparing.positions - sparing.spares * sparing.unit * sparing.regions
    used_per_region = sparing.region - sparing.spares * sparing.unit
    if used_end <= reserved or used_per_region <= 0:
        raise UserError(f"zones/{index}: no sector is left beside the spare and reserved ones")
    check_defects(zone, index, sparing)
    rows: list[Row] = []
    pushed = 0
    for region, used in enumerate(range(0, used_end, used_per_region)):
        used_behind = min(used + used_per_region, used_end)
        slips = slips_of(zone, sparing, region)
        for past, slipped in moves_of(slips, sparing.unit):
            begin = max(used + past, reserved)
            if begin < used_behind:
                position = region * sparing.region + begin - used + slipped
                append_run(rows, Row(first_sector + begin - reserved, position, index, pushed))
        pushed += len(slips) * sparing.pushes
    return rows, first_sector + used_end - reserved


def check_defects(zone: Section, index: int, sparing: Sparing) -> None:
    """Slipped and remapped positions must lie in the zone, and slips must find a spare."""
    behind = sparing.positions // sparing.unit
    defects = chain(zone["slipped"], *zone["remapped_pairs"])
    outside = [position for position in defects if position >= behind]
    if outside:
        raise UserError(
            f"zones/{index}: {outside[0]} is slipped or remapped; right would be a position "
            f"below {behind}"
        )
    for region in {slip * sparing.unit // sparing.region for slip in zone["slipped"]}:
        slips = len(slips_of(zone, sparing, region))
        if slips > sparing.spares:
            raise UserError(
                f"zones/{index}/slipped: {slips} positions that share {sparing.spares} spares; "
                "right would be no more than spares"
            )


def slips_of(zone: Section, sparing: Sparing, region: int) -> list[int]:
    """The slipped positions of a region, from its start."""
    first = region * sparing.region
    positions = (slip * sparing.unit - first for slip in sorted(set(zone["slipped"])))
    return [position for position in positions if 0 <= position < sparing.region]


def moves_of(slips: list[int], unit: int) -> Iterator[tuple[int, int]]:
    """For 0, 1, ... slips of a region: from which of its sectors on they count, their length."""
    yield 0, 0
    for number, slip in enumerate(slips):
        yield slip - number * unit, (number + 1) * unit


def append_run(rows: list[Row], row: Row) -> None:
    """Append a run, in place of one of the same first sector; none where it only continues."""
    if rows and rows[-1].sector == row.sector:
        rows.pop()
    if rows:
        last = rows[-1]
        ahead = row.sector - last.sector
        if row == (row.sector, last.position + ahead, last.zone, last.pushed):
            return
    rows.append(row)


def remapped(rows: list[Row], zone: Section, unit: int, end_sector: int) -> list[Row]:
    """The runs of a zone with every defective position replaced."""
    for defective, replacement in zone["remapped_pairs"]:
        parts: list[Row] = []
        ends = [row.sector for row in rows[1:]] + [end_sector]
        for row, end in zip(rows, ends, strict=True):
            moved = row.sector + defective * unit - row.position  # where the defect would lie
            first, behind = max(row.sector, moved), min(end, moved + unit)
            if first >= behind or defective == replacement:
                parts.append(row)
                continue
            if row.sector < first:
                parts.append(row)
            parts.append(row._replace(sector=first, position=replacement * unit + first - moved))
            if behind < end:
                ahead = behind - row.sector
                parts.append(row._replace(sector=behind, position=row.position + ahead))
        rows = parts
    return rows
