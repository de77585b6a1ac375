"""The order of the request queue, in blocks, so that no operation walks the whole queue.

The kernels keep the queue as a list and walk it for every buffer. Their decisions need only four
answers: which request counts as nearest the tail, how few passovers a stretch has left, where a sector
fits between two neighbours, and "charge everybody behind here". The order therefore stands in blocks of
up to 64 requests. A directory beside them holds, for each block, a charge not yet paid by its
requests, a bound on the passovers left, and the keys between which a gap can lie; a block is opened only
where its entry says that something may happen there.

A *place* is `position of the block in the directory * 64 + slot`: places compare as the queue does,
head to tail.
"""

import numpy as np

from engine.core.blocks import (
    MINOR_SHIFT,
    NO_SEQUENCE,
    ONE,
    close_block,
    is_sparse,
    join,
    key_of,
    note_gap,
    note_order,
    open_block,
    put,
    slots,
    split,
)
from engine.core.jit import inline_kernel, kernel
from engine.core.queue_records import BLOCK_LIMIT, BLOCK_SLOTS
from engine.core.records import NONE


@kernel
def clear(queue):
    """Make the order empty."""
    queue.length = 0
    queue.nr_blocks = 0
    for position in range(BLOCK_LIMIT):
        queue.block_at[position] = position


@inline_kernel
def last_place(queue):
    """Place of the request nearest the tail; NONE if the queue is empty."""
    if queue.nr_blocks == 0:
        return NONE
    position = queue.nr_blocks - 1
    return position * BLOCK_SLOTS + queue.blocks[queue.block_at[position]].count - 1


