"""The write-back cache: a write is done when the drive has its data, and the media follow behind.

What waits for the media is kept as runs of sectors, oldest first; a write that continues the newest
run lengthens it. The media take the oldest run, a piece at a time: what of it lies on one track.
They do so whenever the drive has nothing else to do, which is after a write, or when read-ahead has
filled its buffer. A command waits for the piece the media are at, never for the rest, but for a
write that finds no room and a read of sectors that are still cached.

As with the track buffer, the media are followed only when somebody asks. They begin with no data
before the command that brought them is done.
"""

from engine.core.devices.geometry import arc_ns, locate
from engine.core.devices.media import counted_ns, position_head
from engine.core.devices.records import CACHED_RUNS, NONE
from engine.core.devices.track_buffer import read_ahead
from engine.core.jit import inline_kernel, kernel


@kernel
def write_back(device, tables, until_ns):
    """Let the media write what is cached, every piece they can begin before `until_ns`."""
    cache = device.write_cache
    if cache.capacity_sectors == 0:
        cache.media_ns = until_ns
        return
    if cache.runs > 0 and not still_reads_ahead(device, tables, until_ns):
        while cache.runs > 0 and cache.media_ns < until_ns:
            write_piece(device, tables)
    cache.media_ns = max(cache.media_ns, until_ns)


@inline_kernel
def still_reads_ahead(device, tables, until_ns):
    """Whether the head reads ahead until then; if not, cached writes have it from `media_ns` on."""
    track_buffer = device.track_buffer
    if track_buffer.head_sector == NONE:
        return False
    read_ahead(device, tables, until_ns)
    if track_buffer.head_sector < track_buffer.limit_sector:
        return True
    device.write_cache.media_ns = max(device.write_cache.media_ns, track_buffer.head_ns)
    return False


@kernel
def write_piece(device, tables):
    """Write the oldest cached run as far as its first track goes, from `media_ns` on."""
    cache, mechanics = device.write_cache, device.mechanics
    place = locate(mechanics, tables, cache.run_sector[0])
    piece = min(cache.run_length[0], place.contiguous)
    at_ns = position_head(device, tables, cache.media_ns, place, True)
    cache.media_ns = at_ns + arc_ns(mechanics.zones[place.zone], place.angle, piece)
    device.counters.transfer_ns += counted_ns(device.counters, at_ns, cache.media_ns)
    cache.piece_sectors = piece
    cache.sectors -= piece
    cache.run_sector[0] += piece
    cache.run_length[0] -= piece
    if cache.run_length[0] == 0:
        cache.runs -= 1
        for run in range(cache.runs):
            cache.run_sector[run] = cache.run_sector[run + 1]
            cache.run_length[run] = cache.run_length[run + 1]


@inline_kernel
def write_to_cache(device, tables, start_ns, sector, nr_sectors):
    """When a write is done whose data cross the bus from `start_ns` on, ns.

    It is done late where more would then be cached than the cache holds: once the media have
    written so much that it fits. A piece keeps its room until all of it is written.
    """
    cache, mechanics = device.write_cache, device.mechanics
    device.track_buffer.head_sector = NONE
    done_ns = start_ns + nr_sectors * mechanics.write_bus_ns + mechanics.write_completion_ns
    write_back(device, tables, done_ns)
    add_to_cache(cache, sector, nr_sectors)
    under_way = cache.piece_sectors if cache.media_ns > done_ns else 0
    if cache.sectors + under_way > cache.capacity_sectors:
        done_ns = cache.media_ns
    while cache.sectors > cache.capacity_sectors or cache.runs > CACHED_RUNS:
        write_piece(device, tables)
        done_ns = cache.media_ns
    return done_ns


@inline_kernel
def add_to_cache(cache, sector, nr_sectors):
    """Lengthen the newest run if the sectors continue it, else begin a new one."""
    cache.sectors += nr_sectors
    newest = cache.runs - 1
    if newest >= 0 and cache.run_sector[newest] + cache.run_length[newest] == sector:
        cache.run_length[newest] += nr_sectors
        return
    cache.run_sector[cache.runs] = sector
    cache.run_length[cache.runs] = nr_sectors
    cache.runs += 1


@inline_kernel
def flush_for_read(device, tables, sector, nr_sectors):
    """Write what is cached until none of these sectors is; that ends read-ahead."""
    while is_cached(device.write_cache, sector, nr_sectors):
        write_piece(device, tables)
        device.track_buffer.head_sector = NONE


@inline_kernel
def is_cached(cache, sector, nr_sectors):
    """Whether one of the sectors waits for the media."""
    for run in range(cache.runs):
        behind = cache.run_sector[run] + cache.run_length[run]
        if cache.run_sector[run] < sector + nr_sectors and sector < behind:
            return True
    return False
