"""Where a sector lies: cylinder, head and angle; and how long an arc of a track takes to pass.

The mapping of logical sectors to physical ones is linear but for spare, slipped and remapped
sectors. `tables` holds it as rows of `Run` columns, the last row with the capacity as its sector.
"""

from typing import NamedTuple

from engine.core.devices.records import FRACTION_BITS, RECIPROCAL_BITS, RUN_COLUMNS, Run
from engine.core.jit import inline_kernel


class Place(NamedTuple):
    """Where a sector lies."""

    sector: int
    zone: int
    cylinder: int
    head: int
    angle: int  # of its leading edge, in sectors of the zone
    contiguous: int  # sectors from here to the end of the track or of the run


@inline_kernel
def quotient(number, reciprocal):
    """number // d by multiplication, `reciprocal` being 2**RECIPROCAL_BITS // d + 1.

    Exact while number * d stays below 2**RECIPROCAL_BITS, which the loader sees to.
    """
    return (number * reciprocal) >> RECIPROCAL_BITS


@inline_kernel
def find_run(mechanics, tables, sector):
    """Where in `tables` the run of `sector` is: the guide points to it or shortly before."""
    row = tables[mechanics.guide_at + (sector >> mechanics.guide_shift)]
    while tables[row + RUN_COLUMNS + Run.SECTOR] <= sector:
        row += RUN_COLUMNS
    return row


@inline_kernel
def locate(mechanics, tables, sector):
    """The Place of a logical sector.

    Every track is turned by the track skew against the one before, or by the cylinder skew where
    the arm has to move: a zone's c-th cylinder begins after c cylinder skews and
    c * (heads - 1) track skews.
    """
    row = find_run(mechanics, tables, sector)
    zone_index = tables[row + Run.ZONE]
    zone = mechanics.zones[zone_index]
    position = tables[row + Run.POSITION] + sector - tables[row + Run.SECTOR]
    track = quotient(position, zone.track_reciprocal)
    on_track = position - track * zone.sectors_per_track
    cylinder = quotient(track, mechanics.heads_reciprocal)
    head = track - cylinder * mechanics.heads
    skew = (track - cylinder) * zone.track_skew_sectors + cylinder * zone.cylinder_skew_sectors
    turned = zone.offset_sectors + skew + tables[row + Run.PUSHED] + on_track
    angle = turned - quotient(turned, zone.track_reciprocal) * zone.sectors_per_track
    if mechanics.serpentine and (cylinder + zone.serpentine_phase) & 1:
        head = mechanics.heads - 1 - head
    run_left = tables[row + RUN_COLUMNS + Run.SECTOR] - sector
    contiguous = min(zone.sectors_per_track - on_track, run_left)
    return Place(sector, zone_index, zone.first_cylinder + cylinder, head, angle, contiguous)


@inline_kernel
def edge_ns(zone, angle):
    """When in a revolution the leading edge of the sector at `angle` passes, ns.

    Exactly angle * revolution_ns // sectors_per_track, as long as twice the square of
    sectors_per_track is below 2**FRACTION_BITS; angles may go on into the next revolution.
    """
    return (angle * zone.sector_fraction) >> FRACTION_BITS


@inline_kernel
def arc_ns(zone, angle, nr_sectors):
    """Time in which `nr_sectors`, at most a track, pass from `angle` on.

    The difference of two edges, so that arcs laid end to end make exactly one revolution.
    """
    return edge_ns(zone, angle + nr_sectors) - edge_ns(zone, angle)