@inline_kernel
def request_at(queue, place):
    """Index of the request that stands at `place`."""
    block = queue.blocks[queue.block_at[place // BLOCK_SLOTS]]
    return np.int64(block.request[place % BLOCK_SLOTS])


@inline_kernel
def key_at(queue, place):
    """Key of the request that stands at `place`."""
    block = queue.blocks[queue.block_at[place // BLOCK_SLOTS]]
    return block.key[place % BLOCK_SLOTS]


@inline_kernel
def sequence_at(queue, place):
    """Passovers left to the request at `place`; zero or less means expired."""
    position = place // BLOCK_SLOTS
    block = queue.blocks[queue.block_at[position]]
    return np.int64(block.sequence[place % BLOCK_SLOTS]) - np.int64(queue.charged[position])


@inline_kernel
def next_place(queue, place):
    """Place one nearer the tail; NONE at the tail. `place` NONE gives the head."""
    if place == NONE:
        return 0 if queue.nr_blocks > 0 else NONE
    position = place // BLOCK_SLOTS
    if place % BLOCK_SLOTS + 1 < queue.blocks[queue.block_at[position]].count:
        return place + 1
    return (position + 1) * BLOCK_SLOTS if position + 1 < queue.nr_blocks else NONE


@inline_kernel
def previous_place(queue, place):
    """Place one nearer the head; NONE at the head."""
    if place % BLOCK_SLOTS > 0:
        return place - 1
    position = place // BLOCK_SLOTS - 1
    if position < 0:
        return NONE
    return position * BLOCK_SLOTS + queue.blocks[queue.block_at[position]].count - 1


@kernel
def place_of(queue, request):
    """Place at which `request` stands; it must be queued."""
    block = queue.blocks[queue.requests[request].block]
    wanted, found = np.int32(request), np.int32(0)
    for slot in slots(0, block.count):  # no early exit: vector instructions are quicker
        found = max(found, np.int32(slot) if block.request[slot] == wanted else np.int32(0))
    return block.position * BLOCK_SLOTS + found


@kernel
def insert_after(queue, place, request, sequence):
    """Queue `request` directly behind `place` (NONE: at the head) with `sequence` passovers."""
    if queue.nr_blocks == 0:
        open_block(queue, 0)
        position, slot = 0, 0
    elif place == NONE:
        position, slot = 0, 0
    else:
        position, slot = place // BLOCK_SLOTS, place % BLOCK_SLOTS + 1
    count = queue.blocks[queue.block_at[position]].count
    if count == BLOCK_SLOTS:
        if slot == count and position == queue.nr_blocks - 1:
            position, slot = position + 1, 0
            open_block(queue, position)
        else:
            split(queue, position)
            half = BLOCK_SLOTS // 2
            if slot > half:
                position, slot = position + 1, slot - half
    put(queue, position, slot, request, sequence)
    queue.length += 1


@kernel
def remove(queue, request):
    """Take `request` out of the order."""
    place = place_of(queue, request)
    position, first = place // BLOCK_SLOTS, place % BLOCK_SLOTS
    block = queue.blocks[queue.block_at[position]]
    block.count -= 1
    for slot in slots(first, block.count):
        block.key[slot] = block.key[slot + ONE]
    for slot in slots(first, block.count):
        block.sequence[slot] = block.sequence[slot + ONE]
    for slot in slots(first, block.count):
        block.request[slot] = block.request[slot + ONE]
    queue.writes[position] -= queue.requests[request].is_write
    queue.length -= 1
    if block.count == 0:
        close_block(queue, position)
    elif position + 1 < queue.nr_blocks and is_sparse(queue, position):
        join(queue, position)
    else:
        note_order(queue, position)
    if 0 < position < queue.nr_blocks and is_sparse(queue, position - 1):
        join(queue, position - 1)
    elif position > 0:
        note_gap(queue, position - 1)


@kernel
def change_sector(queue, place, sector):
    """Give the request at `place` another first sector, as a front merge does."""
    position, slot = place // BLOCK_SLOTS, place % BLOCK_SLOTS
    block = queue.blocks[queue.block_at[position]]
    block.key[slot] = key_of(block.key[slot] >> MINOR_SHIFT, sector)
    block.ascending = False  # looked at afresh
    note_order(queue, position)
    if position > 0:
        note_gap(queue, position - 1)


@kernel
def change_sequence(queue, place, sequence):
    """Give the request at `place` another number of passovers."""
    position = place // BLOCK_SLOTS
    block = queue.blocks[queue.block_at[position]]
    block.sequence[place % BLOCK_SLOTS] = sequence + queue.charged[position]
    queue.lowest[position] = min(queue.lowest[position], sequence)


@kernel
def charge_from(queue, place, passovers):
    """Take `passovers` from the request at `place` and from all behind it (NONE: from nobody)."""
    if place == NONE:
        return
    price = np.int32(passovers)
    position, slot = place // BLOCK_SLOTS, place % BLOCK_SLOTS
    if slot > 0:
        block = queue.blocks[queue.block_at[position]]
        for charged in slots(slot, block.count):
            block.sequence[charged] -= price
        queue.lowest[position] -= price
        position += 1
    for charged in slots(position, queue.nr_blocks):
        queue.charged[charged] += price
        queue.lowest[charged] -= price


@kernel
def position_at_most(queue, limit, position):
    """Nearest directory position to the tail, from `position` on, whose requests may have only `limit`
    passovers left; -1 if there is none.

    The directory has a lower bound, because making it exact at every charge would cost more than the
    charge. Where the bound alone is low it is made exact here.
    """
    while position >= 0:
        if queue.lowest[position] <= limit:
            block = queue.blocks[queue.block_at[position]]
            lowest = NO_SEQUENCE
            for slot in slots(0, block.count):
                lowest = min(lowest, block.sequence[slot])
            queue.lowest[position] = lowest - queue.charged[position]
            if queue.lowest[position] <= limit:
                return position
        position -= 1
    return position


@kernel
def all_have(queue, place, passovers):
    """Whether everybody from `place` to the tail surely has more than `passovers` left."""
    for position in range(place // BLOCK_SLOTS, queue.nr_blocks):
        if queue.lowest[position] <= passovers:
            return False
    return True


@kernel
def find_gap(queue, minor, sector, end_place):
    """Nearest place to the tail, `end_place` at the furthest, behind which `sector` lies in between.

    "In between" is the kernels' one-way elevator test (SPEC 2.5): the sector rises from the request to
    the next, or the two are a fold, where one sweep ends and the next begins, and the sector is beyond
    either side. A next request of another minor only asks for a sector above. The request itself must
    be of `minor`, or of any for NONE. Returns NONE if there is no such place.
    """
    position = queue.nr_blocks - 1
    end_position = end_place // BLOCK_SLOTS
    while position >= end_position:
        low = queue.gap_low[position]
        key = key_of(minor if minor != NONE else low >> MINOR_SHIFT, sector)
        if low == NONE or low < key < queue.gap_high[position]:
            found = _gap_in_block(queue, minor, sector, position)
            if found != NONE:
                return found if found >= end_place else NONE
        position -= 1
    return NONE


@kernel
def _gap_in_block(queue, minor, sector, position):
    """Place in the block at `position` behind which `sector` lies in between, nearest the tail."""
    block = queue.blocks[queue.block_at[position]]
    found = np.int64(NONE)
    last = block.count - 1
    if position + 1 < queue.nr_blocks:
        following = queue.blocks[queue.block_at[position + 1]].key[0]
        if in_between(block.key[last], following, minor, sector):
            return position * BLOCK_SLOTS + last
    for slot in slots(0, last):
        here, following = block.key[slot], block.key[slot + ONE]
        hit = in_between(here, following, minor, sector)
        found = max(found, np.int64(slot) if hit else np.int64(NONE))
    return position * BLOCK_SLOTS + found if found != NONE else NONE


@inline_kernel
def in_between(here, following, minor, sector):
    """Whether `sector` of `minor` (NONE: of whatever minor `here` has) belongs between two neighbours.

    Written without a branch, for vector instructions.
    """
    key = key_of(here >> MINOR_SHIFT, sector)
    above, below = key > here, key < following
    rises = here < following
    between = (rises & above & below) | ((not rises) & (above | below))
    same = here >> MINOR_SHIFT == following >> MINOR_SHIFT
    wanted = (minor == NONE) | (here >> MINOR_SHIFT == minor)
    return wanted & ((same & between) | ((not same) & above))
