"""A mechanical disk: controller, arm, rotation, media and bus, one request at a time.

A request pays controller overhead, seek, rotation and transfer; where it crosses to another track
it pays the switch and the wait for the next sector again. The bus works alongside the media. The
rules are those of DiskSim 4.0's drives without a cache (Bucy et al. 2008), in integers. With a
write cache only reads work like that, and writes go to the cache.
"""

from engine.core.devices.bus import held_back_bus_ns
from engine.core.devices.geometry import locate
from engine.core.devices.media import position_head, rotation_ns, seek_ns, transfer
from engine.core.devices.records import NONE
from engine.core.devices.track_buffer import (
    hits_track_buffer,
    read_track_buffer,
    start_read_ahead,
)
from engine.core.devices.write_cache import flush_for_read, write_to_cache
from engine.core.jit import inline_kernel, kernel


@kernel
def serve_mechanical(device, tables, now_ns, came_ns, sector, nr_sectors, is_write):
    """Completion time of a request that is served from `now_ns` on, and came at `came_ns`, ns."""
    mechanics = device.mechanics
    after_write = device.last_was_write
    device.last_was_write = 1 if is_write else 0
    if is_write:
        bus_ns = came_ns + mechanics.write_overhead_ns[after_write]
        start_ns = max(now_ns, bus_ns)
        if device.write_cache.capacity_sectors > 0:
            return write_to_cache(device, tables, start_ns, sector, nr_sectors)
        return write_media(device, tables, start_ns, bus_ns, sector, nr_sectors)
    flush_for_read(device, tables, sector, nr_sectors)
    ready_ns = max(now_ns, came_ns + mechanics.hit_overhead_ns[after_write])
    if hits_track_buffer(device, tables, ready_ns, sector):
        data_ns = read_track_buffer(device, tables, ready_ns, sector, nr_sectors)
    else:
        start_ns = max(now_ns, came_ns + mechanics.read_overhead_ns[after_write])
        start_ns = max(start_ns, device.write_cache.media_ns)
        data_ns = read_media(device, tables, start_ns, sector, nr_sectors)
    return data_ns + mechanics.read_completion_ns


@kernel
def read_media(device, tables, start_ns, sector, nr_sectors):
    """When the host has the data of a read the arm starts for at `start_ns`, ns."""
    mechanics = device.mechanics
    place = locate(mechanics, tables, sector)
    at_ns = position_head(device, tables, start_ns, place, False)
    end_ns, bus_ns = transfer(device, tables, place, at_ns, nr_sectors, False, start_ns)
    device.counters.transfer_ns += end_ns - at_ns
    start_read_ahead(device, sector + nr_sectors, end_ns)
    return held_back_bus_ns(mechanics, bus_ns, at_ns, end_ns, nr_sectors)


@kernel
def write_media(device, tables, start_ns, bus_ns, sector, nr_sectors):
    """When a write is on the media, ns; the arm starts at `start_ns`, its data cross the bus from `bus_ns` on."""
    place = locate(device.mechanics, tables, sector)
    at_ns = position_head(device, tables, start_ns, place, True)
    end_ns, _ = transfer(device, tables, place, at_ns, nr_sectors, True, bus_ns)
    device.counters.transfer_ns += end_ns - at_ns
    device.track_buffer.head_sector = NONE
    return end_ns + device.mechanics.write_completion_ns


@inline_kernel
def positioning_ns(device, tables, now_ns, came_ns, sector, is_write):
    """Seek and rotation a request served from `now_ns` on would pay, ns; none where a read goes on."""
    mechanics = device.mechanics
    if not is_write and sector == device.track_buffer.wanted_sector:
        return 0
    place = locate(mechanics, tables, sector)
    seek = seek_ns(device, tables, place, is_write)
    overhead_ns = mechanics.read_overhead_ns[device.last_was_write]
    if is_write:
        overhead_ns = mechanics.write_overhead_ns[device.last_was_write]
    return seek + rotation_ns(mechanics, max(now_ns, came_ns + overhead_ns) + seek, place)
