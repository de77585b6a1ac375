"""SECTORS: Linux 2.4.22 and its -pre kernels (SPEC 4.8): one pool, and a limit on the sectors queued.

Sectors count from when they are queued or merged until they are transferred. The pool is oversized when
more than `most_sectors` are queued or, if it does not throttle, when no slot is free. Who slept and got
his slot wakes the next one.

 * SECTORS_PRE5 (2.4.22-pre3 ... pre6): nobody gets a slot while the pool is oversized. Its waiters have a
   bug: where no slot is free but the pool is not oversized they spin instead of sleeping, and do not
   unplug the queue (`sleeps`; `engine.core.submission` lets them spin and bounds it).
 * SECTORS_PRE5_AXBOE (2.4.22-pre5-axboe): the limit, and a reserve of four slots, hold for writes alone.
   The bug is the same. That tree also unplugs after a synchronous read; that is not modelled.
 * SECTORS (2.4.22): oversized, a few reads still get in, and none beyond another batch of sectors.
"""

from engine.core.jit import kernel
from engine.core.pools.records import Pool

WRITE_RESERVE = 4
FEW_READS = 4


@kernel
def take(pool, direction):
    """A slot if one is free and the limits let the direction have it."""
    if pool.free[0] == 0 or _refuses(pool, direction):
        return False
    pool.free[0] -= 1
    return True


@kernel
def put_back(pool):
    """Wake one sleeper if there is room."""
    pool.free[0] += 1
    return roomy(pool)


@kernel
def roomy(pool):
    """Whether, as 0 or 1, a batch of slots is free and, throttled, a batch of sectors too."""
    if pool.free[0] < pool.batch:
        return 0
    if pool.throttles and pool.sectors > pool.most_sectors - pool.most_sectors // 4:
        return 0
    return 1


@kernel
def sleeps(pool):
    """Whether a thread that got no slot sleeps, as it should."""
    return pool.kind == Pool.SECTORS or _oversized(pool)


@kernel
def _oversized(pool):
    if pool.throttles:
        return pool.sectors > pool.most_sectors
    return pool.free[0] == 0


@kernel
def _refuses(pool, direction):
    """Whether a free slot is denied to `direction`."""
    if pool.kind == Pool.SECTORS_PRE5_AXBOE:
        return direction == 1 and (_oversized(pool) or pool.free[0] < WRITE_RESERVE)
    if not _oversized(pool):
        return False
    return (
        pool.kind == Pool.SECTORS_PRE5
        or direction == 1
        or pool.held[0] > max(FEW_READS, pool.slots[0] // 32)
        or pool.sectors > pool.most_sectors + pool.most_sectors // 4
    )
