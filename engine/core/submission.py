"""A thread submits a buffer, and sleeps if the pool has no slot for it (SPEC 2.4 step 5)."""

from engine.core import page_cache, request_pool, request_queue, scheduler
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.kinds import Outcome

SPIN_NS = 10_000
SPIN_SHARE = 16
SPIN_LIMIT_NS = 1_000_000_000


@spliced_kernel
def submit_or_sleep(state, number):
    """Submit the buffer of thread `number`; False if the thread has to sleep for a slot.

    A sleeper unplugs the queue. Woken, it tries for a slot and, with that in hand, submits afresh: the
    queue is scanned once more, and a slot that a merge makes needless goes back.
    """
    thread, pool = state.threads[number], state.pool
    bio, direction = thread.bio, request_queue.direction_of(thread.bio.is_write)
    bio.holds_slot = thread.seeks_slot and request_pool.retry(pool, number, direction)
    if thread.seeks_slot and not bio.holds_slot:
        _sleep_or_spin(state, number)
        return False
    if thread.seeks_slot:
        thread.seeks_slot = False
        bio.slot = pool.slot
        _note_sleep(state, thread)
    outcome = request_queue.submit(state, bio, number)
    if outcome == Outcome.NO_SLOT:
        thread.seeks_slot = True
        thread.slot_sleep_ns = state.machine.now_ns
        thread.slot_served = state.measures.completed
        thread.spun_ns = 0
        page_cache.give_up_run(state, bio)
        state.measures.slot_sleeps += 1
        request_pool.sleep(pool, number, direction)
        _sleep_or_spin(state, number)
        return False
    if bio.holds_slot:
        request_pool.pass_on(pool, state.scheduler)
    if outcome == Outcome.QUEUED:
        thread.outstanding += 1
    bio.extended = request_queue.extend(state, bio)
    return True


@kernel
def _sleep_or_spin(state, number):
    """Thread `number`, which stands in its wait queue, unplugs the queue and sleeps, but for a bug.

    A waiter of 2.4.22-pre5 that finds no slot below the limit of sectors spins (SPEC 4.8): it keeps its
    processor and tries again after SPIN_NS, or a SPIN_SHARE of the time it has spun. The real one never
    gives up, and hangs if the queue is plugged and nobody else unplugs it. Here it goes to sleep, as in
    2.4.22, once it has spun for SPIN_LIMIT_NS.
    """
    thread = state.threads[number]
    if request_pool.sleeps(state.pool) or thread.spun_ns >= SPIN_LIMIT_NS:
        request_queue.unplug(state.queue)
        return
    spin_ns = max(SPIN_NS, thread.spun_ns // SPIN_SHARE)
    thread.spun_ns += spin_ns
    state.pool.woken[number] = True  # nobody need wake it
    scheduler.occupy(state, number, spin_ns, spin_ns)


@inline_kernel
def _note_sleep(state, thread):
    """A sleep for a slot is over."""
    slept_ns = state.machine.now_ns - thread.slot_sleep_ns
    thread.call_slot_ns += slept_ns
    thread.slot_woken_ns = state.machine.now_ns
    thread.slot_served = state.measures.completed - thread.slot_served
    state.measures.slot_sleep_max_ns = max(state.measures.slot_sleep_max_ns, slept_ns)
