"""G22B and G22C: 2.2.16 and 2.2.17 ... 2.2.18pre16, passovers counted in segments (SPEC 3.3)."""

from .g20_g22a import QueueWithDummy
from .request import NOTHING, Bio, Direction, Found, Request, Side


class G22B(QueueWithDummy):
    """2.2.16: what goes in behind a request must leave it within its budget of segments.

    The age of a request (`sequence`) is what its budget was at birth less 1 per overtaking; at zero
    it starves, and everything starts behind the last starving request near enough to the head.
    """

    READ_LATENCY = 128
    WRITE_LATENCY = 8192
    MAX_BOMB_SEGMENTS = 4

    def seek(self, first: int, budget: int) -> tuple[int, int]:
        """Last starving element within `budget` segments behind element `first`, and what is left.

        Without one it is `first` itself, at the full budget.
        """
        start, before_start, position = first, 0, 0
        for at in range(first, len(self.requests)):
            if self.requests[at].sequence <= 0:
                start, before_start = at, position
                if position >= budget:
                    break
            position += self.requests[at].segments
        return start, budget - before_start

    def scan(self, bio: Bio) -> Found:
        """From the start towards the tail, as far as the budget of segments reaches."""
        first = self.first_in_reach()
        if first >= len(self.requests):
            return NOTHING
        budget = self.latency[bio.direction]
        if first == 1:
            budget -= self.requests[1].segments
        start, budget = self.seek(first, budget)
        for request in self.requests[start:]:
            side = self.side(request, bio)
            if side is Side.FRONT and self.starving_start(request, start):
                side = Side.NONE
            if side is not Side.NONE:
                return Found(side, request, budget)
            budget -= request.segments
            if budget < 0:
                break
        return NOTHING

    def starving_start(self, request: Request, start: int) -> bool:
        """Whether `request` is where the scan started, because it starves."""
        return request is self.requests[start] and request.sequence <= 0

    def segment_limit(self, direction: Direction) -> int:
        """A write is kept short as long as a read is queued."""
        waiting = self.real()[self.first_in_reach() :]
        reads = any(request.direction == Direction.READ for request in waiting)
        if direction == Direction.WRITE and reads:
            return self.max_bomb_segments
        return self.MAX_SEGMENTS

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """The target's age is capped by the budget; everything behind it pays 1."""
        target = found.request
        if found.side is Side.BACK:
            target.sequence = min(target.sequence, found.budget - target.segments)
        else:
            target.sequence = min(target.sequence - 1, found.budget)
        for request in self.behind(target):
            request.sequence -= 1

    def place(self, request: Request, found: Found) -> int:
        """Walk from the start to the place in the sweep; if that is too far, stay at the start."""
        at = self.walk(request) if self.requests else 0
        for passed in self.requests[at:]:
            passed.sequence -= 1
        return at

    def walk(self, request: Request) -> int:
        """Index for a new request, whose age becomes the budget left there."""
        start, budget = self.seek(0, self.latency[request.direction])
        at, left = start, budget
        while True:
            left -= self.requests[at].segments
            if left <= 0:
                return self.stay_at(start, budget, request)
            if self.belongs_behind(at, request):
                request.sequence = left
                return at + 1
            at += 1

    def stay_at(self, start: int, budget: int, request: Request) -> int:
        """Too far: in front of everything, or behind a start that may not be overtaken."""
        element = self.requests[start]
        served = self.head_active and element in self.outstanding
        if element.sequence <= 0 or served:
            request.sequence = budget - element.segments
            return start + 1
        request.sequence = budget
        return 0


class G22C(G22B):
    """2.2.17 ... 2.2.18pre16: longer writes."""

    MAX_BOMB_SEGMENTS = 32
