"""Request slots of 2.0, 2.2 and 2.4.0-test1: one array for all devices (SPEC 4.1, 4.2)."""

from .pools import SlotPool
from .request import Direction
from .sleepers import WaitQueue


class W22(SlotPool):
    """2.0 and 2.2 (SPEC 4.1): one array for all devices, writes only get its lower two thirds.

    Slots are tried downwards from the last one found, around the direction's part of the array.
    Every release wakes everybody.
    """

    EXCLUSIVE = False

    def __init__(self, nr_requests: int):
        super().__init__(nr_requests)
        self.used = [False] * nr_requests
        self.limits = {Direction.READ: nr_requests, Direction.WRITE: nr_requests * 2 // 3}
        self.last_found = 0
        self.last_limit = 0
        self.sleepers = WaitQueue(self.EXCLUSIVE, self.run_list)

    def take(self, direction: Direction, nr_sectors: int):
        """The next free slot below the direction's limit, from the cursor down and around."""
        limit = self.limits[direction]
        if limit != self.last_limit:
            self.last_limit, self.last_found = limit, 0
        for step in range(1, limit + 1):
            slot = (self.last_found - step) % limit
            if not self.used[slot]:
                self.used[slot] = True
                self.last_found = slot
                return slot
        return None

    def release(self, slot: int) -> None:
        """Wake everybody."""
        self.used[slot] = False
        self.sleepers.wake()

    def sleepers_for(self, direction: Direction) -> WaitQueue:
        """The one queue."""
        return self.sleepers

    def wait_queues(self) -> list[WaitQueue]:
        """The one queue."""
        return [self.sleepers]

    def counters(self) -> list[int]:
        """Free slots, free slots that writes may take."""
        low = self.used[: self.limits[Direction.WRITE]]
        return [self.used.count(False), low.count(False)]


class W24Test1(W22):
    """2.3.99 ... 2.4.0-test1 (SPEC 4.2): the array of 2.2, but FIFO and one woken per release."""

    EXCLUSIVE = True
