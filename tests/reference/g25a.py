"""G25A: elevator_linus of 2.5.2 ... 2.5.30 (SPEC 3.15)."""

from .queue25 import RequestQueue25
from .request import Bio, Found, Side, in_between


class G25A(RequestQueue25):
    """The scan of G24E behind a last-merge hint.

    Differences from G24E: a started request ends the scan, an age smaller than the bio ends it
    whatever the direction, and the size is found out only when merging.
    """

    READ_LATENCY = 8192
    WRITE_LATENCY = 16384

    def scan(self, bio: Bio) -> Found:
        """The hint, or from the tail the first request that `bio` touches."""
        found = self.try_last_merge(bio)
        if found.side is not Side.NONE:
            return found
        found = self.scan_from_tail(bio)
        if found.side is not Side.NONE:
            self.last_merge = found.request
        return found

    def scan_from_tail(self, bio: Bio) -> Found:
        """Every request passed pays 1, a front merge pays its sectors."""
        hint = None
        for request in self.from_tail():
            if request.started:
                break
            expired = request.sequence <= 0
            request.sequence -= 1
            if expired or request.sequence < bio.nr_sectors:
                break
            if hint is None and in_between(self.requests, request, bio):
                hint = request
            side = self.side(request, bio)
            if side is Side.FRONT:
                request.sequence -= bio.nr_sectors
            if side is not Side.NONE:
                return Found(side, request)
        return Found(Side.NONE, hint)

    def charge_merge(self, found: Found, bio: Bio) -> None:
        """Everything behind the target pays the merged sectors."""
        for request in self.behind(found.request):
            request.sequence -= bio.nr_sectors
