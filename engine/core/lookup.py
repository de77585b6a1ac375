"""Finding the queued request a buffer touches, without looking at the others.

Two hash tables, by first sector and by the sector behind the last, chained through the requests. Beside
them the edges of requests are counted by region of 64 sectors, so that a stretch of disk can be seen to
be free of them at a glance.
"""

import numpy as np

from engine.core.jit import inline_kernel, kernel
from engine.core.order import place_of
from engine.core.queue_records import HASH_SIZE, REGIONS
from engine.core.records import NONE, SECTOR_BYTES

REGION_SHIFT = 6


@inline_kernel
def _bucket(sector):
    return ((sector >> 3) ^ (sector >> 16) ^ ((sector & 7) << 11)) & (HASH_SIZE - 1)


@kernel
def clear(queue):
    """Forget all requests."""
    for bucket in range(HASH_SIZE):
        queue.start_hash[bucket] = NONE
        queue.end_hash[bucket] = NONE
    for region in range(REGIONS):
        queue.edges[region] = 0


@inline_kernel
def _region(sector):
    return (sector >> REGION_SHIFT) & (REGIONS - 1)


@kernel
def add_start(queue, request):
    """Make `request` findable by its first sector."""
    entry = queue.requests[request]
    bucket = _bucket(entry.sector)
    entry.next_same_start = queue.start_hash[bucket]
    queue.start_hash[bucket] = request
    queue.edges[_region(entry.sector)] += 1


@kernel
def add_end(queue, request):
    """Make `request` findable by the sector behind its last."""
    entry = queue.requests[request]
    bucket = _bucket(entry.sector + entry.nr_sectors)
    entry.next_same_end = queue.end_hash[bucket]
    queue.end_hash[bucket] = request
    queue.edges[_region(entry.sector + entry.nr_sectors)] += 1


@kernel
def drop_start(queue, request):
    """Undo `add_start`; before the first sector changes."""
    entry = queue.requests[request]
    queue.edges[_region(entry.sector)] -= 1
    bucket = _bucket(entry.sector)
    found = queue.start_hash[bucket]
    if found == request:
        queue.start_hash[bucket] = entry.next_same_start
        return
    while queue.requests[found].next_same_start != request:
        found = queue.requests[found].next_same_start
    queue.requests[found].next_same_start = entry.next_same_start


@kernel
def drop_end(queue, request):
    """Undo `add_end`; before the last sector changes."""
    entry = queue.requests[request]
    queue.edges[_region(entry.sector + entry.nr_sectors)] -= 1
    bucket = _bucket(entry.sector + entry.nr_sectors)
    found = queue.end_hash[bucket]
    if found == request:
        queue.end_hash[bucket] = entry.next_same_end
        return
    while queue.requests[found].next_same_end != request:
        found = queue.requests[found].next_same_end
    queue.requests[found].next_same_end = entry.next_same_end


@inline_kernel
def suits(entry, bio, most_sectors):
    """Whether direction, device and size allow `bio` to merge with the request."""
    return (
        entry.is_write == bio.is_write
        and entry.minor == bio.minor
        and entry.nr_sectors + bio.nr_sectors <= most_sectors
    )


@kernel
def first_back(queue, bio, most_sectors, most_segments, start_place):
    """Place, nearest the head and not before `start_place`, of a suitable request that ends where `bio` begins.

    It must have a segment left for `bio` if that needs one. NONE if there is none.
    """
    best = NONE
    request = np.int64(queue.end_hash[_bucket(bio.sector)])
    while request != NONE:
        entry = queue.requests[request]
        if (
            entry.sector + entry.nr_sectors == bio.sector
            and suits(entry, bio, most_sectors)
            and (entry.memory_end == bio.memory or entry.segments < most_segments)
        ):
            place = place_of(queue, request)
            if place >= start_place and (best == NONE or place < best):
                best = place
        request = np.int64(entry.next_same_end)
    return best


@kernel
def first_front(queue, bio, most_sectors, most_segments, start_place):
    """As `first_back`, for a request that begins where `bio` ends."""
    best = NONE
    memory_end = bio.memory + bio.nr_sectors * SECTOR_BYTES
    request = np.int64(queue.start_hash[_bucket(bio.sector + bio.nr_sectors)])
    while request != NONE:
        entry = queue.requests[request]
        if (
            entry.sector == bio.sector + bio.nr_sectors
            and suits(entry, bio, most_sectors)
            and (entry.memory_start == memory_end or entry.segments < most_segments)
        ):
            place = place_of(queue, request)
            if place >= start_place and (best == NONE or place < best):
                best = place
        request = np.int64(entry.next_same_start)
    return best


@kernel
def last_hashed_end(queue, sector):
    """The request that ends at `sector` and was made findable last; NONE if there is none."""
    request = np.int64(queue.end_hash[_bucket(sector)])
    while request != NONE:
        entry = queue.requests[request]
        if entry.sector + entry.nr_sectors == sector:
            return request
        request = np.int64(entry.next_same_end)
    return NONE


@kernel
def find_back(queue, bio, most_sectors, end_place):
    """Place, nearest the tail and not before `end_place`, of a suitable request that ends where `bio` begins.

    NONE if there is none.
    """
    best = NONE
    request = np.int64(queue.end_hash[_bucket(bio.sector)])
    while request != NONE:
        entry = queue.requests[request]
        if entry.sector + entry.nr_sectors == bio.sector and suits(entry, bio, most_sectors):
            place = place_of(queue, request)
            if place >= end_place:
                best = max(best, place)
        request = np.int64(entry.next_same_end)
    return best


@kernel
def find_front(queue, bio, most_sectors, end_place):
    """As `find_back`, for a request that begins where `bio` ends."""
    best = NONE
    request = np.int64(queue.start_hash[_bucket(bio.sector + bio.nr_sectors)])
    while request != NONE:
        entry = queue.requests[request]
        if entry.sector == bio.sector + bio.nr_sectors and suits(entry, bio, most_sectors):
            place = place_of(queue, request)
            if place >= end_place:
                best = max(best, place)
        request = np.int64(entry.next_same_start)
    return best


@kernel
def free_behind(queue, request, nr_sectors):
    """How many of the `nr_sectors` behind `request`, and the sector behind them, no other request touches.

    Never more than there are; fewer where a region holds an edge of another request, or seems to
    because the table folds the disk.
    """
    entry = queue.requests[request]
    first = entry.sector + entry.nr_sectors
    region = first >> REGION_SHIFT
    while region << REGION_SHIFT <= first + nr_sectors:
        start = region << REGION_SHIFT
        own = int(_region(entry.sector) == _region(start)) + int(_region(first) == _region(start))
        if queue.edges[_region(start)] != own:
            return max(0, start - 1 - first)
        region += 1
    return nr_sectors
