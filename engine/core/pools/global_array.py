"""GLOBAL: Linux 2.0 ... 2.4.0-test1 (SPEC 4.1, 4.2): one array of slots for all devices.

Reads may use any slot, writes the lower two thirds only: `free[1]` counts those. The search goes down
from the slot found last and around; it starts from the bottom where the limit is another than the last
time. Every release wakes: all sleepers in 2.0 and 2.2, the oldest one in 2.4.0-test1.
"""

from engine.core.jit import kernel
from engine.core.limits import THREAD_LIMIT


@kernel
def take(pool, direction):
    """The next free slot below the direction's limit, from the cursor down."""
    limit = _write_limit(pool) if direction == 1 else pool.slots[0]
    if limit != pool.cursor_limit:
        pool.cursor_limit = limit
        pool.cursor = 0
    if pool.free[direction] == 0:
        return False
    slot = pool.cursor
    while True:
        slot = (slot if slot > 0 else limit) - 1
        if not pool.used[slot]:
            break
    pool.used[slot] = True
    pool.cursor = slot
    pool.slot = slot
    _count(pool, slot, -1)
    return True


@kernel
def put_back(pool, slot):
    """Wake."""
    pool.used[slot] = False
    _count(pool, slot, 1)
    return THREAD_LIMIT if pool.wake_all else 1


@kernel
def _write_limit(pool):
    return pool.slots[0] * 2 // 3


@kernel
def _count(pool, slot, change):
    """`change` slots more are free, of those below the writes' limit, too, if `slot` is one."""
    pool.free[0] += change
    if slot < _write_limit(pool):
        pool.free[1] += change
