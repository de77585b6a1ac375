"""Finding the queued request a buffer touches, without looking at the others.

Two hash tables, by first sector and by the sector behind the last, chained through the requests.
"""

import numpy as np

from engine.core.jit import inline_kernel, kernel
from engine.core.order import place_of
from engine.core.records import HASH_SIZE, NONE


@inline_kernel
def _bucket(sector):
    return ((sector >> 3) ^ (sector >> 16) ^ ((sector & 7) << 11)) & (HASH_SIZE - 1)


@kernel
def clear(queue):
    """Forget all requests."""
    for bucket in range(HASH_SIZE):
        queue.start_hash[bucket] = NONE
        queue.end_hash[bucket] = NONE


@kernel
def add_start(queue, request):
    """Make `request` findable by its first sector."""
    entry = queue.requests[request]
    bucket = _bucket(entry.sector)
    entry.next_same_start = queue.start_hash[bucket]
    queue.start_hash[bucket] = request


@kernel
def add_end(queue, request):
    """Make `request` findable by the sector behind its last."""
    entry = queue.requests[request]
    bucket = _bucket(entry.sector + entry.nr_sectors)
    entry.next_same_end = queue.end_hash[bucket]
    queue.end_hash[bucket] = request


@kernel
def drop_start(queue, request):
    """Undo `add_start`; before the first sector changes."""
    entry = queue.requests[request]
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
