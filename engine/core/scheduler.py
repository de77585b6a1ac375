"""The scheduler: which thread runs next, and for how long.

In an *epoch* each thread has a slice of processor time. The run list holds those that have some of it
left, first come, first served; whose slice is over waits on the list of the spent until that is so of
all that can run. Then a new epoch begins, with new slices for everybody.
"""

from engine.core import calendar, measures
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Event
from engine.core.limits import THREAD_LIMIT
from engine.core.records import NONE


@inline_kernel
def next_thread(state):
    """The first runnable thread whose slice is not over; if all are over, new slices for everybody."""
    scheduler = state.scheduler
    while scheduler.run_count > 0:
        number = next_runnable(scheduler)
        thread = state.threads[number]
        if thread.epoch < scheduler.epoch:
            thread.epoch = scheduler.epoch
            thread.slice_used_ns = 0
        if thread.slice_used_ns < scheduler.slice_ns:
            return number
        make_spent(scheduler, number)
    if scheduler.spent_count == 0:
        return NONE
    scheduler.epoch += 1
    number = next_spent(scheduler)
    state.threads[number].epoch = scheduler.epoch
    state.threads[number].slice_used_ns = 0
    return number


@inline_kernel
def begin_burst(state, number, burst_ns):
    """A thread takes up a processor, until its slice is over at most."""
    thread = state.threads[number]
    runs_ns = min(burst_ns, state.scheduler.slice_ns - thread.slice_used_ns)
    thread.slice_used_ns += runs_ns
    thread.burst_left_ns = burst_ns - runs_ns
    measures.note_burst(state, thread, runs_ns)
    occupy(state, number, runs_ns)


@inline_kernel
def occupy(state, number, runs_ns):
    """A thread has a processor for `runs_ns`."""
    machine = state.machine
    state.scheduler.idle_cpus -= 1
    calendar.schedule(machine, machine.now_ns + runs_ns, Event.BURST_END, number)


@inline_kernel
def end_burst(state, number):
    """A thread goes on at once when its burst is over; when its slice is, all others come first."""
    scheduler = state.scheduler
    scheduler.idle_cpus += 1
    if state.threads[number].slice_used_ns < scheduler.slice_ns:
        make_next(scheduler, number)
    else:
        make_spent(scheduler, number)


@kernel
def make_runnable(scheduler, thread):
    """Append `thread` to the run list."""
    last = (scheduler.run_first + scheduler.run_count) % THREAD_LIMIT
    scheduler.run_list[last] = thread
    scheduler.run_count += 1


@kernel
def make_next(scheduler, thread):
    """Put `thread` first on the run list: its burst is over, and it keeps its processor."""
    scheduler.run_first = (scheduler.run_first - 1) % THREAD_LIMIT
    scheduler.run_list[scheduler.run_first] = thread
    scheduler.run_count += 1


@kernel
def make_spent(scheduler, thread):
    """The slice of `thread` is over: it runs when those of all runnable threads are."""
    last = (scheduler.spent_first + scheduler.spent_count) % THREAD_LIMIT
    scheduler.spent_list[last] = thread
    scheduler.spent_count += 1


@kernel
def next_spent(scheduler):
    """Take the first thread off the list of those whose slice is over, which must not be empty."""
    thread = scheduler.spent_list[scheduler.spent_first]
    scheduler.spent_first = (scheduler.spent_first + 1) % THREAD_LIMIT
    scheduler.spent_count -= 1
    return thread


@kernel
def next_runnable(scheduler):
    """Take the first thread off the run list, which must not be empty."""
    thread = scheduler.run_list[scheduler.run_first]
    scheduler.run_first = (scheduler.run_first + 1) % THREAD_LIMIT
    scheduler.run_count -= 1
    return thread
