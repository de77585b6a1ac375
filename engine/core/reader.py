"""The program of a reading thread: call read(), look for each page, look ahead, wait, copy.

A thread runs on a processor until it needs the machine: processor time, a buffer submitted, a page that
is not there yet. Calls whose pages are all there take no event of their own: their time adds up to one
burst, which ends where the thread next touches the queue or a page that is not up to date.
"""

from engine.core import measures, readahead, request_queue
from engine.core.jit import inline_kernel, kernel
from engine.core.page_cache import block_of, lock_and_fill_in, waits
from engine.core.random_stream import next_below
from engine.core.records import (
    NONE,
    PAGE_BYTES,
    PAGE_SECTORS,
    PageState,
    Pattern,
    Stage,
    Step,
)


@inline_kernel
def run_reader(state, pages, pieces, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    thread = state.threads[number]
    burst_ns = 0
    while True:
        if thread.stage == Stage.CALL:
            if thread.calls_left == 0:
                return _finish(state, thread, burst_ns)
            burst_ns += _cached_calls(state, pages, pieces, number, burst_ns)
            burst_ns += _call(state, thread, burst_ns)
        elif thread.stage == Stage.PAGE:
            block = block_of(thread.file, pieces, thread.page)
            page = pages[block]
            if page.state == PageState.UPTODATE and not _wants_window(state, thread, False):
                thread.stage = Stage.COPY
            elif burst_ns > 0:
                return Step.BURST, burst_ns
            elif page.state == PageState.ABSENT:
                thread.stage = Stage.LOOK_AHEAD
                readahead.note_missing(thread.readahead, state.machine.readahead_min_pages)
                lock_and_fill_in(state, pages, number, block, 0)
                return Step.SUBMIT, 0
            else:
                _look_ahead(state, thread, page.state == PageState.LOCKED)
        elif thread.stage == Stage.LOOK_AHEAD:
            _look_ahead(state, thread, True)
        elif thread.stage == Stage.WINDOW:
            if _next_in_window(state, pages, pieces, number):
                return Step.SUBMIT, 0
        elif thread.stage == Stage.WAIT:
            thread.stage = Stage.COPY
            if waits(state, pages, number, block_of(thread.file, pieces, thread.page)):
                return Step.SLEEP, 0
        else:
            burst_ns += state.machine.page_ns
            _copied(state, number, burst_ns)


@inline_kernel
def _last_page(thread):
    """Page in which the file ends; one past its last if it ends with a full page."""
    return thread.file.pages


@inline_kernel
def _cached_calls(state, pages, pieces, number, burst_ns):
    """Make all calls at once that find every page there and open no window; returns their time in ns.

    The last call of the file is left to `_call`.
    """
    machine, thread = state.machine, state.threads[number]
    if machine.pattern != Pattern.SEQUENTIAL or thread.calls_left < 2:
        return 0
    first = thread.position // PAGE_BYTES
    call_pages = machine.block_bytes // PAGE_BYTES
    quiet = min(
        readahead.quiet_pages(thread.readahead, first), (thread.calls_left - 1) * call_pages
    )
    cached = 0
    while cached < quiet:
        block = block_of(thread.file, pieces, first + cached)
        piece_left = thread.file.piece_pages - (first + cached) % thread.file.piece_pages
        end = min(cached + piece_left, quiet)
        while cached < end and pages[block].state == PageState.UPTODATE:
            cached += 1
            block += 1
        if cached < end:
            break
    calls = cached // call_pages
    if calls == 0:
        return 0
    _enter(state, thread, burst_ns)
    took_ns = machine.call_ns + call_pages * machine.page_ns
    thread.position += calls * machine.block_bytes
    measures.note_calls(state, number, calls, took_ns)
    return calls * took_ns


@inline_kernel
def _enter(state, thread, burst_ns):
    """A call begins: note when, and let read-ahead see where."""
    machine = state.machine
    thread.page = thread.position // PAGE_BYTES
    thread.last_page = (thread.position + machine.block_bytes - 1) // PAGE_BYTES
    thread.called_ns = machine.now_ns + burst_ns
    thread.call_slot_ns = 0
    thread.page_wait_ns = NONE
    readahead.begin_read(
        thread.readahead,
        thread.position,
        machine.block_bytes,
        machine.readahead_min_pages,
        machine.readahead_pages,
    )


@inline_kernel
def _call(state, thread, burst_ns):
    """Enter read(); returns the time of the system call."""
    machine = state.machine
    blocks = thread.file.pages * PAGE_BYTES // machine.block_bytes
    if machine.pattern == Pattern.RANDOM:
        thread.position = next_below(thread, max(1, blocks - 1)) * machine.block_bytes
    _enter(state, thread, burst_ns)
    thread.stage = Stage.PAGE
    return machine.call_ns


@inline_kernel
def _wants_window(state, thread, locked):
    return readahead.wants_window(thread.readahead, thread.page, locked, _last_page(thread))


@kernel
def _look_ahead(state, thread, locked):
    """Open a window if it is time for one, and go on to submit it or to wait."""
    thread.stage = Stage.WAIT
    if _wants_window(state, thread, locked):
        readahead.open_window(thread.readahead, thread.page, locked, _last_page(thread))
        thread.stage = Stage.WINDOW


@inline_kernel
def _next_in_window(state, pages, pieces, number):
    """Prepare the buffer of the next absent page of the window; False if the window is done."""
    machine, thread = state.machine, state.threads[number]
    ahead = thread.readahead
    block = (thread.bio.sector - machine.data_start_sector) // PAGE_SECTORS
    for extended in range(block + 1, block + 1 + thread.bio.extended):
        pages[extended].state = PageState.LOCKED
    ahead.issued += thread.bio.extended
    thread.bio.extended = 0
    while True:
        page = readahead.next_in_window(ahead, _last_page(thread))
        if page == NONE:
            if readahead.close_window(ahead, machine.readahead_pages):
                request_queue.unplug(state.queue)
            thread.stage = Stage.WAIT
            return False
        block = block_of(thread.file, pieces, page)
        if pages[block].state == PageState.ABSENT:
            left_in_window = min(ahead.count - ahead.issued, _last_page(thread) - 1 - page)
            left_in_piece = thread.file.piece_pages - 1 - page % thread.file.piece_pages
            lock_and_fill_in(state, pages, number, block, min(left_in_window, left_in_piece))
            return True


@inline_kernel
def _copied(state, number, burst_ns):
    """A page has been copied: go on to the next, or return from read()."""
    machine, thread = state.machine, state.threads[number]
    thread.stage = Stage.PAGE
    if thread.page < thread.last_page:
        thread.page += 1
        return
    thread.stage = Stage.CALL
    thread.position += machine.block_bytes
    measures.note_calls(state, number, 1, machine.now_ns + burst_ns - thread.called_ns)


@inline_kernel
def _finish(state, thread, burst_ns):
    """The thread's work is done, once its last burst is over."""
    if burst_ns > 0:
        return Step.BURST, burst_ns
    thread.stage = Stage.DONE
    thread.finish_ns = state.machine.now_ns
    state.machine.readers_alive -= 1
    return Step.SLEEP, 0
