"""read(): call, look for each page, look ahead, wait, copy.

A thread runs on a processor until it needs the machine: processor time, a buffer submitted, a page that
is not there yet. Calls whose pages are all there take no event of their own: their time adds up to one
burst, which ends where the thread next touches the queue or a page that is not up to date.
"""

from engine.core import measures, readahead, writeback
from engine.core.block_devices import unplug_all
from engine.core.block_map import pages_together
from engine.core.inodes import find_page
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import PageState, Pattern, Stage, Step
from engine.core.page_cache import (
    begin_read,
    block_of,
    has_room,
    settle,
    use,
    wait_for,
    wait_for_memory,
)
from engine.core.prefetch import prefetch
from engine.core.random_stream import next_below, peek_below
from engine.core.records import NONE, PAGE_BYTES


@inline_kernel
def run_reader(state, pages, files, pieces, opens, operation, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    thread = state.threads[number]
    file, opened = files[thread.file], opens[thread.opened]
    last_page = readahead.end_page(opened.readahead.version, file.bytes)
    burst_ns = 0
    while True:
        if thread.stage == Stage.CALL:
            if thread.calls_left == 0 and burst_ns > 0:
                return Step.BURST, burst_ns
            if thread.calls_left == 0 or file.bytes == 0:
                thread.stage = Stage.NEXT
                return Step.NEXT, 0
            burst_ns += _cached_calls(
                state, pages, file, pieces, opened, operation, number, burst_ns
            )
            burst_ns += _call(state, thread, file, opened, operation, burst_ns)
        elif thread.stage == Stage.PAGE:
            block = block_of(file, pieces, thread.page)
            page = pages[block]
            if page.state == PageState.UPTODATE and not _wants_window(
                opened, thread.page, last_page, False
            ):
                thread.stage = Stage.COPY
            elif burst_ns > 0:
                return Step.BURST, burst_ns
            elif page.state == PageState.ABSENT:
                step = find_page(state, pages, file, pieces, number, thread.page, False)
                if step != Step.NEXT:
                    return step, 0
                if not has_room(state, pages):
                    return _sleep_for_memory(state, number)
                thread.stage = Stage.LOOK_AHEAD
                readahead.note_missing(opened.readahead, state.machine.readahead_min_pages)
                begin_read(state, pages, number, block, 0)
                return Step.SUBMIT, 0
            else:
                _look_ahead(thread, opened, last_page, page.state == PageState.LOCKED)
        elif thread.stage == Stage.LOOK_AHEAD:
            _look_ahead(thread, opened, last_page, True)
        elif thread.stage == Stage.WINDOW:
            step = _next_in_window(state, pages, file, pieces, opened, last_page, number)
            if step != Step.NEXT:
                return step, 0
        elif thread.stage == Stage.WAIT:
            thread.stage = Stage.COPY
            block = block_of(file, pieces, thread.page)
            if pages[block].state == PageState.LOCKED:
                if operation.pattern == Pattern.RANDOM:  # what its next call looks at
                    position = peek_below(thread, _places(file, operation)) * operation.call_bytes
                    prefetch(pages, block_of(file, pieces, position // PAGE_BYTES))
                wait_for(state, pages, number, block)
                return Step.SLEEP, 0
        else:
            block = block_of(file, pieces, thread.page)
            if pages[block].state != PageState.UPTODATE:  # it went again before its reader ran
                thread.stage = Stage.PAGE
                continue
            use(state, pages, block)
            burst_ns += state.machine.page_ns
            _copied(state, opened, operation, number, burst_ns)


@inline_kernel
def _sleep_for_memory(state, number):
    """Nothing clean is left to make room: wake bdflush, and wait."""
    writeback.wake_bdflush(state)
    wait_for_memory(state, number)
    return Step.SLEEP, 0


@inline_kernel
def _cached_calls(state, pages, file, pieces, opened, operation, number, burst_ns):
    """Make all calls at once that find every page there and open no window; returns their time in ns.

    The last call of the file is left to `_call`.
    """
    machine, thread = state.machine, state.threads[number]
    if operation.pattern != Pattern.SEQUENTIAL or thread.calls_left < 2:
        return 0
    if operation.call_bytes % PAGE_BYTES != 0:
        return 0
    first = opened.position // PAGE_BYTES
    call_pages = operation.call_bytes // PAGE_BYTES
    quiet = min(
        readahead.quiet_pages(opened.readahead, first), (thread.calls_left - 1) * call_pages
    )
    cached = 0
    while cached < quiet:
        block = block_of(file, pieces, first + cached)
        end = min(cached + pages_together(file, first + cached), quiet)
        while cached < end and pages[block].state == PageState.UPTODATE:
            use(state, pages, block)
            cached += 1
            block += 1
        if cached < end:
            break
    calls = cached // call_pages
    if calls == 0:
        return 0
    _enter(state, thread, file, opened, operation, burst_ns)
    took_ns = machine.call_ns + call_pages * machine.page_ns
    opened.position += calls * operation.call_bytes
    measures.note_calls(state, number, operation, calls, took_ns)
    return calls * took_ns


@inline_kernel
def _enter(state, thread, file, opened, operation, burst_ns):
    """A call begins: note when, and let read-ahead see where."""
    machine = state.machine
    thread.page = opened.position // PAGE_BYTES
    thread.last_page = (min(opened.position + operation.call_bytes, file.bytes) - 1) // PAGE_BYTES
    thread.called_ns = machine.now_ns + burst_ns
    thread.call_slot_ns = 0
    thread.page_wait_ns = NONE
    readahead.begin_read(
        opened.readahead,
        opened.position,
        operation.call_bytes,
        machine.readahead_min_pages,
        machine.readahead_pages,
    )


@inline_kernel
def _call(state, thread, file, opened, operation, burst_ns):
    """Enter read(); returns the time of the system call."""
    if operation.pattern == Pattern.RANDOM:
        opened.position = next_below(thread, _places(file, operation)) * operation.call_bytes
    elif opened.position >= file.bytes:
        opened.position = 0
    thread.position = opened.position
    _enter(state, thread, file, opened, operation, burst_ns)
    thread.stage = Stage.PAGE
    return state.machine.call_ns


@inline_kernel
def _places(file, operation):
    """At how many places of a file a random call can begin."""
    return max(1, file.bytes // operation.call_bytes - 1)


@inline_kernel
def _wants_window(opened, page, last_page, locked):
    return readahead.wants_window(opened.readahead, page, locked, last_page)


@kernel
def _look_ahead(thread, opened, last_page, locked):
    """Open a window if it is time for one, and go on to submit it or to wait."""
    thread.stage = Stage.WAIT
    if _wants_window(opened, thread.page, last_page, locked):
        readahead.open_window(opened.readahead, thread.page, locked, last_page)
        thread.stage = Stage.WINDOW


@inline_kernel
def _next_in_window(state, pages, file, pieces, opened, last_page, number):
    """Prepare the buffer of the next absent page of the window; returns the Step, NEXT if it is done."""
    machine, thread = state.machine, state.threads[number]
    ahead = opened.readahead
    settle(state, pages, thread.bio)
    ahead.issued += thread.bio.extended
    thread.bio.extended = 0
    while True:
        page = readahead.next_in_window(ahead, last_page)
        if page == NONE:
            if readahead.close_window(ahead, machine.readahead_pages):
                unplug_all(state)
            thread.stage = Stage.WAIT
            return Step.NEXT
        block = block_of(file, pieces, page)
        if pages[block].state == PageState.ABSENT:
            step = find_page(state, pages, file, pieces, number, page, False)
            if step == Step.NEXT and not has_room(state, pages):
                step = _sleep_for_memory(state, number)[0]
            if step != Step.NEXT:
                ahead.issued -= 1  # it asks for this page again
                return step
            left_in_window = min(ahead.count - ahead.issued, last_page - 1 - page)
            following = min(left_in_window, pages_together(file, page) - 1)
            begin_read(state, pages, number, block, following)
            return Step.SUBMIT


@inline_kernel
def _copied(state, opened, operation, number, burst_ns):
    """A page has been copied: go on to the next, or return from read()."""
    machine, thread = state.machine, state.threads[number]
    thread.stage = Stage.PAGE
    if thread.page < thread.last_page:
        thread.page += 1
        return
    thread.stage = Stage.CALL
    opened.position += operation.call_bytes
    took_ns = machine.now_ns + burst_ns - thread.called_ns
    measures.note_calls(state, number, operation, 1, took_ns)
