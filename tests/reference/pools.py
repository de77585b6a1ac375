"""Request slots: how many there are, who sleeps for one, who is woken (SPEC 4).

Common to all generations: nothing is reserved for sleepers. A newcomer that finds a free slot takes
it, even if woken tasks have not run yet ("barging"). A sleeper unplugs the queue first.
"""

from .request import Direction
from .sleepers import Task, WaitQueue


class SlotPool:
    """A pool of request slots and the tasks that wait for them.

    A kernel says how a slot is handed out (`take`), what its release does (`release`), and in which
    queue a direction waits (`sleepers_for`).
    """

    def __init__(self, nr_requests: int):
        self.nr_requests = nr_requests
        self.run_list: list[Task] = []  # woken tasks in the order they became runnable

    def take(self, direction: Direction, nr_sectors: int):
        """One attempt at a slot, None if there is none for this direction."""
        raise NotImplementedError

    def release(self, slot) -> None:
        """A slot comes back; wake whom this kernel wakes."""
        raise NotImplementedError

    def sleepers_for(self, direction: Direction) -> WaitQueue:
        """Where a task of this direction sleeps."""
        raise NotImplementedError

    def wait_queues(self) -> list[WaitQueue]:
        """All wait queues, reads first."""
        raise NotImplementedError

    def counters(self) -> list[int]:
        """Free counters as the vectors show them."""
        raise NotImplementedError

    def merged(self, nr_sectors: int) -> None:
        """`nr_sectors` joined a queued request; only 2.4.22 counts them."""

    def complete(self, nr_sectors: int) -> None:
        """`nr_sectors` are transferred; only 2.4.22 counts them."""

    def waiter_unplugs(self) -> bool:
        """Whether a task that waits for a slot unplugs the queue first."""
        return True

    def ask(self, task: Task):
        """`task` asks for a slot, new or after waking: it gets one, or sleeps (and None)."""
        slot = self.take(task.direction, task.nr_sectors)
        if slot is None:
            self.sleepers_for(task.direction).sleep(task)
        elif task.waiting_on is not None:
            task.waiting_on.leave(task)
            self.after_sleep()
        return slot

    def after_sleep(self) -> None:
        """What a task does for the other sleepers once it has its slot; only 2.4.22 cares."""

    def run(self, which: int):
        """Let runnable task number `which` (modulo) run; the task, and its slot if it got one."""
        task = self.run_list.pop(which % len(self.run_list))
        return task, self.ask(task)


class HalvedPool(SlotPool):
    """One half of the slots for reads, the other for writes; nobody takes from the other half."""

    EXCLUSIVE = False  # sleepers stand in FIFO order and are woken one by one
    SHARED_QUEUE = False  # both directions sleep in one queue

    def __init__(self, nr_requests: int):
        super().__init__(nr_requests)
        self.free = dict.fromkeys(Direction, nr_requests // 2)
        self.batch = min(nr_requests // 4, 32)
        reads = WaitQueue(self.EXCLUSIVE, self.run_list)
        writes = reads if self.SHARED_QUEUE else WaitQueue(self.EXCLUSIVE, self.run_list)
        self.sleepers = {Direction.READ: reads, Direction.WRITE: writes}

    def take(self, direction: Direction, nr_sectors: int):
        """A slot of the direction's own half."""
        if self.free[direction] == 0:
            return None
        self.free[direction] -= 1
        return direction

    def release(self, slot: Direction) -> None:
        """Wake sleepers only when a whole batch of the direction is free at once."""
        self.free[slot] += 1
        if self.free[slot] >= self.batch:
            self.sleepers[slot].wake()

    def sleepers_for(self, direction: Direction) -> WaitQueue:
        """The queue of this direction."""
        return self.sleepers[direction]

    def wait_queues(self) -> list[WaitQueue]:
        """Reads and writes, or the one of both."""
        return list(dict.fromkeys(self.sleepers.values()))

    def counters(self) -> list[int]:
        """Free read slots, free write slots."""
        return list(self.free.values())


class W2418(HalvedPool):
    """2.4.13.4 ... 2.4.18 (SPEC 4.5): newest first, all woken, one queue for both directions.

    The batch is a quarter of all slots, so half of the direction's own.
    """

    SHARED_QUEUE = True

    def __init__(self, nr_requests: int):
        super().__init__(nr_requests)
        self.batch = nr_requests // 4


class W2419(HalvedPool):
    """2.4.19-pre1 ... 2.4.20 and 2.5.9 ... 2.5.38 (SPEC 4.6, 4.9): FIFO, one woken per release."""

    EXCLUSIVE = True


class W2421(HalvedPool):
    """2.4.21 and 2.5.1 ... 2.5.8 (SPEC 4.7, 4.9): newest first, all of the direction woken."""


class W2539(W2419):
    """2.5.39 (SPEC 4.9): small batches; no vectors of its own."""

    def __init__(self, nr_requests: int):
        super().__init__(nr_requests)
        self.batch = min(nr_requests // 8, 8)


class W249(HalvedPool):
    """2.4.7.4 ... 2.4.13 (SPEC 4.4): freed slots collect until a batch goes back at once.

    One FIFO for both directions; as many sleepers are woken as slots go back.
    """

    EXCLUSIVE = True
    SHARED_QUEUE = True

    def __init__(self, nr_requests: int):
        super().__init__(nr_requests)
        self.batch = min(nr_requests // 8, 32)
        self.pending = dict.fromkeys(Direction, 0)

    def release(self, slot: Direction) -> None:
        """Collect; hand back and wake when there are `batch` of this direction."""
        self.pending[slot] += 1
        if self.pending[slot] >= self.batch:
            self.free[slot] += self.pending[slot]
            self.pending[slot] = 0
            self.sleepers[slot].wake(self.batch)

    def counters(self) -> list[int]:
        """Free reads, free writes, pending reads, pending writes."""
        return [*self.free.values(), *self.pending.values()]


class W240(HalvedPool):
    """2.4.0-test2 ... 2.4.0 (SPEC 4.3): reads may take write slots; one FIFO, one woken a release.

    The one woken may want a direction that has no slot; then the wake-up is lost.
    """

    EXCLUSIVE = True
    SHARED_QUEUE = True

    def take(self, direction: Direction, nr_sectors: int):
        """A slot of the own half, for reads else of the other; it goes back where it came from."""
        slot = super().take(direction, nr_sectors)
        if slot is None and direction == Direction.READ:
            slot = super().take(Direction.WRITE, nr_sectors)
        return slot

    def release(self, slot: Direction) -> None:
        """Wake the first sleeper whatever it waits for."""
        self.free[slot] += 1
        self.sleepers[slot].wake()
