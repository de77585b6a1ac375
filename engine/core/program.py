"""Programs: what a thread does next, operation by operation. reader.py and writer.py have the long ones.

`program` holds the operations of all threads, each thread's behind one another; a thread's `step` is the
one it is at. A thread whose stage is NEXT has done it.
"""

from engine.core import calendar, measures, scheduler
from engine.core.inodes import find_page, visit
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.journal import run_kjournald
from engine.core.kinds import Event, Op, Pattern, Stage, Step
from engine.core.limits import DIRECT_PAGES, MAP_PAGES
from engine.core.page_cache import drop_pages
from engine.core.random_stream import next_below
from engine.core.reader import run_reader
from engine.core.records import NONE, PAGE_BYTES
from engine.core.writeback import run_bdflush, run_kupdate
from engine.core.writer import run_fsync, run_writer

STEPS_LIMIT = 1_000_000  # operations, or events, that take no time, one after the other


@spliced_kernel
def run_thread(state, pages, files, pieces, opens, program, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    thread = state.threads[number]
    if thread.seeks_slot:
        return Step.SUBMIT, 0
    for _ in range(STEPS_LIMIT):
        if thread.stage == Stage.NEXT:
            thread.step += 1
            _begin(state, files, opens, program[thread.step], thread)
        operation = program[thread.step]
        if operation.kind == Op.READ:
            step, burst_ns = run_reader(state, pages, files, pieces, opens, operation, number)
        elif operation.kind == Op.WRITE:
            step, burst_ns = run_writer(state, pages, files, pieces, opens, operation, number)
        elif operation.kind == Op.FSYNC:
            step, burst_ns = run_fsync(state, pages, files, pieces, number)
        elif operation.kind in (Op.OPEN, Op.TURN):
            step, burst_ns = _choose_file(state, pages, files, opens, operation, number), 0
        elif operation.kind == Op.UNLINK:
            step, burst_ns = _unlink(state, pages, files, pieces, opens, number), 0
        elif operation.kind == Op.BDFLUSH:
            step, burst_ns = run_bdflush(state, pages, number)
        elif operation.kind == Op.KUPDATE:
            step, burst_ns = run_kupdate(state, pages, number)
        elif operation.kind == Op.KJOURNALD:
            step, burst_ns = run_kjournald(state, pages, number), 0
        else:
            step, burst_ns = _control(state, operation, number)
        if step != Step.NEXT:
            return step, burst_ns
    state.machine.spins = True
    return Step.SLEEP, 0


@inline_kernel
def _begin(state, files, opens, operation, thread):
    """The thread comes to an operation."""
    thread.stage = Stage.CALL
    thread.calls_left = operation.calls
    if operation.kind > Op.WRITE or operation.calls != NONE:
        return
    file = files[thread.file]
    opens[thread.opened].position = 0
    file_bytes = file.bytes if operation.kind == Op.READ else file.pages * PAGE_BYTES
    thread.calls_left = -(-file_bytes // operation.call_bytes)


@kernel
def _choose_file(state, pages, files, opens, operation, number):
    """Take the next file of a set, or any, and, to open it, find its name and its inode."""
    thread = state.threads[number]
    if thread.stage == Stage.CALL:
        _take_file(files, opens, operation, thread)
    if thread.stage in (Stage.NAMES, Stage.INODE):
        step = visit(state, pages, files[thread.file], number, False)
        if step != Step.NEXT:
            return step
    thread.stage = Stage.NEXT
    return Step.NEXT


@inline_kernel
def _take_file(files, opens, operation, thread):
    """Choose a file: opened, the thread begins at its start and looks ahead afresh."""
    cursor = thread.cursors[operation.level]
    if operation.pattern == Pattern.RANDOM:
        cursor = next_below(thread, operation.calls)
    thread.cursors[operation.level] = (cursor + 1) % operation.calls
    thread.file = operation.target + thread.index * operation.call_bytes + cursor
    thread.opened = operation.opens + thread.index * operation.calls + cursor
    if operation.kind == Op.OPEN:
        opened = opens[thread.opened]
        opened.position = 0
        opened.readahead.end = 0
        opened.readahead.batch = 0
        opened.readahead.window = 0
        opened.readahead.next_window = 0
        if files[thread.file].inode_page != NONE:
            thread.stage = Stage.NAMES


@inline_kernel
def _unlink(state, pages, files, pieces, opens, number):
    """Take the file's name and its inode away, if it is there, read the map of its blocks, and drop its pages."""
    thread = state.threads[number]
    file = files[thread.file]
    if thread.stage == Stage.CALL:
        thread.stage = Stage.NAMES
        thread.page = DIRECT_PAGES
    if thread.stage != Stage.MAP and file.inode_page != NONE and file.bytes > 0:
        step = visit(state, pages, file, number, True)
        if step != Step.NEXT:
            return step
    thread.stage = Stage.MAP
    while file.mapped and thread.page * PAGE_BYTES < file.bytes:
        step = find_page(state, pages, file, pieces, number, thread.page, False)
        if step != Step.NEXT:
            return step
        thread.page += MAP_PAGES
    drop_pages(state, pages, file, pieces)
    opens[thread.opened].position = 0
    thread.stage = Stage.NEXT
    return Step.NEXT


@kernel
def _control(state, operation, number):
    """Operations that touch no file."""
    machine, thread = state.machine, state.threads[number]
    if operation.kind == Op.BARRIER and thread.stage == Stage.CALL:
        return _arrive(state, operation, number), 0
    if operation.kind == Op.REPEAT:
        _go_back(state, operation, thread)
        return Step.NEXT, 0
    if operation.kind == Op.END:
        if thread.stage != Stage.DONE and not thread.background:
            machine.foreground_alive -= 1
        thread.stage = Stage.DONE
        thread.finish_ns = machine.now_ns
        return Step.SLEEP, 0
    if thread.stage == Stage.CALL:
        thread.stage = Stage.ASLEEP
        duration_ns = operation.duration_ns
        if operation.pattern == Pattern.RANDOM:
            duration_ns = next_below(thread, 2 * duration_ns + 1)
        if operation.kind == Op.COMPUTE:
            return Step.BURST, duration_ns
        if operation.calls > 0:
            duration_ns = _keep_beat(machine, operation, thread)
        calendar.schedule(machine, machine.now_ns + duration_ns, Event.START, number)
        return Step.SLEEP, 0
    if operation.kind == Op.PAUSE:
        thread.round_began_ns = machine.now_ns
    thread.stage = Stage.NEXT
    return Step.NEXT, 0


@inline_kernel
def _keep_beat(machine, operation, thread):
    """A round is done, on its beat or late; returns the time in ns until the next one may begin.

    It may be done `calls` beats ahead. The beat begins with the first pause, and what comes late shifts
    it: a player that has run out of music plays on from where it stopped.
    """
    if thread.beat_ns == NONE:
        thread.beat_ns = machine.now_ns
    else:
        thread.beat_ns += operation.duration_ns
    late_ns = max(0, machine.now_ns - thread.beat_ns)
    thread.beat_ns += late_ns
    thread.late_ns += late_ns
    return max(0, thread.beat_ns - (operation.calls - 1) * operation.duration_ns - machine.now_ns)


@inline_kernel
def _arrive(state, operation, number):
    """A thread comes to a barrier; the last one to come lets all others go on, in order of number."""
    machine, thread = state.machine, state.threads[number]
    machine.at_barrier += 1
    if machine.at_barrier < machine.foreground_alive:
        thread.stage = Stage.ASLEEP
        return Step.SLEEP
    machine.at_barrier = 0
    if operation.measured:
        measures.begin_phase(state)
    thread.round_began_ns = machine.now_ns
    for other in range(machine.threads):
        waiting = state.threads[other]
        if waiting.stage == Stage.ASLEEP and not waiting.background:
            waiting.stage = Stage.NEXT
            waiting.round_began_ns = machine.now_ns
            scheduler.make_runnable(state.scheduler, other)
    thread.stage = Stage.NEXT
    return Step.NEXT


@inline_kernel
def _go_back(state, operation, thread):
    """The end of a loop: once more, or go on."""
    thread.rounds[operation.level] += 1
    if operation.level == 0:
        measures.note_round(state, thread)
    elapsed_ns = state.machine.now_ns - state.measures.since_ns
    again = operation.calls == NONE or thread.rounds[operation.level] < operation.calls
    if operation.duration_ns > 0:
        again = elapsed_ns < operation.duration_ns
    if again:
        thread.step = operation.target - 1
    else:
        thread.rounds[operation.level] = 0
    thread.stage = Stage.NEXT
