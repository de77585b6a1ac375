"""Request slots of 2.4.22 and its -pre: one pool, and a limit on queued sectors (SPEC 4.8)."""

from .pools import SlotPool
from .request import Direction
from .sleepers import WaitQueue

MAX_QUEUE_SECTORS = 8192  # 4 MB


class SectorPool(SlotPool):
    """One pool for both directions whose users may queue `max_queue_sectors` in all.

    Sectors count from queueing or merging until they are transferred. Without throttling the pool
    is oversized when it is empty. Sleepers wait in one exclusive FIFO; who got a slot wakes the
    next.
    """

    def __init__(
        self, nr_requests: int, throttle: bool, max_queue_sectors: int = MAX_QUEUE_SECTORS
    ):
        super().__init__(nr_requests)
        self.free = nr_requests
        self.batch = min(nr_requests // 4, 32)
        self.queued = dict.fromkeys(Direction, 0)
        self.throttle = throttle
        self.sectors = 0
        self.max_queue_sectors = max_queue_sectors
        self.batch_sectors = max_queue_sectors // 4
        self.sleepers = WaitQueue(exclusive=True, run_list=self.run_list)

    def oversized(self) -> bool:
        """Whether enough is queued already."""
        if self.throttle:
            return self.sectors > self.max_queue_sectors
        return self.free == 0

    def refuses(self, direction: Direction) -> bool:
        """Whether a free slot is denied to this direction."""
        raise NotImplementedError

    def take(self, direction: Direction, nr_sectors: int):
        """A slot if one is free and the limits allow it; its sectors count as queued."""
        if self.free == 0 or self.refuses(direction):
            return None
        self.free -= 1
        self.queued[direction] += 1
        self.merged(nr_sectors)
        return direction

    def merged(self, nr_sectors: int) -> None:
        """`nr_sectors` more are queued; counted only for throttling."""
        if self.throttle:
            self.sectors += nr_sectors

    def complete(self, nr_sectors: int) -> None:
        """`nr_sectors` are transferred; that alone may wake a sleeper."""
        if self.throttle:
            self.sectors -= nr_sectors
            self.wake_if_roomy()

    def release(self, slot: Direction) -> None:
        """A slot comes back."""
        self.free += 1
        self.queued[slot] -= 1
        self.wake_if_roomy()

    def wake_if_roomy(self) -> None:
        """Wake one sleeper if a batch of slots is free and, throttled, a batch of sectors too."""
        if self.free < self.batch:
            return
        if not self.throttle or self.sectors <= self.max_queue_sectors - self.batch_sectors:
            self.sleepers.wake()

    def after_sleep(self) -> None:
        """Pass the wake-up on."""
        self.sleepers.wake()

    def sleepers_for(self, direction: Direction) -> WaitQueue:
        """The one queue."""
        return self.sleepers

    def wait_queues(self) -> list[WaitQueue]:
        """The one queue."""
        return [self.sleepers]

    def counters(self) -> list[int]:
        """Free slots, queued reads, queued writes, queued sectors."""
        return [self.free, *self.queued.values(), self.sectors]


class W2422(SectorPool):
    """2.4.22 (L): reads may exceed the limit a little."""

    def refuses(self, direction: Direction) -> bool:
        """Oversized, only a few reads get in, and only up to one more batch of sectors."""
        if not self.oversized():
            return False
        return (
            direction == Direction.WRITE
            or self.queued[Direction.READ] > max(4, self.nr_requests // 32)
            or self.sectors > self.max_queue_sectors + self.batch_sectors
        )


class W2422Pre5(SectorPool):
    """2.4.22-pre3 ... pre6 (J): nobody exceeds the limit.

    A waiter sleeps only while the queue is oversized. With no free slot below the limit it spins
    and does not even unplug the queue (repaired before 2.4.22).
    """

    def refuses(self, direction: Direction) -> bool:
        """Oversized."""
        return self.oversized()

    def waiter_unplugs(self) -> bool:
        """Only a waiter that sleeps unplugs."""
        return self.oversized()


class W2422Pre5Axboe(W2422Pre5):
    """2.4.22-pre5-axboe (K): the limit and a reserve of four slots hold for writes alone."""

    def refuses(self, direction: Direction) -> bool:
        """Writes, when oversized or when the last slots are at stake."""
        return direction == Direction.WRITE and (self.oversized() or self.free < 4)
