"""The event loop: start reading here."""

from engine.core import calendar, journal, measures, request_queue, scheduler
from engine.core.checks import Breach, find_breach, find_page_breach
from engine.core.driver import dispatch, finish
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.kinds import Event, Step
from engine.core.page_cache import complete_pages
from engine.core.program import STEPS_LIMIT, run_thread
from engine.core.records import NONE
from engine.core.submission import submit_or_sleep

CHECK_EVERY = 1 << 16  # events


@kernel
def run(state, pages, files, pieces, opens, program, tables):
    """Advance the machine until every foreground thread is done; returns a Breach, NOTHING if all is well.

    Between two events nothing happens; at one instant the order of events is the calendar's. After each
    event idle processors take what has become runnable, in the scheduler's order, and who was woken may
    take a processor away.
    """
    machine = state.machine
    events, still = 0, 0
    while machine.foreground_alive > 0:
        if machine.nr_events == 0:  # all sleep for slots; there, other programs would run the queue
            request_queue.unplug(state.queue)
            dispatch(state, tables)
        if stands_still(state):
            return Breach.STANDSTILL
        if machine.spins or still > STEPS_LIMIT:
            return Breach.SPINS
        time_ns, event, number = calendar.next_event(machine)
        still = still + 1 if time_ns == machine.now_ns else 0
        machine.now_ns = time_ns
        if event == Event.COMPLETION:
            complete_request(state, pages, number)
        elif event == Event.BURST_END:
            scheduler.end_burst(state, number)
        else:
            scheduler.make_runnable(state.scheduler, number)
        dispatch(state, tables)
        while state.scheduler.idle_cpus > 0:
            number = scheduler.next_thread(state)
            if number == NONE:
                break
            run_on_processor(state, pages, files, pieces, opens, program, number)
            dispatch(state, tables)
        scheduler.preempt(state)
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
            operation = program[state.threads[number].step]
            scheduler.begin_burst(state, operation, number, burst_ns)
            return
        if step == Step.SLEEP or not submit_or_sleep(state, number):
            return
