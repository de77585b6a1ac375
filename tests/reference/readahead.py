"""File read-ahead of Linux 2.2 and 2.4: one file, one reader, pages of 4096 bytes (SPEC 6)."""

from dataclasses import dataclass, field

PAGE_BYTES = 4096


@dataclass
class PageCache:
    """Pages of the file that were asked for; I/O ends only when somebody waits, if not at once.

    completion "instant": a page is up to date as soon as submitted; "fifo": a wait finishes pages
    in submission order up to the one waited for; "all": a wait finishes everything submitted.
    """

    completion: str
    in_flight: list[int] = field(default_factory=list)
    up_to_date: set[int] = field(default_factory=set)
    events: list[str] = field(default_factory=list)

    def __contains__(self, page: int) -> bool:
        return page in self.up_to_date or page in self.in_flight

    def submit(self, page: int) -> None:
        """Start reading a page that is not cached."""
        self.events.append(f"r{page}")
        if self.completion == "instant":
            self.up_to_date.add(page)
        else:
            self.in_flight.append(page)

    def wait(self, page: int) -> None:
        """Sleep until `page` is up to date."""
        self.events.append(f"w{page}")
        done = len(self.in_flight)
        if self.completion == "fifo":
            done = self.in_flight.index(page) + 1
        self.up_to_date.update(self.in_flight[:done])
        del self.in_flight[:done]


class ReadAhead24:
    """Read-ahead state of one open file in 2.4.1 ... 2.4.22, in pages."""

    UNPLUG_AFTER_ASYNCHRONOUS = False
    MORE_PAGES = 1  # in an asynchronous window than in another

    def __init__(self, file_size: int, cache: PageCache, max_pages: int, min_pages: int):
        self.file_size = file_size
        self.cache = cache
        self.max_pages = max_pages
        self.min_pages = min_pages
        self.position = 0  # bytes
        self.next_window = 0  # rmax: how much the next window asks for
        self.window_end = 0  # rend: page after the last one asked for
        self.batch_length = 0  # rlen: pages of the last batch
        self.window_length = 0  # rwin: pages of the current pair of windows
        self.in_sequence = False

    @property
    def last_page(self) -> int:
        """Page in which the file ends."""
        return self.file_size // PAGE_BYTES

    def read(self, position: int, length: int) -> None:
        """Read `length` bytes from `position` (bytes) on, waiting for every page."""
        end = min(position + length, self.file_size)
        self.position = max(position, end)
        self.begin_read(position, length)
        page = position // PAGE_BYTES
        while page * PAGE_BYTES < end:
            self.read_page(page)
            page += 1

    def begin_read(self, position: int, length: int) -> None:
        """Decide whether this read continues a sequence, and how far ahead to look."""
        page, offset = divmod(position, PAGE_BYTES)
        self.in_sequence = self.is_in_sequence(page)
        if not self.in_sequence:
            self.next_window = self.window_end = self.batch_length = self.window_length = 0
        if page == 0 and offset + length <= PAGE_BYTES // 2:
            self.next_window = 0
            return
        self.next_window = max(self.next_window, self.pages_needed(offset, length))
        if self.in_sequence:
            self.next_window = max(self.next_window, self.min_pages)
        self.next_window = min(self.next_window, self.max_pages)

    def is_in_sequence(self, page: int) -> bool:
        """Whether `page` lies in the windows or directly behind them."""
        return page <= self.window_end <= page + self.window_length

    def pages_needed(self, offset: int, length: int) -> int:
        """Pages a read of `length` bytes at `offset` within a page reaches into."""
        return (offset + length) // PAGE_BYTES + 1

    def read_page(self, page: int) -> None:
        """Look ahead from `page` and wait until it is up to date."""
        if page in self.cache:
            self.look_ahead(page)
        else:
            self.cache.submit(page)
            if page not in self.cache.up_to_date:
                self.look_ahead(page)
        if page not in self.cache.up_to_date:
            self.cache.wait(page)

    def look_ahead(self, page: int) -> None:
        """Open the next window if the reader caught up with I/O or entered the last batch."""
        if page in self.cache.in_flight:
            if self.outside_window(page):
                self.synchronous_window(page)
        elif self.entered_last_batch(page):
            self.asynchronous_window()

    def outside_window(self, page: int) -> bool:
        """Whether the page waited for was not asked for by the current windows."""
        return (
            self.batch_length == 0
            or page >= self.window_end
            or page + self.window_length < self.window_end
        )

    def entered_last_batch(self, page: int) -> bool:
        """Whether a sequential reader finds itself in the batch asked for last."""
        return (
            self.in_sequence
            and self.next_window > 0
            and self.window_end >= 1
            and self.window_end - self.batch_length <= page <= self.window_end
        )

    def synchronous_window(self, page: int) -> None:
        """Start anew behind a page whose I/O the reader is about to wait for."""
        self.window_length = 0
        self.batch_length = 1
        count = self.next_window if self.looks_beyond(page) else 0
        if count == 0:
            self.window_end = page + 1
            self.window_length = 1
        self.request_batch(page, count)

    def looks_beyond(self, base: int) -> bool:
        """Whether there is anything to read ahead behind page `base`."""
        return base < self.last_page

    def asynchronous_window(self) -> None:
        """Ask for one more batch behind the last one, without waiting."""
        if not self.looks_beyond(self.window_end - 1):
            return
        self.window_length = self.batch_length
        self.batch_length = 0
        self.request_batch(self.window_end - 1, self.next_window + self.MORE_PAGES)
        if self.UNPLUG_AFTER_ASYNCHRONOUS:
            self.cache.events.append("u")

    def request_batch(self, base: int, count: int) -> None:
        """Submit the pages behind `base` and move the windows there."""
        if count == 0:
            return
        done = self.submit_behind(base, count)
        self.batch_length += done
        self.window_length += self.batch_length
        self.window_end = base + done + 1
        self.next_window = min(2 * self.next_window, self.max_pages)

    def submit_behind(self, base: int, count: int) -> int:
        """Submit what is not cached of `count` pages behind `base`; how many pages were tried.

        The page in which the file ends is tried, but never read ahead.
        """
        for page in range(base + 1, base + count + 1):
            if page >= self.last_page:
                return page - base
            if page not in self.cache:
                self.cache.submit(page)
        return count

    def state(self) -> list[int]:
        """Position in bytes, then the read-ahead fields in pages, as the vectors show them."""
        return [
            self.position,
            1,  # set by every read
            self.next_window,
            self.window_end,
            self.batch_length,
            self.window_length,
        ]


