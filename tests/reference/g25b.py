"""G25B: the first deadline elevator, 2.5.39 (SPEC 3.16)."""

from .queue25 import RequestQueue25
from .request import NOTHING, Bio, Direction, Found, Request, Settings, Side, in_between

READ_EXPIRE_TICKS = 500  # half a second at 1000 ticks per second
FIFO_BATCH = 32
SEEK_COST = 16
WRITES_STARVED = 2
FIRST_TICK = 100_000


class G25B(RequestQueue25):
    """One-way sweeps of reads, unless a read is late or writes have starved.

    Requests wait in a sorted list per direction; reads also in a FIFO. What the driver will get
    next is moved in batches to a dispatch list (`requests`). Writes have no deadline.
    """

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.sorted: dict[Direction, list[Request]] = {direction: [] for direction in Direction}
        self.read_fifo: list[Request] = []
        self.hashed: list[Request] = []  # found by end sector; most recently hashed first
        self.now = FIRST_TICK
        self.starved = 0  # read batches that went ahead of waiting writes
        self.last_sector = 0  # end of the last request handed to the driver

    def is_empty(self) -> bool:
        """Nothing sorted and nothing to dispatch."""
        return not (self.requests or any(self.sorted.values()))

    def list_of(self, request: Request) -> list[Request]:
        """Its sorted list, or the dispatch list."""
        waiting = self.sorted[request.direction]
        return waiting if request in waiting else self.requests

    # --- merging -------------------------------------------------------------------------------

    def scan(self, bio: Bio) -> Found:
        """The last-merge hint, else a back merge by hash, else a front merge in the sorted list."""
        found = self.try_last_merge(bio)
        if found.side is Side.NONE:
            found = self.look_up_end(bio)
        return found if found.side is not Side.NONE else self.scan_sorted(bio)

    def look_up_end(self, bio: Bio) -> Found:
        """The first hashed request that ends where the bio starts; another one is not tried."""
        for request in self.hashed:
            if self.mergeable(request) and request.end == bio.sector:
                back = self.side(request, bio) is Side.BACK
                return Found(Side.BACK, request) if back else NOTHING
        return NOTHING

    def scan_sorted(self, bio: Bio) -> Found:
        """From the tail: a front merge, or the first place where the bio belongs."""
        hint = None
        waiting = self.sorted[bio.direction]
        for request in reversed(waiting):
            if hint is None and in_between(waiting, request, bio):
                hint = request
            if self.side(request, bio) is Side.FRONT:
                return Found(Side.FRONT, request)
        return Found(Side.NONE, hint)

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """Nobody pays; the target is the one to try first next time."""
        self.rehash(found.request)
        self.last_merge = found.request

    def rehash(self, request: Request) -> None:
        """Put `request` where a look-up finds it first."""
        self.unhash(request)
        self.hashed.insert(0, request)

    def unhash(self, request: Request) -> None:
        """Nothing merges with `request` any more."""
        if request in self.hashed:
            self.hashed.remove(request)

    def join_ages(self, survivor: Request, absorbed: Request) -> None:
        """The survivor inherits an earlier deadline together with the place in the FIFO."""
        self.rehash(survivor)
        self.unhash(absorbed)
        both_wait = survivor in self.read_fifo and absorbed in self.read_fifo
        if both_wait and absorbed.expires < survivor.expires:
            self.read_fifo.remove(survivor)
            self.read_fifo.insert(self.read_fifo.index(absorbed), survivor)
            survivor.expires = absorbed.expires
        self.leave_fifo(absorbed)

    def leave_fifo(self, request: Request) -> None:
        """Its deadline does not matter any more."""
        if request in self.read_fifo:
            self.read_fifo.remove(request)

    # --- insertion -----------------------------------------------------------------------------

    def insert(self, request: Request, found: Found) -> None:
        """Next to a refused target or behind the hint, else the front or the tail of the sweep.

        Reads get a deadline. (No vector refuses a merge here, let alone with a dispatched target.)
        """
        waiting = self.sorted[request.direction]
        if found.request is not None:
            waiting = self.list_of(found.request)
            at = waiting.index(found.request) + (found.side is not Side.FRONT)
        else:
            at = 0 if self.starts_next_sweep(request, waiting) else len(waiting)
        waiting.insert(at, request)
        self.rehash(request)
        if request.direction == Direction.READ:
            request.expires = self.now + READ_EXPIRE_TICKS
            self.read_fifo.append(request)

    def starts_next_sweep(self, request: Request, waiting: list[Request]) -> bool:
        """Whether `request` lies between what is dispatched and what is sorted."""
        dispatched_to = self.requests[-1].end if self.requests else self.last_sector
        return bool(waiting) and request.end < waiting[0].sector and request.sector > dispatched_to

    # --- the driver's side ---------------------------------------------------------------------

    def take(self) -> int:
        """Fill the dispatch list if it is empty, then hand out its head."""
        if not self.plugged and not self.requests:
            self.choose_batch()
        taken = super().take()
        if taken != -1:
            request = self.outstanding[-1]
            self.unhash(request)
            self.leave_fifo(request)
            self.last_sector = request.end
        return taken

    def choose_batch(self) -> None:
        """A late read, else the first sorted read, else writes; writes after being passed twice."""
        reads, writes = self.sorted[Direction.READ], self.sorted[Direction.WRITE]
        first = reads[0] if reads else None
        if self.read_fifo and self.now > self.read_fifo[0].expires:
            first = self.read_fifo[0]
        if first is not None and writes:
            self.starved += 1
            if self.starved > WRITES_STARVED:
                first = None
        if first is None and writes:
            self.starved = 0
            first = writes[0]
        if first is not None:
            self.move_batch(first)

    def move_batch(self, first: Request) -> None:
        """Move sorted neighbours from `first` on to the dispatch list: two seeks at most."""
        waiting = self.sorted[first.direction]
        at = waiting.index(first)
        budget, end = FIFO_BATCH, self.last_sector
        while at < len(waiting) and budget > 0:
            request = waiting.pop(at)
            self.requests.append(request)
            self.leave_fifo(request)
            contiguous = request.sector == end
            budget -= -(-request.nr_sectors // 256) if contiguous else SEEK_COST
            end = request.end

    def advance(self, ticks: int) -> int:
        """Let time pass; the new time."""
        self.now += ticks
        return self.now

    # --- inspection ----------------------------------------------------------------------------

    def dump(self) -> dict:
        """Dispatch list, sorted lists, FIFO, counters."""
        return {
            "q": [self.row(request) for request in self.requests],
            "sr": [self.row(request) for request in self.sorted[Direction.READ]],
            "sw": [self.row(request) for request in self.sorted[Direction.WRITE]],
            "fifo": [request.id for request in self.read_fifo],
            "aux": [*self.aux(), self.starved, self.last_sector],
        }

    @staticmethod
    def row(request: Request) -> list[int]:
        """One request in a dump, with its deadline."""
        return [*RequestQueue25.row(request)[:5], request.expires]
