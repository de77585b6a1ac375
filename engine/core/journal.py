"""The journal of ext3 and reiserfs: what changes metadata belongs to a transaction, and kjournald commits it.

Pages of metadata that the running transaction has changed are held back in memory. A commit writes, each
waited for before the next: the data that were dirty when it began (`ordered`: ext3), the blocks of the
log, the commit block. Then the pages are dirty like any other. The log is a ring at the begin of the data.
"""

from engine.core import order, scheduler
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Role, Stage, Step
from engine.core.limits import DIRECT_PAGES
from engine.core.page_cache import (
    NS_PER_MS,
    begin_write,
    forget,
    let_go,
    make_dirty,
    wait_for,
    wake_all,
)
from engine.core.records import NONE, PAGE_BYTES, PAGE_SECTORS


@inline_kernel
def note_write(journal, file):
    """A file has been written to: one more block of the running transaction, unless it has it already.

    It stands for the map of its blocks, or its inode, if these have no pages of their own; a small file has
    its map in its inode.
    """
    small = file.bytes <= DIRECT_PAGES * PAGE_BYTES
    if file.inode_page != NONE and (small or file.mapped):
        return
    if file.transaction != journal.running:
        file.transaction = journal.running
        journal.files += 1


@inline_kernel
def changes(journal):
    """Blocks of metadata that the running transaction has changed."""
    return journal.files + journal.held[journal.running % 2].count


@kernel
def ask_for_commit(state):
    """Have kjournald commit the running transaction, after the one it may be at."""
    journal = state.journal
    journal.wanted = True
    if journal.sleeps:
        journal.sleeps = False
        scheduler.make_runnable(state.scheduler, journal.kjournald)


@kernel
def waits_for_commit(state, number):
    """Make thread `number` wait for the commit of its `transaction`; False if that is on the disk."""
    journal, thread = state.journal, state.threads[number]
    if thread.transaction <= journal.committed:
        return False
    if thread.transaction == journal.running:
        ask_for_commit(state)
    thread.next_waiter = journal.waiter
    journal.waiter = number + 1
    return True


@kernel
def run_kjournald(state, pages, number):
    """kjournald from where it stands to its next Step: commits as long as it is asked to."""
    journal, thread = state.journal, state.threads[number]
    while True:
        if thread.stage == Stage.CALL:
            if not journal.wanted or changes(journal) == 0:
                journal.wanted = False
                journal.sleeps = True
                return Step.SLEEP
            _begin_commit(state)
            thread.stage = Stage.FLUSH if journal.ordered else Stage.LOG
        elif thread.stage == Stage.FLUSH:
            block = _old_data(state, pages)
            if block == NONE:
                journal.boundary_ns = state.machine.now_ns
                thread.stage = Stage.WAIT
            elif pages[block].writing:  # and dirty again
                wait_for(state, pages, number, block)
                return Step.SLEEP
            else:
                begin_write(state, pages, number, block)
                return Step.SUBMIT
        elif thread.stage == Stage.WAIT:
            block = _on_its_way(state)
            if block != NONE:
                wait_for(state, pages, number, block)
                return Step.SLEEP
            thread.stage = Stage.LOG
        else:
            step = _write_log(state, pages, number)
            if step != Step.NEXT:
                return step
            thread.stage = Stage.CALL


@inline_kernel
def _begin_commit(state):
    """Close the running transaction and begin the next; the log takes its pages as they are now."""
    journal = state.journal
    journal.wanted = False
    journal.left = min(1 + changes(journal), journal.pages - 1)  # the first describes the others
    journal.seals = False
    journal.files = 0
    journal.running += 1
    journal.boundary_ns = state.machine.now_ns


@inline_kernel
def _old_data(state, pages):
    """The page of data that has been dirty for longest, if since before the commit began, or NONE."""
    boundary_ms = state.journal.boundary_ns // NS_PER_MS
    block = state.cache.dirty_pages.oldest
    while block != NONE and pages[block].dirtied_ms <= boundary_ms:
        if pages[block].role == Role.DATA:
            return block
        block = pages[block].next
    return NONE


@kernel
def _on_its_way(state):
    """A page whose writing began before all old data had been submitted and is not over, or NONE."""
    queue, machine, boundary_ns = state.queue, state.machine, state.journal.boundary_ns
    sector = NONE
    place = order.next_place(queue, NONE)
    while place != NONE and sector == NONE:
        entry = queue.requests[order.request_at(queue, place)]
        if entry.is_write and entry.arrival_ns <= boundary_ns:
            sector = entry.sector
        place = order.next_place(queue, place)
    for held in range(0 if queue.head_active else machine.held):
        entry = queue.requests[machine.in_drive[held]]
        if entry.is_write and entry.arrival_ns <= boundary_ns:
            sector = entry.sector
    for number in range(machine.threads):
        thread = state.threads[number]
        if thread.seeks_slot and thread.bio.is_write and thread.slot_sleep_ns <= boundary_ns:
            sector = thread.bio.sector
    return NONE if sector == NONE else (sector - machine.data_start_sector) // PAGE_SECTORS


@kernel
def _write_log(state, pages, number):
    """Submit the blocks of the log, wait for them, then the same with the commit block; NEXT when done."""
    journal = state.journal
    while True:
        if journal.left > 0:
            block = journal.head
            journal.head = (journal.head + 1) % journal.pages
            journal.left -= 1
            make_dirty(state, pages, block)
            begin_write(state, pages, number, block)
            return Step.SUBMIT
        while journal.since != journal.head:
            if pages[journal.since].writing:
                wait_for(state, pages, number, journal.since)
                return Step.SLEEP
            forget(state, pages, journal.since)
            journal.since = (journal.since + 1) % journal.pages
        if journal.seals:
            break
        journal.seals = True
        journal.left = 1
    journal.committed = journal.running - 1
    let_go(state, pages)
    journal.waiter = wake_all(state, journal.waiter)
    return Step.NEXT
