"""Arm, rotation and media: how the head gets to a sector and passes over those of a request."""

from engine.core.devices.bus import read_bus_ns, underrun_ns
from engine.core.devices.geometry import arc_ns, edge_ns, locate
from engine.core.jit import inline_kernel, kernel


@inline_kernel
def seek_ns(device, tables, place, is_write):
    """Arm movement or head switch, whichever takes longer, ns; a write settles after either."""
    mechanics = device.mechanics
    seek = tables[mechanics.seek_at + abs(place.cylinder - device.cylinder)]
    if place.head != device.head:
        seek = max(seek, mechanics.head_switch_ns)
    if is_write and seek > 0:
        seek += mechanics.write_settle_ns
    return seek


@inline_kernel
def rotation_ns(mechanics, at_ns, place):
    """Wait from `at_ns` until the leading edge of `place` is under the head, ns."""
    wait = edge_ns(mechanics.zones[place.zone], place.angle) - at_ns % mechanics.revolution_ns
    return wait if wait >= 0 else wait + mechanics.revolution_ns


@inline_kernel
def move_head(device, place):
    """Put the head on the track of `place`."""
    device.cylinder = place.cylinder
    device.head = place.head


@inline_kernel
def reach(device, tables, at_ns, place, is_write):
    """Move the head to `place`; returns when its leading edge is under the head, ns."""
    at_ns += seek_ns(device, tables, place, is_write)
    move_head(device, place)
    return at_ns + rotation_ns(device.mechanics, at_ns, place)


@inline_kernel
def counted_ns(counters, from_ns, until_ns):
    """How much of the time from `from_ns` to `until_ns` counts: cached writes may reach the media long
    before they are followed, and so before what is counted began."""
    return max(0, until_ns - max(from_ns, counters.since_ns))


@kernel
def position_head(device, tables, start_ns, place, is_write):
    """Seek and wait for the first sector of a request; returns when it is under the head, ns."""
    counters = device.counters
    seek = seek_ns(device, tables, place, is_write)
    cylinders = abs(place.cylinder - device.cylinder)
    move_head(device, place)
    on_track_ns = start_ns + seek
    at_ns = on_track_ns + rotation_ns(device.mechanics, on_track_ns, place)
    if start_ns >= counters.since_ns:
        counters.seeks += cylinders > 0
        counters.seek_cylinders += cylinders
    counters.seek_ns += counted_ns(counters, start_ns, on_track_ns)
    counters.rotation_ns += counted_ns(counters, on_track_ns, at_ns)
    return at_ns


@kernel
def transfer(device, tables, place, at_ns, nr_sectors, is_write, bus_ns):
    """Pass over `nr_sectors` from `place`, under the head at `at_ns`; returns (end, bus end), ns.

    Moves the head from track to track. A slipped sector passes unused, a remapped one costs a
    detour. `bus_ns` is when the bus is free: from then on it brings the sectors of a write, or
    takes those of a read as they come.
    """
    mechanics = device.mechanics
    while True:
        zone = mechanics.zones[place.zone]
        piece = min(nr_sectors, place.contiguous)
        if is_write:
            margin_ns = at_ns - (bus_ns + mechanics.write_bus_ns)
            at_ns += underrun_ns(mechanics, zone, place.angle, margin_ns, piece)
            bus_ns += piece * mechanics.write_bus_ns
            end_ns = at_ns + arc_ns(zone, place.angle, piece)
        else:
            first_ns = at_ns + arc_ns(zone, place.angle, 1)
            end_ns = at_ns + arc_ns(zone, place.angle, piece)
            bus_ns = read_bus_ns(mechanics, bus_ns, first_ns, end_ns, piece)
        nr_sectors -= piece
        if nr_sectors == 0:
            return end_ns, bus_ns
        place = locate(mechanics, tables, place.sector + piece)
        at_ns = reach(device, tables, end_ns, place, is_write)
