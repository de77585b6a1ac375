"""Player for schema ra-1: one reader reads one file, and pages are asked for ahead of it."""

from typing import Any

from engine.conformance.generations import READ_AHEADS
from engine.core import readahead
from engine.core.records import PAGE_BYTES, READAHEAD, new_record

NO_MORE = -1


def supports(generation: str) -> bool:
    """Whether there is a read-ahead for it."""
    return _kernel(generation) in READ_AHEADS


def steps(script: dict[str, Any]) -> tuple[list, list]:
    """Reads and their recorded events and states."""
    return script["reads"], script["res"]


def _kernel(generation: str) -> str:
    return generation.removeprefix("ra_")


class Player:
    """One open file; I/O ends as the script's `completion` says."""

    def __init__(self, generation: str, params: dict[str, Any]):
        self.params = params
        self.ahead = new_record(READAHEAD)
        self.ahead.version = READ_AHEADS[_kernel(generation)]
        self.last_page = readahead.end_page(self.ahead.version, params["file_size"])
        self.in_flight: list[int] = []
        self.up_to_date: set[int] = set()
        self.events: list[str] = []
        self.position = 0

    def step(self, number: int, read: list[int]) -> list:
        """One read(); its events and the state after it."""
        position, nr_bytes = read
        self.events = []
        end = min(position + nr_bytes, self.params["file_size"])
        self.position = max(position, end)
        minimum, maximum = (self.params[f"{m}_readahead_pages"] for m in ("min", "max"))
        if nr_bytes:
            readahead.begin_read(self.ahead, position, nr_bytes, minimum, maximum)
        for page in range(position // PAGE_BYTES, -(-end // PAGE_BYTES)):
            self._read_page(page)
        ahead = self.ahead
        fields = (ahead.next_window, ahead.end, ahead.batch, ahead.window)
        return [self.events, [self.position, 1, *map(int, fields)]]

    def _read_page(self, page: int) -> None:
        if page not in self.up_to_date and page not in self.in_flight:
            readahead.note_missing(self.ahead, self.params["min_readahead_pages"])
            self._submit(page)
            if page not in self.up_to_date:
                self._look_ahead(page)
        else:
            self._look_ahead(page)
        if page not in self.up_to_date:
            self._wait(page)

    def _look_ahead(self, page: int) -> None:
        locked = page in self.in_flight
        if not readahead.wants_window(self.ahead, page, locked, self.last_page):
            return
        readahead.open_window(self.ahead, page, locked, self.last_page)
        while (wanted := readahead.next_in_window(self.ahead, self.last_page)) != NO_MORE:
            if wanted not in self.up_to_date and wanted not in self.in_flight:
                self._submit(wanted)
        if readahead.close_window(self.ahead, self.params["max_readahead_pages"]):
            self.events.append("u")

    def _submit(self, page: int) -> None:
        self.events.append(f"r{page}")
        if self.params["completion"] == "instant":
            self.up_to_date.add(page)
        else:
            self.in_flight.append(page)

    def _wait(self, page: int) -> None:
        self.events.append(f"w{page}")
        done = len(self.in_flight)
        if self.params["completion"] == "fifo":
            done = self.in_flight.index(page) + 1
        self.up_to_date.update(self.in_flight[:done])
        del self.in_flight[:done]
