"""How requests grow: segments, and joins of two requests that come to touch (SPEC 2.1, 2.2)."""

from .request import Bio, Direction, Request, Settings, Side


class MergingQueue:
    """Requests in a list from head to tail that grow by bios and absorb their neighbours."""

    MAX_SEGMENTS = 128

    def __init__(self, settings: Settings, pool):
        self.max_sectors = settings.max_sectors
        self.head_active = settings.head_active
        self.pool = pool
        self.requests: list[Request] = []
        self.plugged = False

    def list_of(self, request: Request) -> list[Request]:
        """The list that holds `request`: one for all but the deadline elevator."""
        return self.requests

    def first_in_reach(self) -> int:
        """Index of the first request that scans may touch: not the busy head (SPEC 2.3)."""
        return 1 if self.head_active and not self.plugged else 0

    def join_ages(self, survivor: Request, absorbed: Request) -> None:
        """A joined request is as old as the older of its parts."""
        survivor.sequence = min(survivor.sequence, absorbed.sequence)

    def segment_limit(self, direction: Direction) -> int:
        """How many segments merges and joins may give a request of this direction."""
        return self.MAX_SEGMENTS

    def segments_changed(self, by: int) -> None:
        """Bookkeeping for segments that merges add and joins save."""

    def left_queue(self, request: Request) -> None:
        """Bookkeeping for a request that the driver has taken, or completed at the head."""

    def absorbed(self, request: Request) -> None:
        """Bookkeeping for a request that became part of its predecessor."""
        self.left_queue(request)

    def fits(self, request: Request, bio: Bio) -> bool:
        """Whether `request` may grow by `bio`: same direction and device, not too large."""
        return (
            request.direction == bio.direction
            and request.device == bio.device
            and self.room_for(request, bio)
        )

    def room_for(self, request: Request, bio: Bio) -> bool:
        """Whether both together are small enough for one request."""
        return request.nr_sectors + bio.nr_sectors <= self.max_sectors

    def side(self, request: Request, bio: Bio) -> Side:
        """Where `bio` may join `request`."""
        return self.adjacent(request, bio) if self.fits(request, bio) else Side.NONE

    def adjacent(self, request: Request, bio: Bio) -> Side:
        """Where `bio` touches a request of its direction and device, whatever the size."""
        if request.direction != bio.direction or request.device != bio.device:
            return Side.NONE
        if request.end == bio.sector:
            return Side.BACK
        return Side.FRONT if bio.end == request.sector else Side.NONE

    def extend_back(self, request: Request, bio: Bio) -> bool:
        """Append `bio` to `request` unless it would need a segment too many."""
        if not self.add_segment(request, bio, touches=request.memory_end == bio.memory):
            return False
        request.nr_sectors += bio.nr_sectors
        request.memory_end = bio.memory_end
        return True

    def extend_front(self, request: Request, bio: Bio) -> bool:
        """Prepend `bio` to `request` unless it would need a segment too many."""
        if not self.add_segment(request, bio, touches=bio.memory_end == request.memory):
            return False
        request.sector = bio.sector
        request.nr_sectors += bio.nr_sectors
        request.memory = bio.memory
        return True

    def add_segment(self, request: Request, bio: Bio, touches: bool) -> bool:
        """Count a segment for `bio` unless the memory touches; False if that is one too many."""
        if touches:
            return True
        if request.segments >= self.segment_limit(bio.direction):
            return False
        request.segments += 1
        self.segments_changed(1)
        return True

    def join_with_successor(self, request: Request) -> tuple[int, int]:
        """Join `request` with the one behind it if they touch now; ids kept and gone, or -1 -1."""
        requests = self.list_of(request)
        at = requests.index(request)
        if at + 1 == len(requests):
            return -1, -1
        return self.try_join(request, requests[at + 1])

    def join_with_predecessor(self, request: Request) -> tuple[int, int]:
        """Join `request` with the one before it, which must not be the busy head."""
        requests = self.list_of(request)
        at = requests.index(request)
        if at <= self.first_in_reach():
            return -1, -1
        return self.try_join(requests[at - 1], request)

    def try_join(self, first: Request, second: Request) -> tuple[int, int]:
        """Let `first` absorb `second` if they touch and fit (SPEC 2.2)."""
        if not self.joinable(first, second):
            return -1, -1
        joined = self.joined_segments(first, second)
        self.segments_changed(joined - first.segments - second.segments)
        first.segments, second.segments = joined, 0
        first.nr_sectors += second.nr_sectors
        first.memory_end = second.memory_end
        self.join_ages(first, second)
        self.list_of(second).remove(second)
        self.absorbed(second)
        self.pool.release(second.slot)
        return first.id, second.id

    def joinable(self, first: Request, second: Request) -> bool:
        """Whether two neighbours may become one request."""
        return (
            first.end == second.sector
            and first.direction == second.direction
            and first.device == second.device
            and first.nr_sectors + second.nr_sectors <= self.max_sectors
            and self.joined_segments(first, second) <= self.segment_limit(first.direction)
        )

    @staticmethod
    def joined_segments(first: Request, second: Request) -> int:
        """Segments of the joined request: one less if the memory touches."""
        return first.segments + second.segments - (first.memory_end == second.memory)
