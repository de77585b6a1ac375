"""File read-ahead of Linux 2.4.1 ... 2.4.22 (SPEC 6), one state per open file, in pages.

A sequential reader asks for one batch ahead each time it enters the previous one, so up to two batches
are on their way. Windows double from the size of the read to `readahead_pages`.
"""

from engine.core.jit import inline_kernel
from engine.core.records import PAGE_BYTES


@inline_kernel
def begin_read(ahead, position, nr_bytes, min_pages, max_pages):
    """A read of `nr_bytes` at byte `position` begins: is it in sequence, and how far to look ahead?"""
    page, offset = position // PAGE_BYTES, position % PAGE_BYTES
    ahead.in_sequence = page <= ahead.end and page + ahead.window >= ahead.end
    if not ahead.in_sequence:
        ahead.next_window = 0
        ahead.end = 0
        ahead.batch = 0
        ahead.window = 0
    if page == 0 and offset + nr_bytes <= PAGE_BYTES // 2:
        ahead.next_window = 0
        return
    wanted = max(ahead.next_window, (offset + nr_bytes) // PAGE_BYTES + 1)
    if ahead.in_sequence:
        wanted = max(wanted, min_pages)
    ahead.next_window = min(wanted, max_pages)


@inline_kernel
def wants_window(ahead, page, locked, last_page):
    """Whether the reader, at `page`, should ask for another window.

    It should where it must wait (`locked`) for a page no window asked for, and where a sequential
    reader enters the last batch. `last_page` is the page in which the file ends.
    """
    if locked:
        return ahead.batch == 0 or page >= ahead.end or page + ahead.window < ahead.end
    return (
        ahead.in_sequence
        and ahead.next_window > 0
        and ahead.end >= 1
        and ahead.end - ahead.batch <= page <= ahead.end
        and ahead.end - 1 < last_page
    )


@inline_kernel
def quiet_pages(ahead, page):
    """How many pages from `page` on a sequential reader passes before he enters the last batch."""
    if page > ahead.end or page + ahead.window < ahead.end:
        return 0
    return max(0, ahead.end - ahead.batch - page)


@inline_kernel
def open_window(ahead, page, locked, last_page):
    """Set the window to ask for: the `count` pages behind `behind`."""
    ahead.issued = 0
    if not locked:
        ahead.behind = ahead.end - 1
        ahead.count = ahead.next_window + 1
        ahead.window = ahead.batch
        ahead.batch = 0
        return
    ahead.behind = page
    ahead.count = ahead.next_window if page < last_page else 0
    ahead.window = 0
    ahead.batch = 1
    if ahead.count == 0:
        ahead.end = page + 1
        ahead.window = 1


@inline_kernel
def next_in_window(ahead, last_page):
    """The next page of the window, counted as asked for; NONE (-1) when the window is done.

    The page in which the file ends is counted but never read ahead.
    """
    if ahead.issued == ahead.count:
        return -1
    ahead.issued += 1
    page = ahead.behind + ahead.issued
    if page >= last_page:
        ahead.count = ahead.issued
        return -1
    return page


@inline_kernel
def close_window(ahead, max_pages):
    """The window has been asked for: move the windows there and let the next be twice as large."""
    if ahead.count == 0:
        return
    ahead.batch += ahead.issued
    ahead.window += ahead.batch
    ahead.end = ahead.behind + ahead.issued + 1
    ahead.next_window = min(2 * ahead.next_window, max_pages)
