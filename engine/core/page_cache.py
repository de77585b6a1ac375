"""The page cache: which pages are there, which are dirty, who waits for one, and which one goes.

`pages` holds a PAGE for each page of the files, in the order in which they lie on the disk; a page's
number in it is its `block`. A page that is up to date stands in one list: of clean pages or of dirty ones.

Memory of processes has pages, too. They stand among the clean ones although only memory has what they hold
(Role.UNSAVED), and are saved on the swap when their turn to go comes.
"""

from engine.core import scheduler
from engine.core.block_devices import device_of, page_at, sector_of, unplug_all
from engine.core.block_map import block_at, place_of
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import PageState, Role
from engine.core.page_lists import (
    append,
    join_clean,
    join_first,
    leave_clean,
    leave_dirty,
    leave_oldest,
    remove,
)
from engine.core.records import NONE, PAGE_BYTES, PAGE_SECTORS

NS_PER_MS = 1_000_000
ACTIVE_SHARE = 2
SWAP_CLUSTER = 32  # pages of memory saved at a time (SWAP_CLUSTER_MAX of 2.4)


@inline_kernel
def block_of(file, pieces, page):
    """Where page `page` of a file lies, in pages from the start of the data."""
    return block_at(file, pieces, place_of(file, page))


@inline_kernel
def end_place(file):
    """The place behind the last of the file."""
    return 0 if file.bytes == 0 else place_of(file, (file.bytes - 1) // PAGE_BYTES) + 1


@inline_kernel
def has_room(state, pages):
    """See to it that one more page can be cached; False if nothing clean is left to go."""
    return make_room(state, pages, 1) == 1


@kernel
def make_room(state, pages, wanted):
    """See to it that up to `wanted` more pages can be cached; returns for how many there is room now.

    The oldest pages go that were used but once. Pages used twice are active, and the oldest of them
    become inactive again only while they are more than ACTIVE_SHARE times as many. Memory whose turn
    has come has to be saved first, and bdflush, which the caller wakes, does that.
    """
    cache = state.cache
    room = max(0, min(wanted, cache.capacity - cache.cached))
    while room < wanted:
        while cache.active > ACTIVE_SHARE * cache.inactive:
            block = cache.active_pages.oldest
            leave_clean(cache, pages, block)
            pages[block].active = False
            pages[block].used = False
            join_clean(cache, pages, block)
        block = cache.inactive_pages.oldest
        while block != NONE and pages[block].role == Role.UNSAVED and cache.swapping < SWAP_CLUSTER:
            save(state, pages, block)
            block = cache.inactive_pages.oldest
        if block == NONE or pages[block].role == Role.UNSAVED:
            break
        leave_oldest(cache, pages)
        pages[block].state = PageState.ABSENT
        cache.cached -= 1
        room += 1
    return room


@inline_kernel
def use(state, pages, block):
    """A page that is up to date is read once more."""
    page = pages[block]
    if page.active:
        return
    if not page.used:
        page.used = True
        return
    clean = not page.dirty and not page.writing
    if clean:
        leave_clean(state.cache, pages, block)
    page.active = True
    if clean:
        join_clean(state.cache, pages, block)


@inline_kernel
def touch(state, pages, block):
    """A process writes to a page of its memory, which is there or for which `has_room` has made room."""
    page = pages[block]
    page.role = Role.UNSAVED
    if page.state == PageState.ABSENT:
        state.cache.cached += 1
        page.state = PageState.UPTODATE
        page.used = page.active = False
        join_clean(state.cache, pages, block)
    use(state, pages, block)


@kernel
def save(state, pages, block):
    """A page of memory that is `to_be_saved` is for bdflush, or whoever else, to write."""
    cache = state.cache
    leave_clean(cache, pages, block)
    pages[block].dirty = True
    cache.swapping += 1
    append(cache.swap_pages, pages, block)


@kernel
def begin_read(state, pages, number, block, following):
    """Lock an absent page and fill in the buffer of thread `number` that will read it.

    `has_room` has made room for it. Up to `following` absent pages behind it may follow it; `settle` says
    what becomes of them.
    """
    pages[block].state = PageState.LOCKED
    pages[block].used = pages[block].active = False
    state.cache.cached += 1
    bio = _fill_in(state, number, block, False)
    while bio.run < following:
        first = block + bio.run + 1
        wanted = 0
        while bio.run + wanted < following and pages[first + wanted].state == PageState.ABSENT:
            wanted += 1
        room = make_room(state, pages, wanted)  # by which the next page may have become absent
        state.cache.cached += room
        bio.run += room
        if room < wanted or wanted == 0:
            break


@inline_kernel
def settle(state, pages, bio):
    """Lock the pages that were submitted together with that of `bio`, and give up room for others."""
    block = page_at(state.block_devices[bio.device_number], bio.sector)
    for extended in range(block + 1, block + 1 + bio.extended):
        pages[extended].state = PageState.LOCKED
        pages[extended].used = pages[extended].active = False
    bio.run -= bio.extended
    give_up_run(state, bio)


@inline_kernel
def give_up_run(state, bio):
    """Nothing will be submitted right behind the buffer: the room for it is free again.

    So, too, when its thread sleeps for a slot: others may read those pages meanwhile.
    """
    state.cache.cached -= bio.run
    bio.run = 0


@kernel
def make_dirty(state, pages, block):
    """A page has been written by a thread: it is up to date, and dirty from now on or since before."""
    cache, page = state.cache, pages[block]
    if page.state == PageState.ABSENT:
        cache.cached += 1
        page.used = page.active = False
    elif not page.dirty and not page.writing:
        leave_clean(cache, pages, block)
    page.state = PageState.UPTODATE
    if not page.dirty:
        page.dirty = True
        page.dirtied_ms = state.machine.now_ns // NS_PER_MS
        cache.dirty += 1
        append(cache.dirty_pages, pages, block)


@kernel
def hold_back(state, pages, block):
    """The running transaction has changed a page of metadata: it is dirty, and nobody's until the commit."""
    cache, journal, page = state.cache, state.journal, pages[block]
    turn = journal.running % 2
    held, before = journal.held[turn], journal.held[1 - turn]
    if page.role == Role.HELD + turn:
        return
    if page.role == Role.METADATA:
        make_dirty(state, pages, block)
        remove(cache.dirty_pages, pages, block)
        cache.dirty -= 1
    else:  # the commit that is under way has its copy
        remove(before.pages, pages, block)
        before.count -= 1
    page.role = Role.HELD + turn
    append(held.pages, pages, block)
    held.count += 1


@kernel
def let_go(state, pages):
    """The last transaction is committed: the pages it held back are dirty like any other."""
    cache, held = state.cache, state.journal.held[state.journal.committed % 2]
    while held.pages.oldest != NONE:
        block = held.pages.oldest
        remove(held.pages, pages, block)
        pages[block].role = Role.METADATA
        pages[block].dirtied_ms = state.machine.now_ns // NS_PER_MS
        append(cache.dirty_pages, pages, block)
    cache.dirty += held.count
    held.count = 0


@kernel
def forget(state, pages, block):
    """A clean page, if it is cached, is not needed any more."""
    if pages[block].state == PageState.UPTODATE:
        leave_clean(state.cache, pages, block)
        pages[block].state = PageState.ABSENT
        state.cache.cached -= 1


@kernel
def begin_write(state, pages, number, block):
    """Take a dirty page for the disk and fill in the buffer of thread `number` that will write it."""
    cache, page = state.cache, pages[block]
    leave_dirty(cache, pages, block)
    page.writing = True
    cache.writing += 1
    if page.role == Role.UNSAVED:
        page.role = Role.SAVED
    _fill_in(state, number, block, True)


@kernel
def drop_pages(state, pages, file, pieces):
    """The file is emptied, or memory freed: its pages and the map of them are absent, but for those on their way.

    What is on its way may come back, and then the swap has nothing of it.
    """
    cache = state.cache
    for place in range(end_place(file)):
        block = block_at(file, pieces, place)
        page = pages[block]
        if page.state == PageState.LOCKED or page.writing:
            if page.role == Role.SAVED:
                page.role = Role.UNSAVED
            continue
        of_map = Role.METADATA <= page.role <= Role.HELD_ODD
        if of_map and page.role != Role.METADATA:
            _let_fall(state.journal, pages, block)
        elif page.dirty:
            cache.swapping -= page.role == Role.UNSAVED
            leave_dirty(cache, pages, block)
        elif page.state == PageState.UPTODATE:
            leave_clean(cache, pages, block)
        page.role = Role.METADATA if of_map else Role.DATA
        if page.state == PageState.ABSENT:
            continue
        page.state = PageState.ABSENT
        cache.cached -= 1
    file.bytes = 0
    cache.memory_waiter = wake_all(state, cache.memory_waiter)


@inline_kernel
def _let_fall(journal, pages, block):
    """What a transaction holds back is not needed any more."""
    held = journal.held[pages[block].role - Role.HELD]
    remove(held.pages, pages, block)
    held.count -= 1
    pages[block].dirty = False


@kernel
def oldest_dirty(state, pages):
    """The page that has been dirty for longest and is not on its way to the disk, or NONE."""
    block = state.cache.dirty_pages.oldest
    while block != NONE and pages[block].writing:
        block = pages[block].next
    return block


@kernel
def wait_for(state, pages, number, block):
    """Make thread `number` wait for a page that is being read or written, and unplug the queues."""
    thread, page = state.threads[number], pages[block]
    thread.page_wait_ns = state.machine.now_ns
    if not thread.background:
        state.measures.page_waits += 1
        state.measures.page_wait_requests += thread.outstanding
    thread.next_waiter = page.waiter
    page.waiter = number + 1
    unplug_all(state)


@kernel
def wait_for_memory(state, number):
    """Make thread `number` wait until a page has become clean, and unplug the queues."""
    state.threads[number].next_waiter = state.cache.memory_waiter
    state.cache.memory_waiter = number + 1
    unplug_all(state)


@kernel
def complete_pages(state, pages, block_device, entry):
    """The pages of a completed request are on the disk or in memory: make their waiters runnable."""
    cache = state.cache
    first = page_at(block_device, entry.sector)
    for block in range(first, first + entry.nr_sectors // PAGE_SECTORS):
        page = pages[block]
        if entry.is_write:
            page.writing = False
            cache.writing -= 1
            cache.swapping -= page.role >= Role.UNSAVED
        else:
            page.state = PageState.UPTODATE
        if entry.is_write and page.role == Role.SAVED and not page.active:
            join_first(cache, pages, block)
        elif not page.dirty:
            join_clean(cache, pages, block)
        waiter = page.waiter - 1
        page.waiter = 0
        while waiter >= 0:
            thread = state.threads[waiter]
            thread.page_arrival_ns = entry.arrival_ns
            thread.page_dispatch_ns = entry.dispatch_ns
            thread.page_ahead = entry.waiting_ahead
            scheduler.make_runnable(state.scheduler, waiter)
            waiter = thread.next_waiter - 1
    cache.memory_waiter = wake_all(state, cache.memory_waiter)


@kernel
def wake_all(state, waiter):
    """Make a chain of waiting threads runnable; returns the empty chain."""
    while waiter > 0:
        scheduler.make_runnable(state.scheduler, waiter - 1)
        waiter = state.threads[waiter - 1].next_waiter
    return 0


@inline_kernel
def _fill_in(state, number, block, is_write):
    bio = state.threads[number].bio
    bio.device_number = device_of(state, block)
    block_device = state.block_devices[bio.device_number]
    bio.is_write = is_write
    bio.sector = sector_of(block_device, block)
    bio.nr_sectors = PAGE_SECTORS
    bio.memory = 2 * block * PAGE_BYTES  # pages of the cache never touch in memory
    bio.run = 0
    bio.extended = 0
    block_device.measures.buffers += 1
    return bio
