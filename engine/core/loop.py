"""The event loop: start reading here."""

from engine.core import calendar, journal, measures, request_pool, request_queue
from engine.core.checks import Breach, find_breach, find_page_breach
from engine.core.driver import dispatch, finish
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.kinds import Event, Step
from engine.core.page_cache import complete_pages
from engine.core.program import run_thread
from engine.core.records import NONE
from engine.core.submission import submit_or_sleep

CHECK_EVERY = 1 << 16  # events


@kernel
def run(state, pages, files, pieces, opens, program, tables):
    """Advance the machine until every foreground thread is done; returns a Breach, NOTHING if all is well.

    Between two events nothing happens; at one instant the order of events is the calendar's. After each
    event idle processors take what has become runnable, first come, first served; threads whose slice is
    over come last.
    """
    machine, pool = state.machine, state.pool
    events = 0
    while machine.foreground_alive > 0:
        if machine.nr_events == 0:  # all sleep for slots; there, other programs would run the queue
            request_queue.unplug(state.queue)
            dispatch(state, tables)
        if stands_still(state):
            return Breach.STANDSTILL
        if machine.spins:
            return Breach.SPINS
        machine.now_ns, event, number = calendar.next_event(machine)
        if event == Event.COMPLETION:
            complete_request(state, pages, number)
        elif event == Event.BURST_END:
            machine.idle_cpus += 1
            end_burst(state, number)
        else:
            request_pool.make_runnable(pool, number)
        dispatch(state, tables)
        while machine.idle_cpus > 0:
            number = next_thread(state)
            if number == NONE:
                break
            run_on_processor(state, pages, files, pieces, opens, program, number)
            dispatch(state, tables)
        events += 1
        if events % CHECK_EVERY == 0 and find_breach(state) != Breach.NOTHING:
            break
    measures.note_length(state)
    breach = find_breach(state)
    return breach if breach != Breach.NOTHING else find_page_breach(state, pages)


@inline_kernel
def stands_still(state):
    """Whether nothing is left to happen but that kupdate wakes up and finds nothing to do."""
    machine = state.machine
    return machine.nr_events == 0 or (
        machine.nr_events == 1
        and machine.held == 0
        and calendar.next_number(machine) == state.cache.kupdate
        and state.queue.length == 0
        and state.cache.dirty == 0
        and journal.changes(state.journal) == 0
    )


@inline_kernel
def next_thread(state):
    """The first runnable thread whose slice is not over; if all are over, new slices for everybody."""
    machine, pool = state.machine, state.pool
    while pool.run_count > 0:
        number = request_pool.next_runnable(pool)
        thread = state.threads[number]
        if thread.epoch < machine.epoch:
            thread.epoch = machine.epoch
            thread.slice_used_ns = 0
        if thread.slice_used_ns < machine.slice_ns:
            return number
        request_pool.make_spent(pool, number)
    if pool.spent_count == 0:
        return NONE
    machine.epoch += 1
    number = request_pool.next_spent(pool)
    state.threads[number].epoch = machine.epoch
    state.threads[number].slice_used_ns = 0
    return number


@inline_kernel
def begin_burst(state, number, burst_ns):
    """A thread takes up a processor, until its slice is over at most."""
    machine, thread = state.machine, state.threads[number]
    runs_ns = min(burst_ns, machine.slice_ns - thread.slice_used_ns)
    thread.slice_used_ns += runs_ns
    thread.burst_left_ns = burst_ns - runs_ns
    measures.note_burst(state, thread, runs_ns)
    machine.idle_cpus -= 1
    calendar.schedule(machine, machine.now_ns + runs_ns, Event.BURST_END, number)


@inline_kernel
def end_burst(state, number):
    """A thread goes on at once when its burst is over; when its slice is, all others come first."""
    thread = state.threads[number]
    if thread.slice_used_ns < state.machine.slice_ns:
        request_pool.make_next(state.pool, number)
        return
    request_pool.make_spent(state.pool, number)


@spliced_kernel
def complete_request(state, pages, disk):
    """A disk is done; if that completes a request: free it and wake who waits for its pages."""
    request = finish(state, disk)
    if request == NONE:
        return
    entry = state.queue.requests[request]
    measures.note_completion(state, entry)
    complete_pages(state, pages, entry)


@spliced_kernel
def run_on_processor(state, pages, files, pieces, opens, program, number):
    """Let a thread run until it takes up its processor for a while or gives it back."""
    while True:
        burst_ns = state.threads[number].burst_left_ns
        step = Step.BURST
        if burst_ns == 0:
            step, burst_ns = run_thread(state, pages, files, pieces, opens, program, number)
        if step == Step.BURST:
            begin_burst(state, number, burst_ns)
            return
        if step == Step.SLEEP or not submit_or_sleep(state, number):
            return
