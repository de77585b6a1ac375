"""What describes a file: a page with its name and one with its inode, each shared by its neighbours, and its map.

They are pages of the page cache like any other. Who opens a file needs name and inode; who makes or
unlinks one changes both; who writes to it changes its inode. A file without them (`inode_page` is NONE) is
known. Who looks for a page on the disk needs the indirect blocks that tell of it.
"""

from engine.core import writeback
from engine.core.block_map import FAR_PAGE, FAR_PLACE, block_at, first_told, place_of
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import PageState, Stage, Step
from engine.core.limits import DIRECT_PAGES
from engine.core.page_cache import begin_read, has_room, hold_back, make_dirty, use, wait_for
from engine.core.records import PAGE_BYTES


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
        if changes:
            _change(state, pages, block)
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


@kernel
def find_page(state, pages, file, pieces, number, page, is_new):
    """NEXT when the map tells where a page of the file lies, else what thread `number` has to do before.

    A page that `is_new` to the file is entered in it, and the first that a block of the map tells of
    makes that block.
    """
    if not file.mapped or page < DIRECT_PAGES:
        return Step.NEXT
    first = first_told(page)
    makes = is_new and file.bytes <= first * PAGE_BYTES
    if page >= FAR_PAGE:
        double = block_at(file, pieces, FAR_PLACE)
        step = _map_block(state, pages, number, double, makes and first == FAR_PAGE, makes)
        if step != Step.NEXT:
            return step
    block = block_at(file, pieces, place_of(file, first) - 1)
    return _map_block(state, pages, number, block, makes, is_new)


@kernel
def _map_block(state, pages, number, block, makes, changes):
    """NEXT when a block of the map is there, made or changed if need be, else the Step needed before.

    It is asked for each page it tells of, and so is active at once.
    """
    if makes and pages[block].state == PageState.ABSENT:
        if not has_room(state, pages):
            return writeback.sleep_for_memory(state, number)
    else:
        step = bring_in(state, pages, number, block)
        if step != Step.NEXT:
            return step
    if changes:
        _change(state, pages, block)
    pages[block].used = True
    use(state, pages, block)
    return Step.NEXT


@inline_kernel
def _change(state, pages, block):
    """A page of metadata changes: with a journal its transaction has it, else it is dirty."""
    if state.journal.pages > 0:
        hold_back(state, pages, block)
    else:
        make_dirty(state, pages, block)
