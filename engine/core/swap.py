"""Memory of processes: what of it has to be written to the swap, and what is read from there, together.

`page_cache.touch` is a process writing to it, and `page_cache.has_room` makes it go when its turn comes.
"""

from engine.core.jit import inline_kernel
from engine.core.kinds import PageState, Role
from engine.core.page_cache import block_of

CLUSTER_PAGES = 8  # read together, beginning at a multiple of as many (page_cluster 3 of 2.4)


@inline_kernel
def to_be_saved(page):
    """Whether a page holds memory that is neither on the swap nor about to be written there."""
    there = page.state == PageState.UPTODATE and page.role == Role.UNSAVED
    return there and not page.dirty and not page.writing


@inline_kernel
def swapped_out(page):
    """Whether a page has to be read from the swap."""
    return page.state == PageState.ABSENT and page.role == Role.SAVED


@inline_kernel
def next_of_cluster(pages, file, pieces, number):
    """The block to read next when page `number` of memory is needed: those around it on the swap, then it."""
    first = number // CLUSTER_PAGES * CLUSTER_PAGES
    for near in range(first, min(first + CLUSTER_PAGES, file.pages)):
        block = block_of(file, pieces, near)
        if near != number and swapped_out(pages[block]):
            return block
    return block_of(file, pieces, number)
