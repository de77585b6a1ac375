"""write(): copy the data into the page cache, dirty the pages, and do one's share of the write-back.

A page that is written in part, and holds data already, is read first. After each page the thread
balances (`engine.core.writeback`): over the kernel's limits it submits old pages, or waits.

Memory of a process is touched in the same way: what is read first is what the swap has of it, and nobody
balances.
"""

from engine.core import journal, measures, writeback
from engine.core.block_map import block_at
from engine.core.inodes import bring_in, find_page, visit
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Balance, PageState, Pattern, Role, Stage, Step
from engine.core.page_cache import (
    begin_write,
    block_of,
    end_place,
    has_room,
    make_dirty,
    save,
    touch,
    wait_for,
)
from engine.core.random_stream import next_below
from engine.core.records import NONE, PAGE_BYTES
from engine.core.swap import next_of_cluster, swapped_out, to_be_saved


@kernel
def run_writer(state, pages, files, pieces, opens, operation, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    thread = state.threads[number]
    file, opened = files[thread.file], opens[thread.opened]
    while True:
        if thread.stage == Stage.CALL:
            if thread.calls_left == 0:
                thread.stage = Stage.NEXT
                return Step.NEXT, 0
            return Step.BURST, _call(state, thread, file, opened, operation)
        if thread.stage == Stage.PAGE:
            block = block_of(file, pieces, thread.page)
            page = pages[block]
            is_new = thread.page * PAGE_BYTES >= file.bytes
            if is_new or page.state == PageState.ABSENT:
                step = find_page(state, pages, file, pieces, number, thread.page, is_new)
                if step != Step.NEXT:
                    return step, 0
            if swapped_out(page):
                block = next_of_cluster(pages, file, pieces, thread.page)
                return bring_in(state, pages, number, block), 0
            if page.state == PageState.LOCKED or (
                page.state == PageState.ABSENT and _keeps_data(thread, file)
            ):
                return bring_in(state, pages, number, block), 0
            if page.state == PageState.ABSENT and not has_room(state, pages):
                return writeback.sleep_for_memory(state, number), 0
            if file.memory:
                touch(state, pages, block)
                thread.stage = Stage.COPY
            else:
                make_dirty(state, pages, block)
                thread.stage = Stage.BALANCE
        elif thread.stage == Stage.BALANCE:
            thread.stage = Stage.COPY
            action = writeback.balance(state)
            if action == Balance.WAKE_AND_WAIT:
                writeback.wait_for_bdflush(state, number)
                return Step.SLEEP, 0
            if action >= Balance.WRITE:
                thread.flush_left = state.cache.chunk
                thread.flush_block = NONE
                thread.flush_waits = action == Balance.WRITE_AND_WAIT
                thread.stage = Stage.FLUSH
        elif thread.stage == Stage.FLUSH:
            if writeback.flush_next(state, pages, number):
                return Step.SUBMIT, 0
            thread.stage = Stage.COPY
            if thread.flush_waits and writeback.waits_for_last(state, pages, number):
                return Step.SLEEP, 0
        elif thread.stage in (Stage.NAMES, Stage.INODE):
            step = visit(state, pages, file, number, True)
            if step != Step.NEXT:
                return step, 0
            thread.stage = Stage.PAGE
        else:
            _copied(state, thread, file, opened, operation, number)


@inline_kernel
def _call(state, thread, file, opened, operation):
    """Enter write(); returns the time of the system call, or of the page fault, and of the copies."""
    machine = state.machine
    nr_bytes = operation.call_bytes
    if operation.pattern == Pattern.RANDOM:
        opened.position = next_below(thread, max(1, file.bytes // nr_bytes - 1)) * nr_bytes
    elif operation.pattern == Pattern.APPEND:
        opened.position = file.bytes
    elif operation.pattern == Pattern.SKIP:
        opened.position = file.bytes + next_below(thread, nr_bytes)
        nr_bytes = 1
    elif operation.pattern == Pattern.AGAIN:
        opened.position = thread.position
    if opened.position + nr_bytes > file.pages * PAGE_BYTES:
        opened.position = 0
    thread.position = opened.position
    thread.end_position = opened.position + nr_bytes
    thread.called_ns = machine.now_ns
    thread.page = opened.position // PAGE_BYTES
    thread.last_page = (thread.end_position - 1) // PAGE_BYTES
    thread.stage = Stage.PAGE
    if file.inode_page != NONE:  # a file that is empty gets its name now
        thread.stage = Stage.NAMES if file.bytes == 0 else Stage.INODE
    page_ns = machine.page_ns if file.memory else machine.write_page_ns
    return machine.call_ns + (thread.last_page - thread.page + 1) * page_ns


@inline_kernel
def _keeps_data(thread, file):
    """Whether the page holds data of the file that this write() leaves as they are."""
    start, end = thread.page * PAGE_BYTES, min((thread.page + 1) * PAGE_BYTES, file.bytes)
    return (
        not file.memory and start < end and (thread.position > start or thread.end_position < end)
    )


@inline_kernel
def _copied(state, thread, file, opened, operation, number):
    """A page is done: go on to the next, or return from write()."""
    if thread.page < thread.last_page:
        thread.page += 1
        thread.stage = Stage.PAGE
        return
    thread.stage = Stage.CALL
    opened.position = thread.end_position
    file.bytes = max(file.bytes, thread.end_position)
    if not file.memory:
        journal.note_write(state.journal, file)
    took_ns = state.machine.now_ns - thread.called_ns
    measures.note_calls(state, number, operation, 1, took_ns)


@kernel
def run_fsync(state, pages, files, pieces, number):
    """fsync(): submit every dirty page of the file, its map and its inode, then wait for each that is on its way.

    With a journal map and inode go with the transaction, and what waits is that it is committed. Of memory
    every page is written that is not saved: msync().
    """
    thread = state.threads[number]
    file = files[thread.file]
    end = end_place(file)
    end += file.inode_page != NONE and state.journal.pages == 0
    if thread.stage == Stage.CALL:
        thread.page = 0
        thread.stage = Stage.FLUSH
    while thread.stage == Stage.FLUSH:
        if thread.page >= end:  # the file may have been emptied meanwhile
            thread.page = 0
            thread.stage = Stage.WAIT
            break
        block = _block_to_sync(file, pieces, thread.page)
        if _goes_with_transaction(state, pages[block]):
            thread.page += 1
            continue
        if pages[block].dirty and pages[block].writing:
            wait_for(state, pages, number, block)
            return Step.SLEEP, 0
        thread.page += 1
        if to_be_saved(pages[block]):
            save(state, pages, block)
        if pages[block].dirty:
            begin_write(state, pages, number, block)
            return Step.SUBMIT, 0
    while thread.stage == Stage.WAIT:
        if thread.page >= end:
            running = state.journal.running
            thread.transaction = running if journal.changes(state.journal) > 0 else running - 1
            thread.stage = Stage.COMMIT
            break
        block = _block_to_sync(file, pieces, thread.page)
        if _goes_with_transaction(state, pages[block]):
            thread.page += 1
            continue
        if pages[block].writing:
            wait_for(state, pages, number, block)
            return Step.SLEEP, 0
        thread.page += 1
    if journal.waits_for_commit(state, number):
        return Step.SLEEP, 0
    thread.stage = Stage.NEXT
    return Step.NEXT, 0


@inline_kernel
def _block_to_sync(file, pieces, place):
    """Which block a place of a file is; behind the last comes that of its inode."""
    return block_at(file, pieces, place) if place < end_place(file) else file.inode_page


@inline_kernel
def _goes_with_transaction(state, page):
    """Whether a page is of the map and there is a journal."""
    return state.journal.pages > 0 and Role.METADATA <= page.role <= Role.HELD_ODD
