"""What the elevators before 2.4.2 share: one sweep in order of minor and sector, plugging by a dummy.

Linux 2.0 and 2.2 plug a queue by putting a dummy request before its head: it sorts before everything, has
no segments and never merges. Their walks from head to tail start at it; here NONE is its place.
"""

from engine.core import lookup, order
from engine.core.blocks import key_of
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE


@inline_kernel
def has_dummy(queue):
    """Whether a dummy stands before the head: 2.2 keeps the plug of IDE outside of the queue."""
    return queue.plugged and (queue.elevator == Elevator.G20 or not queue.head_active)


@inline_kernel
def first_element(queue):
    """Where a walk that looks at everything starts: the dummy, else the head."""
    return NONE if has_dummy(queue) else 0


@kernel
def first_target(queue, bio, most_sectors, most_segments, back_from, front_from):
    """The request nearest the head that `bio` touches, from these places on: its verdict and place."""
    back = lookup.first_back(queue, bio, most_sectors, most_segments, back_from)
    front = lookup.first_front(queue, bio, most_sectors, most_segments, front_from)
    if back == NONE and front == NONE:
        return Verdict.NEW, NONE
    if front == NONE or (back != NONE and back < front):
        return Verdict.BACK, back
    return Verdict.FRONT, front


@kernel
def find_first_gap(queue, bio, start):
    """Place nearest the head, from `start` (NONE: the dummy) on, behind which `bio` belongs; else the tail.

    It belongs between two neighbours that rise. Where the sweep folds back it belongs beyond the lower end
    or before the new start; in 2.0 it is enough to lie before the new start, and not enough to lie
    beyond the end. Blocks that rise are opened only where the sector falls into them.
    """
    key = key_of(bio.minor, bio.sector)
    if start == NONE:
        if queue.nr_blocks == 0 or key < order.key_at(queue, 0):
            return NONE
        start = 0
    position, slot = start // BLOCK_SLOTS, start % BLOCK_SLOTS
    while position < queue.nr_blocks:
        if queue.gap_low[position] < key < queue.gap_high[position]:
            found = _first_gap_in_block(queue, key, position, slot)
            if found != NONE:
                return found
        position, slot = position + 1, 0
    return order.last_place(queue)


@kernel
def _first_gap_in_block(queue, key, position, slot):
    block = queue.blocks[queue.block_at[position]]
    here = block.key[slot]
    while slot < block.count:
        if slot + 1 < block.count:
            following = block.key[slot + 1]
        elif position + 1 < queue.nr_blocks:
            following = queue.blocks[queue.block_at[position + 1]].key[0]
        else:
            break
        beyond, before = here < key, key < following
        if here < following:
            belongs = beyond and before
        else:
            belongs = before or (beyond and queue.elevator != Elevator.G20)
        if belongs:
            return position * BLOCK_SLOTS + slot
        here = following
        slot += 1
    return NONE


@kernel
def find_below(queue, bio, end_place):
    """Place nearest the tail, `end_place` at the furthest, of a request that lies before `bio`."""
    key = key_of(bio.minor, bio.sector)
    position = queue.nr_blocks - 1
    while position >= end_place // BLOCK_SLOTS:
        block = queue.blocks[queue.block_at[position]]
        if not block.ascending or block.key[0] < key:
            for slot in range(block.count - 1, -1, -1):
                if block.key[slot] < key:
                    place = position * BLOCK_SLOTS + slot
                    return place if place >= end_place else NONE
        position -= 1
    return NONE
