"""What describes a file: a page with its name and one with its inode, each shared by its neighbours.

They are pages of the page cache like any other. Who opens a file needs both; who makes or unlinks one
changes both; who writes to it changes its inode. A file without them (`inode_page` is NONE) is known.
"""

from engine.core import writeback
from engine.core.jit import kernel
from engine.core.kinds import PageState, Stage, Step
from engine.core.page_cache import begin_read, has_room, hold_back, make_dirty, use, wait_for


@kernel
def visit(state, pages, file, number, changes):
    """Take thread `number` from stage NAMES or INODE on through both pages, and change them if it `changes` them.

    Returns NEXT when it has been to the inode, else the Step it needs before.
    """
    thread = state.threads[number]
    while True:
        block = file.names_page if thread.stage == Stage.NAMES else file.inode_page
        step = bring_in(state, pages, number, block)
        if step != Step.NEXT:
            return step
        use(state, pages, block)
        if changes and state.journal.pages > 0:
            hold_back(state, pages, block)
        elif changes:
            make_dirty(state, pages, block)
        if thread.stage == Stage.INODE:
            return Step.NEXT
        thread.stage = Stage.INODE


@kernel
def bring_in(state, pages, number, block):
    """NEXT if a page is up to date, else what thread `number` has to do for it: read it, or wait."""
    page = pages[block]
    if page.state == PageState.LOCKED:
        wait_for(state, pages, number, block)
        return Step.SLEEP
    if page.state == PageState.UPTODATE:
        return Step.NEXT
    if not has_room(state, pages):
        return writeback.sleep_for_memory(state, number)
    begin_read(state, pages, number, block, 0)
    return Step.SUBMIT
