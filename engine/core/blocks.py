"""The blocks in which the queue's order stands, and their directory. `order.py` says what they are for.

A block holds up to 64 requests in order. Its directory entry holds a charge they still have to pay
(`charged`), a bound on the passovers left (`lowest`), how many of them write (`writes`), and the keys
between which a gap can lie (`gap_low`, `gap_high`). A *key* is `minor << 44 | sector`.
"""

import numpy as np

from engine.core.jit import inline_kernel, kernel
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE

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
def put(queue, position, slot, request, sequence):
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
    note_gap(queue, position)
    if position > 0:
        note_gap(queue, position - 1)


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
def note_order(queue, position):
    """Whether the keys of a changed block rise, and the gap that follows from it."""
    block = queue.blocks[queue.block_at[position]]
    if not block.ascending:
        falls = 0
        for slot in slots(1, block.count):
            falls += block.key[slot - ONE] >= block.key[slot]
        block.ascending = falls == 0
    note_gap(queue, position)


@kernel
def note_gap(queue, position):
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
def open_block(queue, position):
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
def close_block(queue, position):
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
def split(queue, position):
    """Move the rear half of a full block into a new one behind it."""
    _pay(queue, position)
    open_block(queue, position + 1)
    _move_requests(queue, position, BLOCK_SLOTS // 2, position + 1)


@inline_kernel
def is_sparse(queue, position):
    """Whether a block and the next hold few requests together."""
    count = queue.blocks[queue.block_at[position]].count
    return count + queue.blocks[queue.block_at[position + 1]].count <= MERGE_BELOW


@kernel
def join(queue, position):
    """Make one block of a block and the next."""
    _pay(queue, position)
    _pay(queue, position + 1)
    _move_requests(queue, position + 1, 0, position)
    close_block(queue, position + 1)
    note_gap(queue, position)


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
        note_order(queue, source_position)
    note_order(queue, target_position)
