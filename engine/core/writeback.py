"""Write-back: who submits dirty pages, and when (SPEC 7).

Who dirties pages has to balance them (`balance`): over the soft and the hard limit of the kernel it wakes
bdflush, waits for it, or submits pages itself. bdflush submits the oldest pages until few enough are
dirty. kupdate submits, every 5 s, what has been dirty for 30 s.
"""

from engine.core import calendar, journal, request_queue, scheduler
from engine.core.jit import kernel
from engine.core.kinds import Balance, Event, Stage, Step
from engine.core.page_cache import (
    NS_PER_MS,
    begin_write,
    oldest_dirty,
    wait_for,
    wait_for_memory,
    wake_all,
)
from engine.core.records import NONE

KUPDATE_NS = 5_000_000_000
OLD_MS = 30_000
PASS_PAGES = 500  # of bdflush, for which those wait that have to


@kernel
def balance(state):
    """What a thread that has dirtied a page has to do about the dirty pages: a Balance. bdflush is woken as needed."""
    cache = state.cache
    dirty = cache.dirty + (cache.writing if cache.counts_writing else 0)
    action = Balance.NOTHING
    if dirty > cache.hard_pages:
        action = cache.hard
    elif dirty > cache.soft_pages:
        action = cache.soft
    if action in (Balance.WAKE, Balance.WAKE_AND_WAIT, Balance.WRITE_AND_WAIT):
        wake_bdflush(state)
    return action


@kernel
def wake_bdflush(state):
    """Make bdflush runnable, if it sleeps."""
    if state.cache.bdflush_sleeps:
        state.cache.bdflush_sleeps = False
        scheduler.make_runnable(state.scheduler, state.cache.bdflush)


@kernel
def sleep_for_memory(state, number):
    """Nothing clean is left to make room: wake bdflush, and let thread `number` wait. Returns SLEEP."""
    wake_bdflush(state)
    wait_for_memory(state, number)
    return Step.SLEEP


@kernel
def flush_next(state, pages, number):
    """Take the next of the thread's `flush_left` pages for the disk; False if there is no more."""
    thread = state.threads[number]
    block = oldest_dirty(state, pages)
    if thread.flush_left == 0 or block == NONE:
        return False
    thread.flush_left -= 1
    thread.flush_block = block
    begin_write(state, pages, number, block)
    return True


@kernel
def wait_for_bdflush(state, number):
    """Make thread `number` wait for the end of a pass of bdflush."""
    state.threads[number].next_waiter = state.cache.flush_waiter
    state.cache.flush_waiter = number + 1


@kernel
def waits_for_last(state, pages, number):
    """Make thread `number` wait for the page it submitted last; False if that is written already."""
    block = state.threads[number].flush_block
    if block == NONE or not pages[block].writing:
        return False
    wait_for(state, pages, number, block)
    return True


@kernel
def run_bdflush(state, pages, number):
    """bdflush from where it stands to its next Step: passes until few enough pages are dirty.

    Memory that waits to be saved goes first, standing in for what kswapd does.
    """
    cache, thread = state.cache, state.threads[number]
    while True:
        if thread.stage == Stage.CALL:
            thread.flush_left = PASS_PAGES
            thread.stage = Stage.FLUSH
        if cache.swap_pages.oldest != NONE:
            begin_write(state, pages, number, cache.swap_pages.oldest)
            return Step.SUBMIT, 0
        if cache.dirty > cache.stop_pages and flush_next(state, pages, number):
            return Step.SUBMIT, 0
        cache.flush_waiter = wake_all(state, cache.flush_waiter)
        thread.stage = Stage.CALL
        if cache.dirty <= cache.stop_pages or oldest_dirty(state, pages) == NONE:
            request_queue.unplug(state.queue)
            cache.bdflush_sleeps = True
            return Step.SLEEP, 0


@kernel
def run_kupdate(state, pages, number):
    """kupdate from where it stands to its next Step: all old pages, then unplug and sleep.

    kjournald's interval is the same 5 s, so that one calendar entry does for both.
    """
    machine, thread = state.machine, state.threads[number]
    if thread.stage == Stage.CALL:
        journal.ask_for_commit(state)
        thread.stage = Stage.FLUSH
    block = oldest_dirty(state, pages)
    if block != NONE and pages[block].dirtied_ms <= machine.now_ns // NS_PER_MS - OLD_MS:
        thread.flush_left = 1
        flush_next(state, pages, number)
        return Step.SUBMIT, 0
    request_queue.unplug(state.queue)
    thread.stage = Stage.CALL
    calendar.schedule(machine, machine.now_ns + KUPDATE_NS, Event.START, number)
    return Step.SLEEP, 0
