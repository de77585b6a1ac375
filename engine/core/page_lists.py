"""The lists in which the pages of the cache stand, oldest first: clean ones, active or not, and dirty ones."""

from engine.core.jit import inline_kernel
from engine.core.kinds import Role
from engine.core.prefetch import prefetch
from engine.core.records import NONE


@inline_kernel
def join_clean(cache, pages, block):
    """A clean page becomes the newest of its list."""
    if pages[block].active:
        cache.active += 1
        append(cache.active_pages, pages, block)
    else:
        cache.inactive += 1
        append(cache.inactive_pages, pages, block)


@inline_kernel
def join_first(cache, pages, block):
    """Memory that has been saved is the first to go."""
    first = cache.inactive_pages.oldest
    pages[block].previous = NONE
    pages[block].next = first
    if first == NONE:
        cache.inactive_pages.newest = block
    else:
        pages[first].previous = block
    cache.inactive_pages.oldest = block
    cache.inactive += 1


@inline_kernel
def leave_dirty(cache, pages, block):
    """A page is dirty no longer, and leaves its list."""
    pages[block].dirty = False
    if pages[block].role == Role.UNSAVED:
        remove(cache.swap_pages, pages, block)
    else:
        cache.dirty -= 1
        remove(cache.dirty_pages, pages, block)


@inline_kernel
def leave_clean(cache, pages, block):
    """A clean page leaves its list."""
    if pages[block].active:
        cache.active -= 1
        remove(cache.active_pages, pages, block)
    else:
        cache.inactive -= 1
        remove(cache.inactive_pages, pages, block)


@inline_kernel
def leave_oldest(cache, pages):
    """The oldest inactive page leaves its list."""
    the_list = cache.inactive_pages
    cache.inactive -= 1
    the_list.oldest = pages[the_list.oldest].next
    if the_list.oldest == NONE:
        the_list.newest = NONE
        return
    oldest = pages[the_list.oldest]
    oldest.previous = NONE
    prefetch(pages, oldest.next)  # the next to go but one


@inline_kernel
def append(the_list, pages, block):
    """A page becomes the newest of a list."""
    last = the_list.newest
    pages[block].previous = last
    pages[block].next = NONE
    if last == NONE:
        the_list.oldest = block
    else:
        pages[last].next = block
    the_list.newest = block


@inline_kernel
def remove(the_list, pages, block):
    """A page leaves a list."""
    before, after = pages[block].previous, pages[block].next
    if before == NONE:
        the_list.oldest = after
    else:
        pages[before].next = after
    if after == NONE:
        the_list.newest = before
    else:
        pages[after].previous = before
