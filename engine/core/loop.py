"""The event loop: start reading here."""

from engine.core import calendar, measures, request_pool
from engine.core.checks import Breach, find_breach
from engine.core.driver import dispatch, finish
from engine.core.jit import kernel
from engine.core.reader import GAVE_UP, complete_pages, run_thread
from engine.core.records import Event

CHECK_EVERY = 1 << 16  # events


@kernel
def run(state, pages, pieces, tables):
    """Advance the machine until every thread is done; returns a Breach, NOTHING if all is well.

    Between two events nothing happens; at one instant the order of events is the calendar's. After each
    event idle processors take what has become runnable, first come, first served.
    """
    machine = state.machine
    events = 0
    while machine.threads_alive > 0:
        if machine.nr_events == 0:
            return Breach.STANDSTILL
        machine.now_ns, event, number = calendar.next_event(machine)
        if event == Event.COMPLETION:
            complete_request(state, pages, tables)
        elif event == Event.BURST_END:
            run_on_processor(state, pages, pieces, tables, number)
        else:
            request_pool.make_runnable(state.pool, number)
        fill_processors(state, pages, pieces, tables)
        events += 1
        if events % CHECK_EVERY == 0 and find_breach(state) != Breach.NOTHING:
            break
    measures.note_length(state)
    return find_breach(state)


@kernel
def complete_request(state, pages, tables):
    """The device is done: free the request, wake who waits for its pages, hand out the next."""
    request = finish(state)
    entry = state.queue.requests[request]
    measures.note_completion(state, entry)
    complete_pages(state, pages, entry)
    dispatch(state, tables)


@kernel
def run_on_processor(state, pages, pieces, tables, number):
    """Let a thread go on; its processor is idle again once it gives up."""
    burst_ns = run_thread(state, pages, pieces, tables, number)
    if burst_ns == GAVE_UP:
        state.machine.idle_cpus += 1
    else:
        calendar.schedule(state.machine, state.machine.now_ns + burst_ns, Event.BURST_END, number)


@kernel
def fill_processors(state, pages, pieces, tables):
    """Give every idle processor the thread that has been runnable longest."""
    machine = state.machine
    while machine.idle_cpus > 0 and state.pool.run_count > 0:
        machine.idle_cpus -= 1
        run_on_processor(state, pages, pieces, tables, request_pool.next_runnable(state.pool))
