"""Tasks asleep for a request slot, and the two ways Linux keeps and wakes them (SPEC 4)."""

from dataclasses import dataclass

from .request import Direction


@dataclass(eq=False)
class Task:
    """A task that asks for a slot; `waiting_on` is the wait queue it stands in, if any."""

    id: int
    direction: Direction = Direction.READ
    nr_sectors: int = 0
    waiting_on: "WaitQueue | None" = None
    woken: bool = False  # runnable again, but has not run yet


class WaitQueue:
    """Sleepers, the first to be woken first.

    Exclusive waiters queue up in FIFO order and are woken one by one; the others stand newest first
    and are woken all at once. A woken task keeps its place until it has run and got its slot.
    """

    def __init__(self, exclusive: bool, run_list: list[Task]):
        self.exclusive = exclusive
        self.run_list = run_list
        self.tasks: list[Task] = []

    def sleep(self, task: Task) -> None:
        """Put `task` to sleep; one that was woken in vain sleeps on where it stands."""
        task.woken = False
        if task.waiting_on is None:
            task.waiting_on = self
            self.tasks.insert(len(self.tasks) if self.exclusive else 0, task)

    def leave(self, task: Task) -> None:
        """`task` got its slot."""
        task.waiting_on = None
        task.woken = False
        self.tasks.remove(task)

    def wake(self, count: int = 1) -> None:
        """Wake `count` exclusive sleepers, or all others; tasks already woken do not count."""
        asleep = [task for task in self.tasks if not task.woken]
        for task in asleep[:count] if self.exclusive else asleep:
            task.woken = True
            self.run_list.append(task)
