"""The queue-wide counters of the elevators between 2.4.0-test1 and 2.4.0 (SPEC 3.5-3.7)."""

from .queue import RequestQueue
from .request import Direction, Request, Settings


class CountingQueue(RequestQueue):
    """Keeps a clock of queueing steps, the segments and the reads that are queued."""

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.clock = 0
        self.total_segments = 0
        self.queued_reads = 0

    def segments_changed(self, by: int) -> None:
        """Follow merges and joins."""
        self.total_segments += by

    def count_new(self, request: Request) -> None:
        """One more request, one step of the clock."""
        self.clock += 1
        self.total_segments += request.segments
        self.queued_reads += request.direction == Direction.READ

    def absorbed(self, request: Request) -> None:
        """A joined read counts once."""
        self.count_gone(request)

    def count_gone(self, request: Request) -> None:
        """A request is not counted any more."""
        self.total_segments -= request.segments
        self.queued_reads -= request.direction == Direction.READ

    def aux(self) -> list[int]:
        """Free reads, free writes, clock, segments, reads."""
        return [*self.pool.counters(), self.clock, self.total_segments, self.queued_reads]
