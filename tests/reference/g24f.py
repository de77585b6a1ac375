"""G24F: read-latency (2.4.18-pre1) and read-latency2 (2.4.19-pre5, -ac with rmap12) (SPEC 3.10)."""

from .g24e import G24E
from .request import Bio, Direction, Found, Request, Side, in_between


class G24F(G24E):
    """G24E, but merging goes on past expired requests, and reads jump over queues of writes.

    Ages and charges are those of G24E. An expired request only forbids inserting ahead of it
    ("merge only"); a new read waits behind `max_bomb_segments` units of writes at most.
    """

    MAX_BOMB_SEGMENTS = 6

    def scan(self, bio: Bio) -> Found:
        """As G24E, but what ended that scan now only ends the search for a hint."""
        hint = None
        merge_only = False
        for request in self.from_tail():
            merge_only = merge_only or request.sequence <= 0
            request.sequence -= 1
            if request.device != bio.device:
                continue
            if hint is None and not merge_only and in_between(self.requests, request, bio):
                hint = request
            if not self.fits(request, bio):
                continue
            merge_only = merge_only or request.sequence < bio.nr_sectors
            side = self.side(request, bio)
            if side is Side.FRONT:
                request.sequence -= bio.nr_sectors
            if side is not Side.NONE:
                return Found(side, request)
        return Found(Side.NONE, hint)

    def place(self, request: Request, found: Found) -> int:
        """Reads go behind the write that fills the bomb, unless their normal place is nearer."""
        normal = super().place(request, found)
        if request.direction == Direction.WRITE or found.side is not Side.NONE:
            return normal
        return min(normal, place_behind_bomb(self, normal))


def place_behind_bomb(queue: G24E, end: int) -> int:
    """Index behind the write with which the writes before `end` reach `max_bomb_segments` units.

    A write of n sectors weighs 1 + n // 64 units; 0 as limit switches the rule off.
    """
    if queue.max_bomb_segments == 0:
        return end
    units = 0
    for at in range(queue.first_in_reach(), end):
        request = queue.requests[at]
        if request.direction == Direction.WRITE:
            units += 1 + request.nr_sectors // 64
            if units >= queue.max_bomb_segments:
                return at + 1
    return end
