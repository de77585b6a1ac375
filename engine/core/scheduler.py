"""The scheduler: which thread runs next, and for how long.

In an *epoch* each thread has a slice of processor time, in ticks, the more the lower its nice level. The
run list holds those that have some of it left; whose slice is over waits on the list of the spent until
that is so of all that can run. Then a new epoch begins, to which each takes half the ticks it has left.

Where woken threads preempt (2.4's rules, as textbooks have them), the one with most ticks and the lowest
nice level goes first, and who is woken takes the processor of the one with least, if that has less: at
once if that is in user mode, or the kernel is preemptible, else at the end of its system call. Otherwise
threads take turns: first come, first served, and the woken before those whose slice was over.
"""

from engine.core import calendar, measures
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Event, Op
from engine.core.limits import THREAD_LIMIT
from engine.core.records import NONE, PAGE_BYTES

NICEST = 20  # levels above 0, and one more
TICKS_OF_NICE_0 = 6
ANYWHERE_NS = 1  # grain of a burst that can be taken away at any time


@inline_kernel
def next_thread(state):
    """Take whose turn it is off its list; NONE if nobody can run."""
    scheduler = state.scheduler
    number = scheduler.kept
    if number != NONE:
        scheduler.kept = NONE
        _renew(scheduler, state.threads[number])
        return number
    while True:
        while scheduler.run_count > 0 and _is_spent(state, scheduler.run_first):
            make_spent(scheduler, next_runnable(scheduler))
        if scheduler.run_count > 0:
            break
        if scheduler.spent_count == 0:
            return NONE
        _begin_epoch(scheduler)
    if scheduler.preempts:
        _bring_forward_best(state)
    number = next_runnable(scheduler)
    state.threads[number].yields = False
    return number


@inline_kernel
def begin_burst(state, operation, number, burst_ns):
    """A thread takes up a processor, until its slice is over at most, or gives it up where it should."""
    thread = state.threads[number]
    if thread.yields:
        thread.burst_left_ns = burst_ns
        make_next(state.scheduler, number)
        return
    runs_ns = min(burst_ns, thread.slice_left_ns)
    thread.slice_left_ns -= runs_ns
    thread.burst_left_ns = burst_ns - runs_ns
    measures.note_burst(state, thread, runs_ns)
    occupy(state, number, runs_ns, _grain_ns(state, operation, burst_ns))


@inline_kernel
def _grain_ns(state, operation, burst_ns):
    """How long a thread keeps its processor at least: in the kernel, to the end of its call.

    A burst of several calls is of read() calls that find every page in the cache.
    """
    machine, scheduler = state.machine, state.scheduler
    if not scheduler.preempts or scheduler.preempts_kernel or operation.kind == Op.COMPUTE:
        return ANYWHERE_NS
    if operation.kind == Op.READ:
        burst_ns = machine.call_ns + operation.call_bytes // PAGE_BYTES * machine.page_ns
    return max(burst_ns, ANYWHERE_NS)


@inline_kernel
def occupy(state, number, runs_ns, grain_ns):
    """A thread has a processor for `runs_ns`, and can be taken off it after each `grain_ns`."""
    machine, scheduler, thread = state.machine, state.scheduler, state.threads[number]
    thread.grain_ns = grain_ns
    thread.burst_end_ns = machine.now_ns + runs_ns
    scheduler.running[scheduler.cpus - scheduler.idle_cpus] = number
    scheduler.idle_cpus -= 1
    calendar.schedule(machine, thread.burst_end_ns, Event.BURST_END, number)


@inline_kernel
def end_burst(state, number):
    """A thread goes on at once when its burst is over, but if it is to give its processor up and is at a
    place where it can; when its slice is over, all others come first."""
    scheduler, thread = state.scheduler, state.threads[number]
    place = 0
    while scheduler.running[place] != number:
        place += 1
    scheduler.idle_cpus += 1
    scheduler.running[place] = scheduler.running[scheduler.cpus - scheduler.idle_cpus]
    can_yield = thread.burst_left_ns > 0 or thread.grain_ns == ANYWHERE_NS
    if thread.slice_left_ns == 0:
        make_spent(scheduler, number)
    elif thread.yields and can_yield:
        make_next(scheduler, number)
    else:
        scheduler.kept = number


@inline_kernel
def preempt(state):
    """Let each thread that was woken, and for which no processor was idle, take one away if it may."""
    scheduler = state.scheduler
    first = scheduler.run_count - min(scheduler.woken, scheduler.run_count)
    scheduler.woken = 0
    if not scheduler.preempts:
        return
    for place in range(first, scheduler.run_count):
        if not _is_spent(state, scheduler.run_first + place):
            _take_processor(state, scheduler.run_list[(scheduler.run_first + place) % THREAD_LIMIT])


