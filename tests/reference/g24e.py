"""G24E: elevator_linus of 2.4.2 ... 2.4.19 (SPEC 3.9)."""

from .queue import RequestQueue
from .request import Bio, Found, Side, in_between


class G24E(RequestQueue):
    """Ages by scanning: every scan costs a request 1, every merge before it `nr_sectors`.

    A request whose age is used up is a barrier: nothing merges or goes in ahead of it until the
    driver has taken it.
    """

    READ_LATENCY = 8192
    WRITE_LATENCY = 16384

    def scan(self, bio: Bio) -> Found:
        """From the tail: the first request that `bio` touches, or the first place it belongs."""
        hint = None
        for request in self.from_tail():
            expired = request.sequence <= 0
            request.sequence -= 1
            if expired:
                break
            if request.device != bio.device:
                continue
            if hint is None and in_between(self.requests, request, bio):
                hint = request
            if not self.fits(request, bio):
                continue
            if request.sequence < bio.nr_sectors:
                break
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
