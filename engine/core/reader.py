"""The program of a reading thread: call read(), look for each page, look ahead, wait, copy.

A thread runs on a processor until it needs processor time, sleeps, or is done. Calls whose pages are all
there take no event of their own: their time adds up to one burst, which ends where the thread next
touches the disk's queue or a page that is not there yet.
"""

from engine.core import measures, readahead, request_pool, request_queue
from engine.core.driver import dispatch
from engine.core.jit import inline_kernel, kernel
from engine.core.random_stream import next_below
from engine.core.records import (
    NONE,
    PAGE_BYTES,
    PAGE_SECTORS,
    Outcome,
    PageState,
    Pattern,
    Stage,
)

GAVE_UP = 0  # instead of a burst: the thread sleeps or is done


@kernel
def run_thread(state, pages, pieces, tables, number):
    """Run thread `number` from where it stands; returns its burst in ns, or GAVE_UP."""
    thread = state.threads[number]
    if thread.seeks_slot and not _resubmit(state, tables, number):
        return GAVE_UP
    burst_ns = 0
    while True:
        if thread.stage == Stage.CALL:
            if thread.calls_left == 0:
                return burst_ns if burst_ns > 0 else _finish(state, thread)
            burst_ns += _call(state, thread, burst_ns)
        elif thread.stage == Stage.PAGE:
            page = pages[_block(state, pieces, number, thread.page)]
            if page.state == PageState.UPTODATE and not _wants_window(state, thread, False):
                thread.stage = Stage.COPY
            elif burst_ns > 0:
                return burst_ns
            elif page.state == PageState.ABSENT:
                thread.stage = Stage.LOOK_AHEAD
                if not _read_page(state, pages, pieces, tables, number, thread.page):
                    return GAVE_UP
            else:
                _look_ahead(state, thread, page.state == PageState.LOCKED)
        elif thread.stage == Stage.LOOK_AHEAD:
            _look_ahead(state, thread, True)
        elif thread.stage == Stage.WINDOW:
            if not _read_window(state, pages, pieces, tables, number):
                return GAVE_UP
        elif thread.stage == Stage.WAIT:
            thread.stage = Stage.COPY
            if _wait_for_page(state, pages, pieces, tables, number):
                return GAVE_UP
        else:
            burst_ns += state.machine.page_ns
            _copied(state, number, burst_ns)


@inline_kernel
def _block(state, pieces, number, page):
    """Where page `page` of the thread's file lies, in pages from the start of the data."""
    machine = state.machine
    piece = number * machine.pieces_per_file + page // machine.piece_pages
    return pieces[piece] + page % machine.piece_pages


@inline_kernel
def _last_page(machine):
    """Page in which the file ends; one past its last if it ends with a full page."""
    return machine.file_pages


@kernel
def _call(state, thread, burst_ns):
    """Enter read(); returns the time of the system call."""
    machine = state.machine
    blocks = machine.file_pages * PAGE_BYTES // machine.block_bytes
    if machine.pattern == Pattern.RANDOM:
        thread.position = next_below(thread, max(1, blocks - 1)) * machine.block_bytes
    first, last = thread.position, thread.position + machine.block_bytes - 1
    thread.page = first // PAGE_BYTES
    thread.last_page = last // PAGE_BYTES
    thread.called_ns = machine.now_ns + burst_ns
    thread.call_slot_ns = 0
    thread.page_wait_ns = NONE
    readahead.begin_read(
        thread.readahead,
        first,
        machine.block_bytes,
        machine.readahead_min_pages,
        machine.readahead_pages,
    )
    thread.stage = Stage.PAGE
    return machine.call_ns


@inline_kernel
def _wants_window(state, thread, locked):
    return readahead.wants_window(thread.readahead, thread.page, locked, _last_page(state.machine))


@kernel
def _look_ahead(state, thread, locked):
    """Open a window if it is time for one, and go on to submit it or to wait."""
    thread.stage = Stage.WAIT
    if _wants_window(state, thread, locked):
        readahead.open_window(thread.readahead, thread.page, locked, _last_page(state.machine))
        thread.stage = Stage.WINDOW