@kernel
def _take_processor(state, woken):
    """Of the threads that run, the one with least left gives up its processor, if that is less than what
    thread `woken` has left."""
    scheduler, now_ns = state.scheduler, state.machine.now_ns
    least = _goodness(scheduler, state.threads[woken], state.threads[woken].slice_left_ns)
    found = NONE
    for place in range(scheduler.cpus - scheduler.idle_cpus):
        thread = state.threads[scheduler.running[place]]
        left_ns = thread.slice_left_ns + thread.burst_end_ns - now_ns
        if not thread.yields and _goodness(scheduler, thread, left_ns) < least:
            least = _goodness(scheduler, thread, left_ns)
            found = scheduler.running[place]
    if found != NONE:
        _end_early(state, found)


@inline_kernel
def _end_early(state, number):
    """End the burst of a thread at the next place where it can be taken off its processor."""
    machine, thread = state.machine, state.threads[number]
    thread.yields = True
    left_ns = thread.burst_end_ns - machine.now_ns
    spared_ns = left_ns - (thread.burst_left_ns + left_ns) % thread.grain_ns
    if spared_ns <= 0:
        return
    thread.burst_end_ns -= spared_ns
    thread.burst_left_ns += spared_ns
    thread.slice_left_ns += spared_ns
    measures.note_burst(state, thread, -spared_ns)
    calendar.advance(machine, thread.burst_end_ns, Event.BURST_END, number)


@kernel
def _bring_forward_best(state):
    """Put who goes first at the begin of the run list, whose first thread has some of its slice left."""
    scheduler = state.scheduler
    best, most = 0, 0
    for place in range(scheduler.run_count):
        if not _is_spent(state, scheduler.run_first + place):
            number = scheduler.run_list[(scheduler.run_first + place) % THREAD_LIMIT]
            thread = state.threads[number]
            goodness = _goodness(scheduler, thread, thread.slice_left_ns)
            if goodness > most:
                best, most = place, goodness
    here = scheduler.run_first + best
    number = scheduler.run_list[here % THREAD_LIMIT]
    while here > scheduler.run_first:
        scheduler.run_list[here % THREAD_LIMIT] = scheduler.run_list[(here - 1) % THREAD_LIMIT]
        here -= 1
    scheduler.run_list[here % THREAD_LIMIT] = number


@inline_kernel
def _goodness(scheduler, thread, left_ns):
    """What decides who goes first: ticks, begun ones, too, and nice level."""
    return -(-left_ns // scheduler.tick_ns) + NICEST - thread.nice


@kernel
def _is_spent(state, place):
    """Whether the slice of the thread at `place` of the run list is over."""
    thread = state.threads[state.scheduler.run_list[place % THREAD_LIMIT]]
    _renew(state.scheduler, thread)
    return thread.slice_left_ns == 0


@kernel
def _renew(scheduler, thread):
    """Give a thread what the epochs since its own have brought it."""
    if thread.epoch == scheduler.epoch:
        return
    slice_ns = scheduler.slice_ns * ((NICEST - thread.nice) // 4 + 1) // TICKS_OF_NICE_0
    while thread.epoch < scheduler.epoch:
        ticks = -(-thread.slice_left_ns // scheduler.tick_ns)
        left_ns = ticks // 2 * scheduler.tick_ns + slice_ns
        thread.epoch = scheduler.epoch if left_ns == thread.slice_left_ns else thread.epoch + 1
        thread.slice_left_ns = left_ns


@inline_kernel
def _begin_epoch(scheduler):
    """New slices for everybody; in turns the others whose slice was over let those pass that are woken
    meanwhile, and each is in turn as if an epoch began for it."""
    scheduler.epoch += 1
    _append(scheduler, next_spent(scheduler))
    while scheduler.preempts and scheduler.spent_count > 0:
        _append(scheduler, next_spent(scheduler))


@kernel
def make_runnable(scheduler, thread):
    """A thread is woken: append it to the run list."""
    scheduler.woken += 1
    _append(scheduler, thread)


@inline_kernel
def _append(scheduler, thread):
    last = (scheduler.run_first + scheduler.run_count) % THREAD_LIMIT
    scheduler.run_list[last] = thread
    scheduler.run_count += 1


@kernel
def make_next(scheduler, thread):
    """Put `thread` first on the run list: it has given its processor up."""
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
