"""G22D: 2.2.18pre17 ... 2.2.26, passovers counted in requests (SPEC 3.4)."""

from .g20_g22a import QueueWithDummy
from .request import NOTHING, Bio, Found, Request, Side


class G22D(QueueWithDummy):
    """Starts behind the last request that may not be overtaken; every overtaking costs 1.

    The first request touching the bio decides: it takes the bio, or nobody does.
    """

    READ_LATENCY = 256
    WRITE_LATENCY = 512

    def start(self, first: int) -> int:
        """Index of the last barrier behind element `first`, else `first`."""
        for at in range(len(self.requests) - 1, first, -1):
            if self.is_barrier(self.requests[at]):
                return at
        return first

    def is_barrier(self, request: Request) -> bool:
        """An age of exactly zero; below zero it is no barrier any more."""
        return request.sequence == 0 or request is self.dummy

    def scan(self, bio: Bio) -> Found:
        """From the start towards the tail, the first request on disk next to the bio."""
        first = self.first_in_reach()
        if first >= len(self.requests):
            return NOTHING
        start = self.start(first)
        for request in self.requests[start:]:
            side = self.adjacent(request, bio)
            if side is Side.FRONT and request is self.requests[start] and request.sequence == 0:
                return NOTHING
            if side is not Side.NONE:
                return Found(side, request) if self.fits(request, bio) else NOTHING
        return NOTHING

    def place(self, request: Request, found: Found) -> int:
        """From the start to the first place in the sweep; everything behind it pays 1."""
        if not self.requests:
            return 0
        at = self.start(0)
        while not self.belongs_behind(at, request):
            at += 1
        for passed in self.requests[at + 1 :]:
            passed.sequence -= 1
        return at + 1

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """Everything behind the target pays 1, and the target itself for a front merge."""
        for request in self.behind(found.request):
            request.sequence -= 1
        if found.side is Side.FRONT:
            found.request.sequence -= 1
