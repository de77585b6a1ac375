"""The order of the request queue, in blocks, so that no operation walks the whole queue.

The kernels keep the queue as a list and walk it for every buffer. Their decisions need only four
answers: which request counts as nearest the tail, how few passovers a stretch has left, where a sector
fits between two neighbours, and "charge everybody behind here". The order therefore stands in blocks of
up to 64 requests. A directory beside them holds, for each block, a charge not yet paid by its
requests, a bound on the passovers left, and the keys between which a gap can lie; a block is opened only
where its entry says that something may happen there.

A *place* is `position of the block in the directory * 64 + slot`: places compare as the queue does,
head to tail. A *key* is `minor << 44 | sector`.
"""

import numpy as np

from engine.core.jit import inline_kernel, kernel
from engine.core.records import BLOCK_LIMIT, BLOCK_SLOTS, NONE

MINOR_SHIFT = 44
NO_SEQUENCE = np.int32(2**31 - 1)
NO_KEY = 2**62
MERGE_BELOW = 32  # neighbouring blocks that hold no more together become one
ONE = np.uint64(1)


@inline_kernel
def key_of(minor, sector):
    """The number by which the order compares requests."""
    return (minor << MINOR_SHIFT) | sector


@inline_kernel
def slots(first, end):
    """The slots from `first` to `end` - 1 as unsigned numbers.

    Numba then knows that no index is negative, and the compiler turns simple loops over them into
    vector instructions, which makes them three to eight times as fast.
    """
    return range(np.uint64(first), np.uint64(end))


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
        _open_block(queue, 0)
        position, slot = 0, 0
    elif place == NONE:
        position, slot = 0, 0
    else:
        position, slot = place // BLOCK_SLOTS, place % BLOCK_SLOTS + 1
    count = queue.blocks[queue.block_at[position]].count
    if count == BLOCK_SLOTS:
        if slot == count and position == queue.nr_blocks - 1:
            position, slot = position + 1, 0
            _open_block(queue, position)
        else:
            _split(queue, position)
            half = BLOCK_SLOTS // 2
            if slot > half:
                position, slot = position + 1, slot - half
    _put(queue, position, slot, request, sequence)
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
        _close_block(queue, position)
    elif position + 1 < queue.nr_blocks and _is_sparse(queue, position):
        _join(queue, position)
    else:
        _note_order(queue, position)
    if 0 < position < queue.nr_blocks and _is_sparse(queue, position - 1):
        _join(queue, position - 1)
    elif position > 0:
        _note_gap(queue, position - 1)


@kernel
def change_key(queue, place, key):
    """Give the request at `place` another first sector, as a front merge does."""
    position = place // BLOCK_SLOTS
    block = queue.blocks[queue.block_at[position]]
    block.key[place % BLOCK_SLOTS] = key
    block.ascending = False  # looked at afresh
    _note_order(queue, position)
    if position > 0:
        _note_gap(queue, position - 1)


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
        if _in_between(block.key[last], following, minor, sector):
            return position * BLOCK_SLOTS + last
    for slot in slots(0, last):
        here, following = block.key[slot], block.key[slot + ONE]
        hit = _in_between(here, following, minor, sector)
        found = max(found, np.int64(slot) if hit else np.int64(NONE))
    return position * BLOCK_SLOTS + found if found != NONE else NONE


@inline_kernel
def _in_between(here, following, minor, sector):
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


@kernel
def _put(queue, position, slot, request, sequence):
    """Write `request` into a block that has room."""
    block = queue.blocks[queue.block_at[position]]
    _pay(queue, position)
    end = np.uint64(block.count)
    for back in slots(0, block.count - slot):
        block.key[end - back] = block.key[end - back - ONE]
    for back in slots(0, block.count - slot):
        block.sequence[end - back] = block.sequence[end - back - ONE]
    for back in slots(0, block.count - slot):
        block.request[end - back] = block.request[end - back - ONE]
    entry = queue.requests[request]
    block.key[slot] = key_of(entry.minor, entry.sector)
    block.request[slot] = request
    block.sequence[slot] = sequence
    block.count += 1
    entry.block = queue.block_at[position]
    queue.writes[position] += entry.is_write
    queue.lowest[position] = min(queue.lowest[position], sequence)
    if block.ascending:
        block.ascending = (slot == 0 or block.key[slot - 1] < block.key[slot]) and (
            slot + 1 == block.count or block.key[slot] < block.key[slot + 1]
        )
    _note_gap(queue, position)
    if position > 0:
        _note_gap(queue, position - 1)