@kernel
def _read_window(state, pages, pieces, tables, number):
    """Submit what is absent of the window; False if the thread has to sleep for a slot."""
    machine, thread = state.machine, state.threads[number]
    while True:
        page = readahead.next_in_window(thread.readahead, _last_page(machine))
        if page == NONE:
            break
        if pages[_block(state, pieces, number, page)].state == PageState.ABSENT and not _read_page(
            state, pages, pieces, tables, number, page
        ):
            return False
    readahead.close_window(thread.readahead, machine.readahead_pages)
    thread.stage = Stage.WAIT
    return True


@kernel
def _read_page(state, pages, pieces, tables, number, page):
    """Lock a page and submit its buffer; False if the thread has to sleep for a slot."""
    block = _block(state, pieces, number, page)
    pages[block].state = PageState.LOCKED
    bio = state.threads[number].bio
    bio.sector = state.machine.data_start_sector + block * PAGE_SECTORS
    bio.nr_sectors = PAGE_SECTORS
    bio.memory = 2 * block * PAGE_BYTES  # pages of the cache never touch in memory
    state.measures.buffers += 1
    return _submit(state, tables, number, False)


@kernel
def _submit(state, tables, number, has_slot):
    """Submit the thread's buffer; False if it has to sleep for a slot."""
    thread = state.threads[number]
    outcome = request_queue.submit(state, thread.bio, number, has_slot)
    if outcome == Outcome.NO_SLOT:
        thread.seeks_slot = True
        thread.slot_sleep_ns = state.machine.now_ns
        state.measures.slot_sleeps += 1
        request_pool.sleep(state.pool, number, request_queue.direction_of(thread.bio))
        dispatch(state, tables)
        return False
    if outcome == Outcome.QUEUED:
        thread.outstanding += 1
    return True


@kernel
def _resubmit(state, tables, number):
    """Try again for a slot after having been woken, and submit; False if it sleeps on."""
    thread, measures_ = state.threads[number], state.measures
    if not request_pool.retry(state.pool, number, request_queue.direction_of(thread.bio)):
        request_queue.unplug(state.queue)
        dispatch(state, tables)
        return False
    thread.seeks_slot = False
    slept_ns = state.machine.now_ns - thread.slot_sleep_ns
    thread.call_slot_ns += slept_ns
    measures_.slot_sleep_max_ns = max(measures_.slot_sleep_max_ns, slept_ns)
    return _submit(state, tables, number, True)


@kernel
def _wait_for_page(state, pages, pieces, tables, number):
    """Sleep until the page is up to date; False if it is already. Waiting unplugs the queue."""
    thread = state.threads[number]
    page = pages[_block(state, pieces, number, thread.page)]
    if page.state == PageState.UPTODATE:
        return False
    thread.page_wait_ns = state.machine.now_ns
    state.measures.page_waits += 1
    state.measures.page_wait_requests += thread.outstanding
    thread.next_waiter = page.waiter
    page.waiter = number + 1
    request_queue.unplug(state.queue)
    dispatch(state, tables)
    return True


@kernel
def _copied(state, number, burst_ns):
    """A page has been copied: go on to the next, or return from read()."""
    machine, thread = state.machine, state.threads[number]
    thread.stage = Stage.PAGE
    if thread.page < thread.last_page:
        thread.page += 1
        return
    thread.stage = Stage.CALL
    thread.position += machine.block_bytes
    thread.calls_left -= 1
    thread.calls += 1
    measures.note_call(state, number, machine.now_ns + burst_ns)


@kernel
def _finish(state, thread):
    """The thread's work is done."""
    thread.stage = Stage.DONE
    thread.finish_ns = state.machine.now_ns
    state.machine.threads_alive -= 1
    return GAVE_UP


@kernel
def complete_pages(state, pages, entry):
    """Mark the pages of a completed read up to date and make their waiters runnable."""
    first = (entry.sector - state.machine.data_start_sector) // PAGE_SECTORS
    for block in range(first, first + entry.nr_sectors // PAGE_SECTORS):
        page = pages[block]
        page.state = PageState.UPTODATE
        waiter = page.waiter - 1
        page.waiter = 0
        while waiter >= 0:
            thread = state.threads[waiter]
            thread.page_arrival_ns = entry.arrival_ns
            thread.page_dispatch_ns = entry.dispatch_ns
            thread.page_ahead = entry.waiting_ahead
            request_pool.make_runnable(state.pool, waiter)
            waiter = thread.next_waiter - 1
