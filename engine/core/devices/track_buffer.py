"""The track buffer: after a read the head reads on, so that a sequential read finds its data.

The head is followed only when somebody asks: `head_sector` is the next sector to pass, `head_ns`
when the head was there. Read-ahead stops where the buffer is full and goes on once the host has
taken data out; any request that is no hit ends it. The head is then taken to stand where the last
request left it, although it may have gone on by the few tracks the buffer holds.
"""

from engine.core.devices.bus import held_back_bus_ns
from engine.core.devices.geometry import arc_ns, locate
from engine.core.devices.media import reach, transfer
from engine.core.devices.records import FRACTION_BITS, NONE
from engine.core.jit import inline_kernel, kernel


@inline_kernel
def empty_to(device, sector):
    """The host has read up to `sector`: there it would continue, and there is room again."""
    track_buffer = device.track_buffer
    track_buffer.wanted_sector = sector
    track_buffer.limit_sector = min(sector + track_buffer.sectors, device.capacity_sectors)


@inline_kernel
def start_read_ahead(device, sector, at_ns):
    """At `at_ns` the head stands before `sector`, the end of a read, and reads on."""
    track_buffer = device.track_buffer
    if track_buffer.sectors > 0:
        track_buffer.head_sector = sector
        track_buffer.head_ns = at_ns
        empty_to(device, sector)


@kernel
def read_ahead(device, tables, until_ns):
    """Let the head read on until `until_ns` or until the buffer is full."""
    mechanics = device.mechanics
    track_buffer = device.track_buffer
    while track_buffer.head_sector < track_buffer.limit_sector:
        place = locate(mechanics, tables, track_buffer.head_sector)
        track_buffer.head_ns = reach(device, tables, track_buffer.head_ns, place, False)
        zone = mechanics.zones[place.zone]
        unread = min(place.contiguous, track_buffer.limit_sector - track_buffer.head_sector)
        elapsed_ns = min(max(0, until_ns - track_buffer.head_ns), 2 * mechanics.revolution_ns)
        passed = min(unread, (elapsed_ns << FRACTION_BITS) // zone.sector_fraction)
        track_buffer.head_ns += arc_ns(zone, place.angle, passed)
        track_buffer.head_sector += passed
        if passed < unread:
            return


@inline_kernel
def hits_track_buffer(device, tables, ready_ns, sector):
    """Whether at `ready_ns` a read of `sector` finds it in the buffer or next under the head.

    Where that may be, the head reads on until then.
    """
    track_buffer = device.track_buffer
    if track_buffer.head_sector == NONE:
        return False
    if sector < track_buffer.wanted_sector or sector > track_buffer.limit_sector:
        return False
    read_ahead(device, tables, ready_ns)
    if track_buffer.head_sector >= track_buffer.limit_sector:
        # full: the head waits, and it may be away with cached writes
        track_buffer.head_ns = max(track_buffer.head_ns, ready_ns, device.write_cache.media_ns)
    return sector <= track_buffer.head_sector


@kernel
def read_track_buffer(device, tables, ready_ns, sector, nr_sectors):
    """When the host has the data of a hit, ns; the head first reads what is missing."""
    mechanics = device.mechanics
    track_buffer = device.track_buffer
    held = min(nr_sectors, track_buffer.head_sector - sector)
    bus_ns = ready_ns + held * mechanics.read_bus_ns
    end_ns = ready_ns
    if held < nr_sectors:
        place = locate(mechanics, tables, track_buffer.head_sector)
        at_ns = reach(device, tables, track_buffer.head_ns, place, False)
        end_ns, bus_ns = transfer(device, tables, place, at_ns, nr_sectors - held, False, bus_ns)
        track_buffer.head_ns = end_ns
        track_buffer.head_sector = sector + nr_sectors
        end_ns = max(end_ns, ready_ns)
    device.counters.transfer_ns += end_ns - ready_ns
    empty_to(device, sector + nr_sectors)
    return held_back_bus_ns(mechanics, bus_ns, ready_ns, end_ns, nr_sectors)
