"""The request queue of Linux 2.4: what all its elevators share (SPEC 2).

The later and earlier kernels are told as differences from it.
"""

from .merging import MergingQueue
from .request import NOTHING, Bio, Direction, Found, Request, Settings, Side, default


class RequestQueue(MergingQueue):
    """The queue of Linux 2.4: submit, unplug, take, complete (SPEC 2.3, 2.4).

    A generation says how it scans (`scan`), what a merge costs the others (`charge_merge`), where a
    new request goes (`place`) and how old it is at birth (`birth_sequence`).
    """

    READ_LATENCY = 0
    WRITE_LATENCY = 0
    MAX_BOMB_SEGMENTS = 0

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.release_at_dispatch = settings.release_at_dispatch
        self.latency = {
            Direction.READ: default(settings.read_latency, self.READ_LATENCY),
            Direction.WRITE: default(settings.write_latency, self.WRITE_LATENCY),
        }
        self.max_bomb_segments = default(settings.max_bomb_segments, self.MAX_BOMB_SEGMENTS)
        self.outstanding: list[Request] = []  # in the order the driver took them
        self.requests_made = 0

    # --- what a generation decides -------------------------------------------------------------

    def scan(self, bio: Bio) -> Found:
        """Look for a request that `bio` can join; age the requests the scan passes."""
        raise NotImplementedError

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """Make the requests behind the target pay for a merge that overtakes them."""

    def place(self, request: Request, found: Found) -> int:
        """Index of a new request: next to a refused target, behind a hint, or the tail."""
        if found.request is None:
            return len(self.requests)
        at = self.requests.index(found.request)
        return at if found.side is Side.FRONT else at + 1

    def birth_sequence(self, request: Request) -> int:
        """Age of a new request."""
        return self.latency[request.direction]

    def aux(self) -> list[int]:
        """Counters shown in a dump."""
        return self.pool.counters()

    # --- submission ----------------------------------------------------------------------------

    def submit(self, bio: Bio) -> list:
        """Merge `bio` into a queued request or queue a new one (SPEC 2.4).

        Returns what happened in the letters of the vectors: N new, B or F merged, X no slot.
        """
        if self.is_empty():
            self.plug()
            return self.add_request(bio, NOTHING)
        found = self.scan(bio)
        return self.merge(bio, found) or self.add_request(bio, found)

    def is_empty(self) -> bool:
        """Whether nothing is queued or in service at the head."""
        return not self.requests

    def plug(self) -> None:
        """Keep the driver away until somebody needs the data."""
        self.plugged = True

    def merge(self, bio: Bio, found: Found) -> list | None:
        """Let the target, if any, grow by `bio` unless it would need a segment too many."""
        target = found.request
        if found.side is Side.BACK and self.extend_back(target, bio):
            self.merged(found, bio)
            return ["B", target.id, *self.join_with_successor(target)]
        if found.side is Side.FRONT and self.extend_front(target, bio):
            self.merged(found, bio)
            return ["F", target.id, *self.join_with_predecessor(target)]
        return None

    def merged(self, found: Found, bio: Bio) -> None:
        """The target has grown: count and charge."""
        self.pool.merged(bio.nr_sectors)
        self.charge_merge(found, bio)

    def add_request(self, bio: Bio, found: Found) -> list:
        """Queue a new request for `bio`; without a free slot the submitter unplugs and sleeps."""
        slot = self.pool.take(bio.direction, bio.nr_sectors)
        if slot is None:
            if self.pool.waiter_unplugs():
                self.unplug()
            return ["X"]
        request = self.new_request(bio, slot)
        request.sequence = self.birth_sequence(request)
        self.insert(request, found)
        return ["N", request.id, *self.neighbours(self.list_of(request), request)]

    def insert(self, request: Request, found: Found) -> None:
        """Link a new request into the queue."""
        self.requests.insert(self.place(request, found), request)

    def new_request(self, bio: Bio, slot) -> Request:
        """A request that holds nothing but `bio`."""
        self.requests_made += 1
        return Request(
            id=self.requests_made,
            direction=bio.direction,
            device=bio.device,
            sector=bio.sector,
            nr_sectors=bio.nr_sectors,
            memory=bio.memory,
            memory_end=bio.memory_end,
            slot=slot,
        )

    # --- order ---------------------------------------------------------------------------------

    def from_tail(self) -> list[Request]:
        """The requests within reach, tail first."""
        return self.requests[self.first_in_reach() :][::-1]

    def behind(self, target: Request) -> list[Request]:
        """Everything the driver will take after `target`."""
        return self.requests[self.requests.index(target) + 1 :]

    # --- the driver's side ---------------------------------------------------------------------

    def unplug(self) -> bool:
        """Let the driver at the queue; tells whether it was plugged."""
        was_plugged, self.plugged = self.plugged, False
        return was_plugged

    def take(self) -> int:
        """The driver asks for work: id of the request it gets, or -1."""
        busy = self.head_active and self.outstanding
        if self.plugged or not self.requests or busy:
            return -1
        request = self.requests[0]
        self.outstanding.append(request)
        if not self.head_active:
            del self.requests[0]
            self.left_queue(request)
            if self.release_at_dispatch:
                self.pool.release(request.slot)
        return request.id

    def complete(self, which: int) -> int:
        """The device finishes outstanding request number `which` (modulo their count)."""
        if not self.outstanding:
            return -1
        request = self.outstanding.pop(which % len(self.outstanding))
        self.pool.complete(request.nr_sectors)
        if self.head_active:
            self.requests.remove(request)
            self.left_queue(request)
        if not self.release_at_dispatch:
            self.pool.release(request.slot)
        return request.id

    # --- inspection ----------------------------------------------------------------------------

    def dump(self) -> dict:
        """Queue from head to tail and counters, as the vectors record them."""
        return {"q": [self.row(request) for request in self.requests], "aux": self.aux()}

    @staticmethod
    def row(request: Request) -> list[int]:
        """One request in a dump."""
        return [
            request.id,
            request.direction,
            request.device,
            request.sector,
            request.nr_sectors,
            request.sequence,
        ]

    @staticmethod
    def neighbours(requests: list[Request], request: Request) -> tuple[int, int]:
        """Ids before and behind `request`, 0 at the ends of the list."""
        at = requests.index(request)
        before = requests[at - 1].id if at else 0
        after = requests[at + 1].id if at + 1 < len(requests) else 0
        return before, after
