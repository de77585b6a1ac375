"""HALVES and STEALING: half of the slots for reads, half for writes (SPEC 4.3, 4.5-4.7, 4.9).

HALVES is Linux 2.4.13.4 ... 2.4.21 and 2.5: nobody takes from the other half, and sleepers are woken
only by a release that leaves `batch` slots of its direction free. STEALING is 2.4.0-test2 ... 2.4.0: a
read that finds its half empty takes a write slot, which goes back to where it came from.
"""

from engine.core.jit import inline_kernel
from engine.core.limits import THREAD_LIMIT
from engine.core.pools.records import Pool


@inline_kernel
def take(pool, direction):
    """A slot of the own half, else, where reads may steal, of the other."""
    half = direction
    if pool.free[half] == 0:
        if pool.kind != Pool.STEALING or direction != 0 or pool.free[1] == 0:
            return False
        half = 1
    pool.free[half] -= 1
    pool.slot = half
    return True


@inline_kernel
def put_back(pool, direction, slot):
    """Wake sleepers if a batch is free now."""
    half = slot if pool.kind == Pool.STEALING else direction
    pool.free[half] += 1
    if pool.free[half] < pool.batch:
        return 0
    return THREAD_LIMIT if pool.wake_all else 1
