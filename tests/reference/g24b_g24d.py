"""G24B and G24D: the ascending elevators of 2.4.0-test3 ... 2.4.0 (SPEC 3.6, 3.8)."""

from .counters24 import CountingQueue
from .request import NOTHING, Bio, Found, Request, Side, disk_order


class AscendingQueue(CountingQueue):
    """Sorts a new request in from the tail; every request it passes, or merges ahead of, pays 1.

    An age of exactly zero is a barrier. With a million passovers to spend that is sorting without
    fairness: a stream at low sectors starves everything above it.
    """

    READ_LATENCY = 1_000_000
    WRITE_LATENCY = 2_000_000
    MAX_SEGMENTS = 254

    def charge_hit(self, target: Request) -> None:
        """Everything behind the target pays, even if the segments then refuse."""
        for request in self.behind(target):
            request.sequence -= 1

    def place(self, request: Request, found: Found) -> int:
        """Behind a barrier or a lower request, seen from the tail; those passed pay 1."""
        if found.request is not None:
            return super().place(request, found)
        at = len(self.requests)
        while at > self.first_in_reach():
            other = self.requests[at - 1]
            if other.sequence == 0 or disk_order(other) < disk_order(request):
                break
            other.sequence -= 1
            at -= 1
        return at


class G24B(AscendingQueue):
    """2.4.0-test3pre3 ... test5pre1: the barrier ends the scan before anything else is asked."""

    def scan(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches, up to a barrier."""
        for request in self.from_tail():
            if request.sequence == 0:
                break
            side = self.side(request, bio)
            if side is not Side.NONE:
                self.charge_hit(request)
                return Found(side, request)
        return NOTHING

    def birth_sequence(self, request: Request) -> int:
        """Count the request (for show: nothing served is ever counted off, and nobody looks)."""
        self.count_new(request)
        return super().birth_sequence(request)


class G24D(AscendingQueue):
    """2.4.0-test5pre3 ... 2.4.0: only a fitting request is a barrier, and may be back-merged.

    A front merge charges its target 1. A merge can take an age below zero: no barrier any more.
    """

    def scan(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches, up to a fitting barrier."""
        for request in self.from_tail():
            side = self.side(request, bio)
            if side is not Side.BACK and self.fits(request, bio) and request.sequence == 0:
                break
            if side is Side.FRONT:
                request.sequence -= 1
            if side is not Side.NONE:
                self.charge_hit(request)
                return Found(side, request)
        return NOTHING

    def join_ages(self, survivor: Request, absorbed: Request) -> None:
        """The survivor keeps its own age."""

    def absorbed(self, request: Request) -> None:
        """Only the segments that merges add are counted in these kernels."""
