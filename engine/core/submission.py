"""A thread submits a buffer, and sleeps if the pool has no slot for it (SPEC 2.4 step 5)."""

from engine.core import request_pool, request_queue
from engine.core.jit import inline_kernel
from engine.core.records import Outcome


@inline_kernel
def submit_or_sleep(state, number):
    """Submit the buffer of thread `number`; False if the thread has to sleep for a slot.

    A sleeper unplugs the queue. Woken, it tries for a slot and, with that in hand, submits afresh: the
    queue is scanned once more, and a slot that a merge makes needless goes back.
    """
    thread, pool = state.threads[number], state.pool
    bio, direction = thread.bio, request_queue.direction_of(thread.bio.is_write)
    bio.holds_slot = thread.seeks_slot and request_pool.retry(pool, number, direction)
    if thread.seeks_slot and not bio.holds_slot:
        request_queue.unplug(state.queue)
        return False
    if thread.seeks_slot:
        thread.seeks_slot = False
        _note_sleep(state, thread)
    outcome = request_queue.submit(state, bio, number)
    if outcome == Outcome.NO_SLOT:
        thread.seeks_slot = True
        thread.slot_sleep_ns = state.machine.now_ns
        thread.slot_served = state.measures.completed
        state.measures.slot_sleeps += 1
        request_pool.sleep(pool, number, direction)
        return False
    if outcome == Outcome.QUEUED:
        thread.outstanding += 1
    bio.extended = request_queue.extend(state, bio)
    return True


@inline_kernel
def _note_sleep(state, thread):
    """A sleep for a slot is over."""
    slept_ns = state.machine.now_ns - thread.slot_sleep_ns
    thread.call_slot_ns += slept_ns
    thread.slot_woken_ns = state.machine.now_ns
    thread.slot_served = state.measures.completed - thread.slot_served
    state.measures.slot_sleep_max_ns = max(state.measures.slot_sleep_max_ns, slept_ns)
