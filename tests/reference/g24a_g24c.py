"""G24A and G24C: the deadline-like elevators of 2.4.0-test1 and test3 (SPEC 3.5, 3.7)."""

from .counters24 import CountingQueue
from .request import NOTHING, Bio, Direction, Found, Request, Side, disk_order


class DeadlineByClock(CountingQueue):
    """A request's sequence is the clock value at which it starves; nobody is decremented.

    `budget` says how many segments may still go ahead of a new piece: the latency of its direction
    less all queued segments, plus those walked past from the tail. Where it is negative, the piece
    would come too late.
    """

    def starving(self, request: Request) -> bool:
        """Whether nothing may go ahead of `request` any more; every scan ends with it."""
        return request.sequence < self.clock

    def side(self, request: Request, bio: Bio) -> Side:
        """Where `bio` may join `request`: behind it, or before it if it is not starving."""
        side = super().side(request, bio)
        return Side.NONE if side is Side.FRONT and self.starving(request) else side

    def walk(self, request: Request) -> tuple[int, int]:
        """Where a new request goes, and the budget it has there.

        From the tail to the first place in order that is near enough to the head; a starving
        element ends the walk, then the first place near enough will do.
        """
        budget = self.latency[request.direction] - self.total_segments
        fallback = None
        at = len(self.requests)
        while at > self.first_in_reach():
            before = self.requests[at - 1]
            if budget >= 0 and fallback is None:
                fallback = at, budget
            if self.starving(before):
                break
            if budget >= 0 and (disk_order(before) < disk_order(request) or self.is_fold(at)):
                return at, budget
            budget += before.segments
            at -= 1
        return fallback or (at, budget)

    def is_fold(self, at: int) -> bool:
        """Whether the sweep starts anew at `at`; the tail is no such place."""
        if at == len(self.requests):
            return False
        return disk_order(self.requests[at - 1]) >= disk_order(self.requests[at])

    def left_queue(self, request: Request) -> None:
        """It is not counted any more."""
        self.count_gone(request)


class G24A(DeadlineByClock):
    """2.3.99pre9-3 ... 2.4.0-test1: while reads are queued, writes grow to a few segments only."""

    READ_LATENCY = 128
    WRITE_LATENCY = 8192
    MAX_BOMB_SEGMENTS = 4

    def segment_limit(self, direction: Direction) -> int:
        """A write is kept short as long as a read is queued."""
        if direction == Direction.WRITE and self.queued_reads:
            return self.max_bomb_segments
        return self.MAX_SEGMENTS

    def scan(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches, if near enough to the head."""
        budget = self.latency[bio.direction] - self.total_segments
        for request in self.from_tail():
            budget += request.segments
            side = self.side(request, bio) if budget >= 0 else Side.NONE
            if side is not Side.NONE:
                return Found(side, request, budget)
            if self.starving(request):
                break
        return NOTHING

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """The target starves no later than the bio would have; the clock advances."""
        target = found.request
        own_segments = target.segments if found.side is Side.BACK else 0
        target.sequence = min(target.sequence, self.clock + found.budget - own_segments)
        self.clock += 1

    def place(self, request: Request, found: Found) -> int:
        """Walk, then count the request."""
        if not self.requests:
            at, budget = 0, self.latency[request.direction]
        else:
            at, budget = self.walk(request)
        request.sequence = self.clock + budget
        self.count_new(request)
        return at

    def aux(self) -> list[int]:
        """Clock, segments, reads."""
        return [self.clock, self.total_segments, self.queued_reads]


class G24C(DeadlineByClock):
    """elevator_default of 2.4.0-test3, which was not the default there (SPEC 3.7).

    Against G24A: writes are always kept short, any target will do and keeps its sequence, the clock
    advances on a hit whatever the segments say, and a new request is counted before it looks for
    its place.
    """

    READ_LATENCY = 100_000
    WRITE_LATENCY = 100_000
    MAX_BOMB_SEGMENTS = 128
    MAX_SEGMENTS = 254

    def segment_limit(self, direction: Direction) -> int:
        """Writes are kept short."""
        return self.max_bomb_segments if direction == Direction.WRITE else self.MAX_SEGMENTS

    def scan(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches, however far from the head."""
        for request in self.from_tail():
            side = self.side(request, bio)
            if side is not Side.NONE:
                self.clock += 1
                return Found(side, request)
            if self.starving(request):
                break
        return NOTHING

    def place(self, request: Request, found: Found) -> int:
        """Count the request, then walk."""
        self.count_new(request)
        at, budget = self.walk(request)
        request.sequence = self.clock + budget
        return at
