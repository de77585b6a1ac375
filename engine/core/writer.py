"""The program of a streaming writer: write its file from begin to end, over and over.

Each write() copies its pages into the cache and, as a kernel does whose memory is full of dirty pages
(SPEC 7), submits them itself, in order. It waits for no page but one that is still on its way to the
disk from the round before, so what slows it down is the processor and the request pool.
"""

from engine.core import measures
from engine.core.jit import kernel
from engine.core.page_cache import block_of, lock_and_fill_in, waits
from engine.core.records import PAGE_BYTES, PageState, Stage, Step


@kernel
def run_writer(state, pages, pieces, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    machine, thread = state.machine, state.threads[number]
    while True:
        if thread.stage == Stage.CALL:
            call_pages = machine.block_bytes // PAGE_BYTES
            thread.called_ns = machine.now_ns
            thread.page = thread.position // PAGE_BYTES
            thread.last_page = thread.page + call_pages - 1
            thread.stage = Stage.PAGE
            return Step.BURST, machine.call_ns + call_pages * machine.page_ns
        if thread.stage == Stage.PAGE:
            block = block_of(thread.file, pieces, thread.page)
            if pages[block].state == PageState.LOCKED and waits(state, pages, number, block):
                return Step.SLEEP, 0
            thread.stage = Stage.COPY
            lock_and_fill_in(state, pages, number, block, 0)
            return Step.SUBMIT, 0
        if thread.page < thread.last_page:
            thread.page += 1
            thread.stage = Stage.PAGE
        else:
            _return(state, thread, number)


@kernel
def _return(state, thread, number):
    """write() returns; behind the end of the file the writer begins anew."""
    thread.stage = Stage.CALL
    thread.position += state.machine.block_bytes
    if thread.position + state.machine.block_bytes > thread.file.pages * PAGE_BYTES:
        thread.position = 0
    measures.note_calls(state, number, 1, state.machine.now_ns - thread.called_ns)
