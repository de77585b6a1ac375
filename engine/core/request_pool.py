"""Request slots: who gets one, who sleeps, who is woken (SPEC 4).

What all kernels share: a sleeper has no claim. Whoever finds a slot free takes it, and a woken thread
that finds none sleeps on where it stood. How slots are kept and when they wake is the pool's kind:
`engine.core.pools`. Who is woken becomes runnable: what wakes needs the scheduler's run list, too.
"""

from engine.core import pools
from engine.core.jit import inline_kernel, kernel
from engine.core.pools import sectors
from engine.core.pools.records import Pool
from engine.core.records import NONE
from engine.core.scheduler import make_runnable


@kernel
def reset(pool, slots, batch):
    """All slots free, nobody waiting; `slots` is what `pools.slots_for` says."""
    for direction in range(2):
        pool.slots[direction] = slots
        pool.held[direction] = 0
        pool.pending[direction] = 0
        pool.first[direction] = NONE
        pool.last[direction] = NONE
    if pool.kind >= Pool.GLOBAL:
        pool.slots[1] = slots * 2 // 3 if pool.kind == Pool.GLOBAL else 0
    for slot in range(pool.used.size):
        pool.used[slot] = False
    pool.free[0] = pool.slots[0]
    pool.free[1] = pool.slots[1]
    pool.cursor = 0
    pool.cursor_limit = 0
    pool.sectors = 0
    pool.batch = batch


@inline_kernel
def take(pool, direction):
    """Take a slot for `direction`, noted in `pool.slot`; False if there is none to be had."""
    if not pools.take(pool, direction):
        return False
    pool.held[direction] += 1
    return True


@kernel
def release(pool, scheduler, direction, slot):
    """Give a slot back and wake the sleepers that this wakes."""
    pool.held[direction] -= 1
    _wake(pool, scheduler, direction, pools.put_back(pool, direction, slot))


@inline_kernel
def note_queued(pool, nr_sectors):
    """`nr_sectors` more are queued; counts only where the pool throttles."""
    if pool.throttles:
        pool.sectors += nr_sectors


@inline_kernel
def note_transferred(pool, scheduler, nr_sectors):
    """`nr_sectors` are on the disk or in memory; where the pool throttles, that alone may wake."""
    if pool.throttles:
        pool.sectors -= nr_sectors
        _wake(pool, scheduler, 0, sectors.roomy(pool))


@inline_kernel
def sleeps(pool):
    """Whether a thread that got no slot sleeps and so unplugs the queue; else it spins, a bug."""
    return pool.kind < Pool.SECTORS_PRE5 or sectors.sleeps(pool)


@kernel
def sleep(pool, thread, direction):
    """Put `thread` into its wait queue, or back to sleep where it stands in it."""
    pool.woken[thread] = False
    if pool.queued[thread]:
        return
    queue = _wait_queue(pool, direction)
    before = NONE if pool.newest_first else pool.last[queue]
    after = pool.first[queue] if pool.newest_first else NONE
    _link(pool, queue, before, thread)
    _link(pool, queue, thread, after)
    pool.queued[thread] = True


@kernel
def retry(pool, thread, direction):
    """A woken thread tries again: it gets a slot and leaves the wait queue, or sleeps on."""
    pool.woken[thread] = False
    if not take(pool, direction):
        return False
    _link(pool, _wait_queue(pool, direction), pool.previous[thread], pool.next[thread])
    pool.queued[thread] = False
    return True


@inline_kernel
def pass_on(pool, scheduler):
    """Who slept for a slot has queued its request: in 2.4.22 that wakes the next sleeper."""
    if pool.kind >= Pool.SECTORS_PRE5:
        _wake(pool, scheduler, 0, 1)


@kernel
def _wake(pool, scheduler, direction, count):
    """Make the first `count` sleepers runnable that were not woken before."""
    if count == 0:
        return
    thread = pool.first[_wait_queue(pool, direction)]
    while thread != NONE and count > 0:
        if not pool.woken[thread]:
            pool.woken[thread] = True
            make_runnable(scheduler, thread)
            count -= 1
        thread = pool.next[thread]


@inline_kernel
def _wait_queue(pool, direction):
    return direction if pool.per_direction else 0


@kernel
def _link(pool, queue, before, after):
    """Make `before` and `after` neighbours in a wait queue; NONE stands for its ends."""
    if before == NONE:
        pool.first[queue] = after
    else:
        pool.next[before] = after
    if after == NONE:
        pool.last[queue] = before
    else:
        pool.previous[after] = before