class ReadAhead240(ReadAhead24):
    """2.4.0: unplugs the disk after every asynchronous batch."""

    UNPLUG_AFTER_ASYNCHRONOUS = True


class ReadAhead258(ReadAhead24):
    """2.5.8: two windows, as in one sentence of the specification; no vectors.

    Who enters the second asks for the next, though its page be still locked.
    """

    MORE_PAGES = 0

    def look_ahead(self, page: int) -> None:
        """A locked page matters only outside the windows."""
        if page in self.cache.in_flight and self.outside_window(page):
            self.synchronous_window(page)
        elif self.entered_last_batch(page):
            self.asynchronous_window()


class ReadAhead22(ReadAhead240):
    """2.2: as 2.4.0, but a missing page shrinks the window, and batches run past the file's end."""

    def pages_needed(self, offset: int, length: int) -> int:
        """Full pages a read of `length` bytes at `offset` within a page covers."""
        return (offset + length) // PAGE_BYTES

    def read_page(self, page: int) -> None:
        """A sequential reader that finds a page missing was looking ahead too far."""
        if page not in self.cache and self.in_sequence:
            self.next_window = min(self.next_window, self.min_pages)
        super().read_page(page)

    def outside_window(self, page: int) -> bool:
        """As in 2.4, measured against the last batch alone."""
        return (
            self.batch_length == 0
            or page >= self.window_end
            or page + self.batch_length < self.window_end
        )

    def looks_beyond(self, base: int) -> bool:
        """Any page within the file will do."""
        return base * PAGE_BYTES < self.file_size

    def submit_behind(self, base: int, count: int) -> int:
        """Pages beyond the file's end count as tried, too."""
        for page in range(base + 1, base + count + 1):
            if page * PAGE_BYTES < self.file_size and page not in self.cache:
                self.cache.submit(page)
        return count
