"""G20 and G22A: 2.0.39 and 2.2.0 ... 2.2.15, one sweep and no ageing (SPEC 3.1, 3.2).

Also what all of 2.0 and 2.2 share: the queue is plugged by a dummy request at its head.
"""

from collections.abc import Iterator

from .queue import RequestQueue
from .request import NOTHING, Bio, Direction, Found, Request, Settings, Side, disk_order


class QueueWithDummy(RequestQueue):
    """Plugging inserts a dummy request that sorts before everything and has no segments.

    The scans see it. What the driver serves at the head of the queue is skipped.
    """

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.dummy = Request(0, Direction.READ, -1, 0, 0, 0, 0, segments=0)

    def plug(self) -> None:
        """The dummy goes in front."""
        super().plug()
        if self.uses_dummy():
            self.requests.insert(0, self.dummy)

    def uses_dummy(self) -> bool:
        """In 2.2 IDE keeps its plug outside of the queue."""
        return not self.head_active

    def unplug(self) -> bool:
        """The dummy goes."""
        if self.dummy in self.requests:
            self.requests.remove(self.dummy)
        return super().unplug()

    def real(self) -> list[Request]:
        """The requests without the dummy."""
        return [request for request in self.requests if request is not self.dummy]

    def first_in_reach(self) -> int:
        """Index of the first element that merges may touch: not the request in service."""
        return 1 if self.head_active and self.outstanding else 0

    def belongs_behind(self, at: int, new: Request) -> bool:
        """Whether a one-way sweep has its place for `new` directly behind element `at`.

        Within a sweep: between the two. Where the sweep folds back: beyond its end or before its
        new start. The last element always will do.
        """
        if at + 1 == len(self.requests):
            return True
        first, second = self.requests[at], self.requests[at + 1]
        behind_first = disk_order(first) < disk_order(new)
        before_second = disk_order(new) < disk_order(second)
        if disk_order(first) < disk_order(second):
            return behind_first and before_second
        return behind_first or before_second

    def aux(self) -> list[int]:
        """Free slots, plugged."""
        return [self.pool.counters()[0], int(self.plugged)]

    def dump(self) -> dict:
        """The dummy is not shown."""
        return {"q": [self.row(request) for request in self.real()], "aux": self.aux()}

    def neighbours(self, requests: list[Request], request: Request) -> tuple[int, int]:
        """Among the real requests."""
        return super().neighbours(self.real(), request)


class FirstFit(QueueWithDummy):
    """Merge with the first request from the head that `bio` touches and that has a segment left.

    Only a back merge makes two requests join. Nothing ages.
    """

    def submit(self, bio: Bio) -> list:
        """Try every target in turn, else queue a new request."""
        if not self.requests:
            self.plug()
        for found in self.targets(bio):
            outcome = self.merge(bio, found)
            if outcome:
                return outcome
        return self.add_request(bio, NOTHING)

    def targets(self, bio: Bio) -> Iterator[Found]:
        """Every request from the head on that `bio` touches."""
        for request in self.requests[self.first_in_reach() :]:
            side = self.side(request, bio)
            if side is not Side.NONE:
                yield Found(side, request)

    def join_with_predecessor(self, request: Request) -> tuple[int, int]:
        """A front merge does not look at the predecessor."""
        return -1, -1

    def place(self, request: Request, found: Found) -> int:
        """Walk from the very first element to the first place in the sweep."""
        if not self.requests:
            return 0
        at = 0
        while not self.belongs_behind(at, request):
            at += 1
        return at + 1


class G20(FirstFit):
    """2.0.38 ... 2.0.40: IDE always skips the first element: dummy, served, or not."""

    def uses_dummy(self) -> bool:
        """Everybody."""
        return True

    def first_in_reach(self) -> int:
        """Index of the first element that merges may look at."""
        return 1 if self.head_active else 0

    def belongs_behind(self, at: int, new: Request) -> bool:
        """As in 2.2, but behind a fold only what lies before its new start."""
        if at + 1 == len(self.requests):
            return True
        first, second = self.requests[at], self.requests[at + 1]
        behind_first = disk_order(first) < disk_order(new)
        folds = disk_order(first) >= disk_order(second)
        return (behind_first or folds) and disk_order(new) < disk_order(second)


class G22A(FirstFit):
    """2.2.0 ... 2.2.15."""
