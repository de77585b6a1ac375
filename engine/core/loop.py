"""The event loop: start reading here."""

from engine.core import calendar, measures, request_pool, request_queue
from engine.core.checks import Breach, find_breach
from engine.core.driver import dispatch, finish
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.reader import complete_pages, run_thread
from engine.core.records import Event, Step
from engine.core.submission import submit_or_sleep

CHECK_EVERY = 1 << 16  # events
KUPDATE_NS = 5_000_000_000  # it writes back and unplugs every 5 s (SPEC 7)


@kernel
def run(state, pages, pieces, tables):
    """Advance the machine until every thread is done; returns a Breach, NOTHING if all is well.

    Between two events nothing happens; at one instant the order of events is the calendar's. After each
    event idle processors take what has become runnable, first come, first served.
    """
    machine, pool = state.machine, state.pool
    events = 0
    while machine.threads_alive > 0:
        if machine.nr_events == 0:
            if state.queue.length == 0 or not state.queue.plugged:
                return Breach.STANDSTILL
            wait_for_kupdate(state)
            dispatch(state, tables)
            continue
        machine.now_ns, event, number = calendar.next_event(machine)
        if event == Event.COMPLETION:
            complete_request(state, pages)
        elif event == Event.BURST_END:
            machine.idle_cpus += 1
            request_pool.make_next(pool, number)
        else:
            request_pool.make_runnable(pool, number)
        dispatch(state, tables)
        while machine.idle_cpus > 0 and pool.run_count > 0:
            run_on_processor(state, pages, pieces, request_pool.next_runnable(pool))
            dispatch(state, tables)
        events += 1
        if events % CHECK_EVERY == 0 and find_breach(state) != Breach.NOTHING:
            break
    measures.note_length(state)
    return find_breach(state)


@inline_kernel
def wait_for_kupdate(state):
    """Everybody sleeps, and nobody is left to unplug the queue but kupdate, at its next round."""
    rounds = state.machine.now_ns // KUPDATE_NS + 1
    state.machine.now_ns = rounds * KUPDATE_NS
    request_queue.unplug(state.queue)


@spliced_kernel
def complete_request(state, pages):
    """The device is done with a request: free it and wake who waits for its pages."""
    entry = state.queue.requests[finish(state)]
    measures.note_completion(state, entry)
    complete_pages(state, pages, entry)


@spliced_kernel
def run_on_processor(state, pages, pieces, number):
    """Let a thread run until it takes up its processor for a while or gives it back."""
    while True:
        step, burst_ns = run_thread(state, pages, pieces, number)
        if step == Step.BURST:
            state.machine.idle_cpus -= 1
            calendar.schedule(
                state.machine, state.machine.now_ns + burst_ns, Event.BURST_END, number
            )
            return
        if step == Step.SLEEP or not submit_or_sleep(state, number):
            return
