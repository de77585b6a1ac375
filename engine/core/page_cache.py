"""The page cache: where a page lies, locking it for the disk, waiting for it, and its return.

`pages` holds a PAGE for each page of the files, in the order in which they lie on the disk.
"""

from engine.core import request_pool, request_queue
from engine.core.jit import inline_kernel, kernel
from engine.core.records import PAGE_BYTES, PAGE_SECTORS, PageState


@inline_kernel
def block_of(file, pieces, page):
    """Where page `page` of a file lies, in pages from the start of the data."""
    piece = file.first_piece + page // file.piece_pages
    return pieces[piece] + page % file.piece_pages


@kernel
def lock_and_fill_in(state, pages, number, block, following):
    """Lock a page and fill in the buffer of thread `number` that will read or write it.

    Up to `following` absent pages behind it may follow it.
    """
    pages[block].state = PageState.LOCKED
    thread = state.threads[number]
    bio = thread.bio
    bio.is_write = thread.writes
    bio.sector = state.machine.data_start_sector + block * PAGE_SECTORS
    bio.nr_sectors = PAGE_SECTORS
    bio.memory = 2 * block * PAGE_BYTES  # pages of the cache never touch in memory
    bio.run = 0
    while bio.run < following and pages[block + bio.run + 1].state == PageState.ABSENT:
        bio.run += 1
    state.measures.buffers += 1


@kernel
def waits(state, pages, number, block):
    """Make thread `number` wait for a locked page, and unplug the queue; False if it need not."""
    thread, page = state.threads[number], pages[block]
    if page.state == PageState.UPTODATE:
        return False
    thread.page_wait_ns = state.machine.now_ns
    if not thread.writes:
        state.measures.page_waits += 1
        state.measures.page_wait_requests += thread.outstanding
    thread.next_waiter = page.waiter
    page.waiter = number + 1
    request_queue.unplug(state.queue)
    return True


@kernel
def complete_pages(state, pages, entry):
    """Unlock the pages of a completed request, which are up to date, and make their waiters runnable."""
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
