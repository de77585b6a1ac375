"""No elevator: first in, first out."""

from .queue import RequestQueue
from .request import NOTHING, Bio, Found, Side


class Noop(RequestQueue):
    """Merges with any queued request, newest first; nothing ages, a new request goes to the tail.

    As everywhere in 2.4, a request that runs out of segments gets its continuation next to it.
    """

    def scan(self, bio: Bio) -> Found:
        """The first request from the tail that `bio` touches."""
        for request in self.from_tail():
            side = self.side(request, bio)
            if side is not Side.NONE:
                return Found(side, request)
        return NOTHING
