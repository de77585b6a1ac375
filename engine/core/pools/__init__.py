"""Request pools: which slot a thread gets, and how many sleepers a slot wakes when it comes back.

One kind a file; this is the table. The wait queues are all alike: `engine.core.request_pool` has them.
"""

from engine.core.jit import inline_kernel, kernel
from engine.core.pools import global_array, halves, pending, sectors
from engine.core.pools.records import Pool

FAMILIES = {
    Pool.HALVES: halves,
    Pool.STEALING: halves,
    Pool.PENDING: pending,
    Pool.GLOBAL: global_array,
    Pool.SECTORS_PRE5: sectors,
    Pool.SECTORS_PRE5_AXBOE: sectors,
    Pool.SECTORS: sectors,
}
POOLS = {member.name.lower(): member for member in FAMILIES}
SHARED = (Pool.GLOBAL, Pool.SECTORS_PRE5, Pool.SECTORS_PRE5_AXBOE, Pool.SECTORS)


def slots_for(kind: Pool, nr_requests: int) -> int:
    """The slots `request_pool.reset` wants to know: all where both directions share them, else half."""
    return nr_requests if kind in SHARED else nr_requests // 2


@inline_kernel
def take(pool, direction):
    """Take a slot for `direction` and note it in `pool.slot`; False if there is none to be had."""
    if pool.kind <= Pool.STEALING:
        return halves.take(pool, direction)
    if pool.kind == Pool.GLOBAL:
        return global_array.take(pool, direction)
    if pool.kind == Pool.PENDING:
        return pending.take(pool, direction)
    return sectors.take(pool, direction)


@inline_kernel
def put_back(pool, direction, slot):
    """A slot of `direction` comes back; returns how many sleepers are to be woken."""
    if pool.kind <= Pool.STEALING:
        return halves.put_back(pool, direction, slot)
    if pool.kind == Pool.GLOBAL:
        return global_array.put_back(pool, slot)
    if pool.kind == Pool.PENDING:
        return pending.put_back(pool, direction)
    return sectors.put_back(pool)


@kernel
def count_out(pool):
    """Slots that are not free, by the free lists: as many as are held."""
    if pool.kind == Pool.GLOBAL:
        return pool.slots[0] - pool.free[0]
    out = pool.slots[0] + pool.slots[1] - pool.free[0] - pool.free[1]
    return out - pool.pending[0] - pool.pending[1]
