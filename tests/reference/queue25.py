"""What the queue of Linux 2.5 does differently: last-merge hint, request flags (SPEC 3.15)."""

from .queue import RequestQueue
from .request import NOTHING, Bio, Found, Request, Settings, Side


class RequestQueue25(RequestQueue):
    """A 2.5 queue: the driver marks what it takes as started, a full request never merges again.

    The queue remembers the request of the last merge and tries it before any scan. Slots go back at
    completion.
    """

    def __init__(self, settings: Settings, pool):
        super().__init__(settings, pool)
        self.last_merge: Request | None = None

    @staticmethod
    def mergeable(request: Request) -> bool:
        """Whether the request may still grow."""
        return not (request.started or request.no_merge)

    def side(self, request: Request, bio: Bio) -> Side:
        """Where `bio` touches a request that may grow; the size is not looked at."""
        return self.adjacent(request, bio) if self.mergeable(request) else Side.NONE

    def first_in_reach(self) -> int:
        """Nothing is out of reach by its place; started requests are by their flag."""
        return 0

    def try_last_merge(self, bio: Bio) -> Found:
        """Look at the last-merge hint alone; forget it once it cannot grow any more."""
        hint = self.last_merge
        if hint is None:
            return NOTHING
        if not self.mergeable(hint):
            self.last_merge = None
            return NOTHING
        side = self.side(hint, bio)
        return Found(side, hint if side is not Side.NONE else None)

    def extend_back(self, request: Request, bio: Bio) -> bool:
        """Append `bio`, or close the request for ever."""
        grown = self.room_for(request, bio) and super().extend_back(request, bio)
        return grown or self.close(request)

    def extend_front(self, request: Request, bio: Bio) -> bool:
        """Prepend `bio`, or close the request for ever."""
        grown = self.room_for(request, bio) and super().extend_front(request, bio)
        return grown or self.close(request)

    def close(self, request: Request) -> bool:
        """A refused merge: nothing joins the request any more, and the hint is lost."""
        request.no_merge = True
        self.last_merge = None
        return False

    def joinable(self, first: Request, second: Request) -> bool:
        """As in 2.4, and both must still be mergeable."""
        return self.mergeable(first) and self.mergeable(second) and super().joinable(first, second)

    def new_request(self, bio: Bio, slot) -> Request:
        """As in 2.4; a new request becomes the hint if there is none."""
        request = super().new_request(bio, slot)
        if self.last_merge is None:
            self.last_merge = request
        return request

    def take(self) -> int:
        """As in 2.4, and the request is marked started."""
        taken = super().take()
        if taken != -1:
            self.outstanding[-1].started = True
            self.forget(self.outstanding[-1])
        return taken

    def left_queue(self, request: Request) -> None:
        """A request that is gone cannot be the hint."""
        self.forget(request)

    def forget(self, request: Request) -> None:
        """Drop the last-merge hint if it points at `request`."""
        if self.last_merge is request:
            self.last_merge = None

    def aux(self) -> list[int]:
        """Free reads, free writes, id of the hint or 0, plugged."""
        hint = self.last_merge.id if self.last_merge else 0
        return [*self.pool.counters(), hint, int(self.plugged)]