@kernel
def _pay(queue, position):
    """Charge the requests of a block what its directory entry says they owe."""
    owed = queue.charged[position]
    if owed != 0:
        block = queue.blocks[queue.block_at[position]]
        for slot in slots(0, block.count):
            block.sequence[slot] -= owed
        queue.charged[position] = 0


@kernel
def _note_order(queue, position):
    """Whether the keys of a changed block rise, and the gap that follows from it."""
    block = queue.blocks[queue.block_at[position]]
    if not block.ascending:
        falls = 0
        for slot in slots(1, block.count):
            falls += block.key[slot - ONE] >= block.key[slot]
        block.ascending = falls == 0
    _note_gap(queue, position)


@kernel
def _note_gap(queue, position):
    """Between which keys a gap can lie: exact for a block that rises into the next, else anywhere."""
    block = queue.blocks[queue.block_at[position]]
    first, last = block.key[0], block.key[block.count - 1]
    following = last
    rises = True
    if position + 1 < queue.nr_blocks:
        following = queue.blocks[queue.block_at[position + 1]].key[0]
        rises = last < following
    if block.ascending and rises and first >> MINOR_SHIFT == following >> MINOR_SHIFT:
        queue.gap_low[position] = first
        queue.gap_high[position] = following
    else:
        queue.gap_low[position] = NONE  # anywhere
        queue.gap_high[position] = NO_KEY


@kernel
def _open_block(queue, position):
    """Put an empty block into the directory."""
    block_index = queue.block_at[queue.nr_blocks]
    for after in range(queue.nr_blocks, position, -1):
        _move_entry(queue, after - 1, after)
    queue.nr_blocks += 1
    queue.block_at[position] = block_index
    block = queue.blocks[block_index]
    block.count = 0
    block.position = position
    block.ascending = True
    queue.charged[position] = 0
    queue.lowest[position] = NO_SEQUENCE
    queue.writes[position] = 0


@kernel
def _close_block(queue, position):
    """Take an empty block out of the directory."""
    block_index = queue.block_at[position]
    for after in range(position + 1, queue.nr_blocks):
        _move_entry(queue, after, after - 1)
    queue.nr_blocks -= 1
    queue.block_at[queue.nr_blocks] = block_index


@inline_kernel
def _move_entry(queue, source, target):
    queue.block_at[target] = queue.block_at[source]
    queue.charged[target] = queue.charged[source]
    queue.lowest[target] = queue.lowest[source]
    queue.writes[target] = queue.writes[source]
    queue.gap_low[target] = queue.gap_low[source]
    queue.gap_high[target] = queue.gap_high[source]
    queue.blocks[queue.block_at[target]].position = target


@kernel
def _split(queue, position):
    """Move the rear half of a full block into a new one behind it."""
    _pay(queue, position)
    _open_block(queue, position + 1)
    _move_requests(queue, position, BLOCK_SLOTS // 2, position + 1)


@inline_kernel
def _is_sparse(queue, position):
    """Whether a block and the next hold few requests together."""
    count = queue.blocks[queue.block_at[position]].count
    return count + queue.blocks[queue.block_at[position + 1]].count <= MERGE_BELOW


@kernel
def _join(queue, position):
    """Make one block of a block and the next."""
    _pay(queue, position)
    _pay(queue, position + 1)
    _move_requests(queue, position + 1, 0, position)
    _close_block(queue, position + 1)
    _note_gap(queue, position)


@kernel
def _move_requests(queue, source_position, first_slot, target_position):
    """Append the requests from `first_slot` on to another block; nobody may owe a charge."""
    source = queue.blocks[queue.block_at[source_position]]
    target = queue.blocks[queue.block_at[target_position]]
    for slot in range(first_slot, source.count):
        request = source.request[slot]
        target.key[target.count] = source.key[slot]
        target.request[target.count] = request
        target.sequence[target.count] = source.sequence[slot]
        entry = queue.requests[request]
        entry.block = queue.block_at[target_position]
        queue.writes[source_position] -= entry.is_write
        queue.writes[target_position] += entry.is_write
        target.count += 1
    source.count = first_slot
    queue.lowest[target_position] = min(
        queue.lowest[target_position], queue.lowest[source_position]
    )
    target.ascending = False  # looked at afresh
    if source.count > 0:
        _note_order(queue, source_position)
    _note_order(queue, target_position)
