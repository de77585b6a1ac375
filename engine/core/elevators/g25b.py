"""G25B: the first deadline scheduler, Linux 2.5.39 (SPEC 3.16).

Requests wait in a sorted list for each direction, reads in a FIFO, too. What the driver gets next is moved
in batches to a dispatch list. A late read begins a batch, else the first sorted read, else, or after
reads have gone ahead twice, the first sorted write. Writes have no deadline.

The queue's order holds the dispatch list, the sorted reads and the sorted writes, one behind the other; where
one ends is found by bisection, because nothing else is ever between them.
"""

import numpy as np

from engine.core import lookup, order
from engine.core.blocks import MINOR_SHIFT, key_of
from engine.core.elevators.g25a import ANY_SIZE, touches
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE

FIFO_BATCH = 32
SEEK_COST = 16
SECTORS_PER_COST = 256
WRITES_STARVED = 2
DISPATCH = 0  # lists, in the order of the queue
READS = 1
WRITES = 2
NS_PER_MS = 1_000_000  # the kernel's clock ticks every ms


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`: the last merge, a back merge by hash, a front merge in the sorted list.

    Else the place in between in the sorted list of its direction. Where there is none `bio` goes to its
    front if it lies between what is dispatched and what is sorted, else to its tail.
    """
    hint = queue.last_merge
    if hint != NONE:
        verdict = touches(queue.requests[hint], bio)
        if verdict != Verdict.NEW:
            return verdict, order.place_of(queue, hint)
    found = lookup.last_hashed_end(queue, bio.sector)
    if found != NONE and touches(queue.requests[found], bio) == Verdict.BACK:
        return Verdict.BACK, order.place_of(queue, found)
    own = WRITES if bio.is_write else READS
    before, last = last_up_to(queue, own - 1), last_up_to(queue, own)
    if before == last:
        return Verdict.NEW, last
    first = order.next_place(queue, before)
    front = lookup.find_front(queue, bio, ANY_SIZE, first)
    if front != NONE:
        return Verdict.FRONT, front
    gap = _find_gap(queue, bio.sector, first, last)
    if gap != NONE:
        return Verdict.NEW, gap
    dispatched_to = queue.last_sector
    tail = last_up_to(queue, DISPATCH)
    if tail != NONE:
        dispatched_to = _end_at(queue, tail)
    next_sector = queue.requests[order.request_at(queue, first)].sector
    if dispatched_to < bio.sector and bio.sector + bio.nr_sectors < next_sector:
        return Verdict.NEW, before
    return Verdict.NEW, last


@kernel
def list_of(queue, request):
    """DISPATCH, READS or WRITES: which list `request` stands in."""
    entry = queue.requests[request]
    if entry.dispatched:
        return DISPATCH
    return WRITES if entry.is_write else READS


@kernel
def last_up_to(queue, list_number):
    """Place of the last request that stands in that list or in one before it; NONE if there is none."""
    low, high = -1, queue.nr_blocks - 1  # the last block that begins with such a request
    while low < high:
        middle = (low + high + 1) // 2
        if list_of(queue, order.request_at(queue, middle * BLOCK_SLOTS)) <= list_number:
            low = middle
        else:
            high = middle - 1
    if low < 0:
        return NONE
    place = low * BLOCK_SLOTS
    end = place + queue.blocks[queue.block_at[low]].count - 1
    while place < end:
        middle = (place + end + 1) // 2
        if list_of(queue, order.request_at(queue, middle)) <= list_number:
            place = middle
        else:
            end = middle - 1
    return place


@kernel
def _find_gap(queue, sector, first, last):
    """The place nearest `last` behind which `sector` lies in between two neighbours from `first` to `last`."""
    position = last // BLOCK_SLOTS
    following = order.key_at(queue, last)
    while position >= first // BLOCK_SLOTS:
        key = key_of(queue.gap_low[position] >> MINOR_SHIFT, sector)
        low = queue.gap_low[position]
        block = queue.blocks[queue.block_at[position]]
        if low == NONE or low < key < queue.gap_high[position]:
            slot = block.count - 1
            if position == last // BLOCK_SLOTS:
                slot = last % BLOCK_SLOTS - 1
            while slot >= 0 and position * BLOCK_SLOTS + slot >= first:
                here = block.key[slot]
                if order.in_between(here, following, NONE, sector):
                    return position * BLOCK_SLOTS + slot
                following = here
                slot -= 1
        following = block.key[0]
        position -= 1
    return NONE


@kernel
def _end_at(queue, place):
    entry = queue.requests[order.request_at(queue, place)]
    return entry.sector + entry.nr_sectors


@kernel
def charge_merge(queue, target):
    """Nobody pays; the target is the first to be looked at next time, by hint and by hash."""
    request = order.request_at(queue, target)
    lookup.drop_end(queue, request)
    lookup.add_end(queue, request)
    queue.last_merge = request


@kernel
def added(queue, request, verdict):
    """A new request stands in the order: next to a refused target it belongs to that one's list.

    A read goes to the FIFO's tail with its deadline.
    """
    entry = queue.requests[request]
    if verdict != Verdict.NEW:
        place = order.place_of(queue, request)
        target = order.next_place(queue, place)
        if verdict == Verdict.BACK:
            target = order.previous_place(queue, place)
        entry.dispatched = queue.requests[order.request_at(queue, target)].dispatched
    entry.expires_ms = 0
    if not entry.is_write:
        entry.expires_ms = entry.arrival_ns // NS_PER_MS + queue.read_expire_ms
        _link_read(queue, queue.newest_read, request, NONE)


@kernel
def _link_read(queue, previous, request, following):
    """Let `request` stand between two neighbours of the FIFO; NONE stands for its ends."""
    entry = queue.requests[request]
    entry.in_fifo = True
    entry.previous_read = previous
    entry.next_read = following
    if previous == NONE:
        queue.oldest_read = request
    else:
        queue.requests[previous].next_read = request
    if following == NONE:
        queue.newest_read = request
    else:
        queue.requests[following].previous_read = request


@kernel
def leave_fifo(queue, request):
    """The deadline of `request` does not matter any more."""
    entry = queue.requests[request]
    if not entry.in_fifo:
        return
    entry.in_fifo = False
    if entry.previous_read == NONE:
        queue.oldest_read = entry.next_read
    else:
        queue.requests[entry.previous_read].next_read = entry.next_read
    if entry.next_read == NONE:
        queue.newest_read = entry.previous_read
    else:
        queue.requests[entry.next_read].previous_read = entry.previous_read


@kernel
def joined(queue, kept, gone):
    """The survivor inherits an earlier deadline together with the place in the FIFO."""
    survivor, absorbed = queue.requests[kept], queue.requests[gone]
    if survivor.in_fifo and absorbed.in_fifo and absorbed.expires_ms < survivor.expires_ms:
        leave_fifo(queue, kept)
        _link_read(queue, np.int64(absorbed.previous_read), kept, gone)
        survivor.expires_ms = absorbed.expires_ms
    leave_fifo(queue, gone)


@kernel
def prepare_next(queue, now_ns):
    """Let the request that the driver gets next be the first of the order. The queue is not empty."""
    if last_up_to(queue, DISPATCH) == NONE:
        _move_batch(queue, _first_of_batch(queue, now_ns))
    leave_fifo(queue, order.request_at(queue, 0))


@kernel
def _first_of_batch(queue, now_ns):
    """Place of the request to begin a batch with."""
    last_read = last_up_to(queue, READS)
    has_writes = order.last_place(queue) != last_read
    first = NONE if last_read == NONE else 0
    oldest = queue.oldest_read
    if oldest != NONE and now_ns // NS_PER_MS > queue.requests[oldest].expires_ms:
        first = order.place_of(queue, oldest)
    if first != NONE and has_writes:
        queue.starved += 1
        if queue.starved > WRITES_STARVED:
            first = NONE
    if first == NONE:
        queue.starved = 0
        first = order.next_place(queue, last_read)
    return first


@kernel
def _move_batch(queue, place):
    """Move sorted neighbours from `place` on to the dispatch list, which is empty: two seeks at most."""
    budget, end = FIFO_BATCH, queue.last_sector
    request = order.request_at(queue, place)
    own = list_of(queue, request)
    dispatch_tail = NONE
    while budget > 0:
        entry = queue.requests[request]
        following = order.next_place(queue, place)
        next_request = NONE if following == NONE else order.request_at(queue, following)
        target = order.next_place(queue, dispatch_tail)
        if place != target:
            order.remove(queue, request)
            order.insert_after(queue, dispatch_tail, request, 0)
        leave_fifo(queue, request)
        entry.dispatched = True
        budget -= -(-entry.nr_sectors // SECTORS_PER_COST) if entry.sector == end else SEEK_COST
        end = entry.sector + entry.nr_sectors
        if next_request == NONE or list_of(queue, next_request) != own:
            return
        dispatch_tail = order.place_of(queue, request)
        request = next_request
        place = order.place_of(queue, request)
