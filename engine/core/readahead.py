"""File read-ahead of Linux 2.0 ... 2.5.39 (SPEC 6), one state per open file, in pages.

A sequential reader asks for one batch ahead each time it enters the previous one, so up to two batches
are on their way. Windows double from the size of the read to `readahead_pages`. The versions:

 * V2_2 counts only the full pages of a read, measures against the last batch alone where a page is waited
   for, shrinks its window when a page is missing, and runs past the end of the file.
 * V2_4_0, and V2_2, too, unplug the disk after every batch asked for ahead of time; V2_4_1 does not.
 * V2_0 is V2_2: the specification tells no difference but a smaller largest window, and has no vectors.
 * V2_5_8 follows one sentence of the specification, "two windows of up to 128 KB", and has no vectors
   either: a reader that enters the second window asks for the next, though its page be still locked.
"""

from enum import IntEnum

from engine.core.jit import inline_kernel
from engine.core.records import PAGE_BYTES


class ReadAhead(IntEnum):
    """Versions of file read-ahead, each named by the first kernel that has it."""

    V2_2 = 0
    V2_0 = 0  # the same rules
    V2_4_0 = 1
    V2_4_1 = 2
    V2_5_8 = 3


@inline_kernel
def end_page(version, file_bytes):
    """What the functions here call `last_page`: the page in which the file ends; in 2.2 one past its last."""
    return -(-file_bytes // PAGE_BYTES) if version == ReadAhead.V2_2 else file_bytes // PAGE_BYTES


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
    wanted = (offset + nr_bytes) // PAGE_BYTES
    if ahead.version != ReadAhead.V2_2:
        wanted += 1
    wanted = max(ahead.next_window, wanted)
    if ahead.in_sequence:
        wanted = max(wanted, min_pages)
    ahead.next_window = min(wanted, max_pages)


@inline_kernel
def note_missing(ahead, min_pages):
    """The page the reader needs is not cached: in 2.2 a sequential reader has looked ahead too far."""
    if ahead.version == ReadAhead.V2_2 and ahead.in_sequence:
        ahead.next_window = min(ahead.next_window, min_pages)


@inline_kernel
def wants_window(ahead, page, locked, last_page):
    """Whether the reader, at `page`, should ask for another window.

    It should where it must wait (`locked`) for a page no window asked for, and where a sequential
    reader enters the last batch. `last_page` is what `end_page` says.
    """
    if locked and (_is_outside(ahead, page) or ahead.version != ReadAhead.V2_5_8):
        return _is_outside(ahead, page)
    return (
        ahead.in_sequence
        and ahead.next_window > 0
        and ahead.end >= 1
        and ahead.end - ahead.batch <= page <= ahead.end
        and ahead.end - 1 < last_page
    )


@inline_kernel
def _is_outside(ahead, page):
    """Whether no current window asked for `page`."""
    measure = ahead.batch if ahead.version == ReadAhead.V2_2 else ahead.window
    return ahead.batch == 0 or page >= ahead.end or page + measure < ahead.end


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
    ahead.asynchronous = not (locked and _is_outside(ahead, page))
    if ahead.asynchronous:
        ahead.behind = ahead.end - 1
        ahead.count = ahead.next_window + (ahead.version != ReadAhead.V2_5_8)
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

    In 2.4 the page in which the file ends is counted but never read ahead; in 2.2 all the window counts.
    """
    if ahead.issued == ahead.count:
        return -1
    ahead.issued += 1
    page = ahead.behind + ahead.issued
    if page >= last_page:
        if ahead.version == ReadAhead.V2_2:
            ahead.issued = ahead.count
        ahead.count = ahead.issued
        return -1
    return page


@inline_kernel
def close_window(ahead, max_pages):
    """The window has been asked for: move the windows there and let the next be twice as large.

    Returns whether this version unplugs the disk now.
    """
    if ahead.count == 0:
        return False
    ahead.batch += ahead.issued
    ahead.window += ahead.batch
    ahead.end = ahead.behind + ahead.issued + 1
    ahead.next_window = min(2 * ahead.next_window, max_pages)
    return ahead.asynchronous and ahead.version <= ReadAhead.V2_4_0
