"""Request slots: who gets one, who sleeps, who is woken (SPEC 4.5-4.9).

Reads and writes have half the slots each. A sleeper has no claim: whoever finds a slot free takes it.
Sleepers are woken only by a release that leaves at least `batch` slots of its direction free, and a
woken thread that finds none sleeps on where it stood. The run list of the processors is here, too,
because waking means appending to it.
"""

from engine.core.jit import inline_kernel, kernel
from engine.core.records import NONE, THREAD_LIMIT


@kernel
def reset(pool, slots_each, batch):
    """All slots free, nobody waiting."""
    for direction in range(2):
        pool.slots[direction] = slots_each
        pool.free[direction] = slots_each
        pool.first[direction] = NONE
        pool.last[direction] = NONE
    pool.batch = batch


@inline_kernel
def take(pool, direction):
    """Take a free slot of `direction`; False if there is none."""
    if pool.free[direction] == 0:
        return False
    pool.free[direction] -= 1
    return True


@kernel
def release(pool, direction):
    """Give a slot back and wake sleepers if enough are free now."""
    pool.free[direction] += 1
    if pool.free[direction] < pool.batch:
        return
    thread = pool.first[_wait_queue(pool, direction)]
    while thread != NONE:
        if not pool.woken[thread]:
            pool.woken[thread] = True
            make_runnable(pool, thread)
            if not pool.wake_all:
                return
        thread = pool.next[thread]


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
    if not take(pool, direction):
        pool.woken[thread] = False
        return False
    _link(pool, _wait_queue(pool, direction), pool.previous[thread], pool.next[thread])
    pool.queued[thread] = False
    pool.woken[thread] = False
    return True


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


@kernel
def make_runnable(pool, thread):
    """Append `thread` to the run list."""
    pool.run_list[(pool.run_first + pool.run_count) % THREAD_LIMIT] = thread
    pool.run_count += 1


@kernel
def make_next(pool, thread):
    """Put `thread` first on the run list: its burst is over, and it keeps its processor."""
    pool.run_first = (pool.run_first - 1) % THREAD_LIMIT
    pool.run_list[pool.run_first] = thread
    pool.run_count += 1


@kernel
def next_runnable(pool):
    """Take the first thread off the run list, which must not be empty."""
    thread = pool.run_list[pool.run_first]
    pool.run_first = (pool.run_first + 1) % THREAD_LIMIT
    pool.run_count -= 1
    return thread
