"""G24G ... G24L: the elevators of 2.4.20, 2.4.21 and 2.4.22 (SPEC 3.11-3.14)."""

from .g24f import place_behind_bomb
from .queue import RequestQueue
from .request import Bio, Direction, Found, Request, Settings, Side, in_between


class G24G(RequestQueue):
    """2.4.20: being scanned costs nothing, being overtaken costs 1 (merge) or 16 (insertion).

    The requests behind the target or the hint pay at scan time, even if the segments or the pool
    then refuse. An insertion at the tail costs nobody anything.
    """

    READ_LATENCY = 2048
    WRITE_LATENCY = 8192
    MERGE_COST = 1
    INSERTION_COST = 16

    def scan(self, bio: Bio) -> Found:
        """Look from the tail, then charge those that would be overtaken."""
        found = self.look(bio)
        if found.request is not None:
            merge = found.side is not Side.NONE
            for request in self.behind(found.request):
                request.sequence -= self.MERGE_COST if merge else self.INSERTION_COST
        return found

    def look(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches, or the first place it belongs."""
        hint = None
        for request in self.from_tail():
            if request.sequence <= 0:
                return self.at_barrier(request, bio, hint)
            if request.device != bio.device:
                continue
            if hint is None and in_between(self.requests, request, bio):
                hint = request
            side = self.side(request, bio)
            if side is Side.FRONT:
                request.sequence -= 1
            if side is not Side.NONE:
                return Found(side, request)
        return Found(Side.NONE, hint)

    def at_barrier(self, request: Request, bio: Bio, hint: Request | None) -> Found:
        """An expired request ends the scan."""
        return Found(Side.NONE, hint)


class G24H(G24G):
    """read-latency2 for 2.4.20-rmap15a: costs of G24G, scanning and placement of G24F (SPEC 3.12).

    A read stays in its normal place if the scan passed another read of its device.
    """

    MAX_BOMB_SEGMENTS = 6

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.passed_a_read = False

    def look(self, bio: Bio) -> Found:
        """Scan to the head; every request passed pays 1, an expired one forbids insertion ahead."""
        hint = None
        merge_only = False
        self.passed_a_read = False
        for request in self.from_tail():
            merge_only = merge_only or request.sequence <= 0
            request.sequence -= 1
            if request.device != bio.device:
                continue
            if hint is None and not merge_only and in_between(self.requests, request, bio):
                hint = request
            if request.direction == Direction.READ:
                self.passed_a_read = True
            side = self.side(request, bio)
            if side is Side.FRONT:
                request.sequence -= 1
            if side is not Side.NONE:
                return Found(side, request)
        return Found(Side.NONE, hint)

    def place(self, request: Request, found: Found) -> int:
        """The rule of G24F for reads that passed no read."""
        normal = super().place(request, found)
        if request.direction == Direction.WRITE or found.side is not Side.NONE:
            return normal
        return normal if self.passed_a_read else place_behind_bomb(self, normal)


class G24I(G24G):
    """2.4.21: an expired request may still be back-merged, then the scan ends (SPEC 3.13)."""

    def at_barrier(self, request: Request, bio: Bio, hint: Request | None) -> Found:
        """One chance behind the barrier."""
        if self.side(request, bio) is Side.BACK:
            return Found(Side.BACK, request)
        return Found(Side.NONE, hint)


class G24L(G24I):
    """2.4.22: every overtaking costs 1, and ages are short (SPEC 3.14).

    2.4.22-pre3 ... pre6 (J) and pre5-axboe (K) have the same elevator over another pool.
    """

    READ_LATENCY = 128
    WRITE_LATENCY = 512
    INSERTION_COST = 1
