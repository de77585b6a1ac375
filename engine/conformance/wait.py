"""Player for schema wait-1: tasks ask for request slots, sleep, are woken and run."""

from typing import Any

from engine.core import request_pool
from engine.core.records import NONE, POOL, THREAD_LIMIT, new_record

QUARTER, QUARTER_AT_MOST_32 = False, True

# (two wait queues, newest sleeper first, wake all, batch at most 32), SPEC 4.5-4.9
POOLS = {
    "w2418": (False, True, True, QUARTER),
    "w2419": (True, False, False, QUARTER_AT_MOST_32),
    "w2421": (True, True, True, QUARTER_AT_MOST_32),
    "w257": (True, True, True, QUARTER_AT_MOST_32),
    "w2513": (True, False, False, QUARTER_AT_MOST_32),
}
WOKEN = 1000  # added to the id of a task that was woken and has not run yet


def supports(generation: str) -> bool:
    """Whether there is a pool for it."""
    return generation.split("_", maxsplit=1)[0] in POOLS


def steps(script: dict[str, Any]) -> tuple[list, list]:
    """Operations and their recorded results."""
    return script["ops"], script["res"]


class Player:
    """One request pool under a script's orders."""

    def __init__(self, generation: str, params: dict[str, Any]):
        self.pool = new_record(POOL)
        self.outstanding: list[int] = []  # directions of the slots handed out, in order
        self.asleep: dict[int, int] = {}  # task: direction
        two_queues, newest_first, wake_all, limited = POOLS[generation.split("_", maxsplit=1)[0]]
        self.pool.per_direction = two_queues
        self.pool.newest_first = newest_first
        self.pool.wake_all = wake_all
        quarter = params["nr_requests"] // 4
        batch = min(quarter, 32) if limited else quarter
        request_pool.reset(self.pool, params["nr_requests"] // 2, batch)

    def step(self, number: int, operation: list) -> Any:
        """Carry out one operation; None if it means nothing now."""
        letter, first, *rest = operation
        if letter == "R":
            return self._ask(first, rest[0])
        if letter == "F":
            return self._release(first)
        return self._run(first)

    def _ask(self, task: int, direction: int) -> list | None:
        if task in self.asleep:
            return None
        if request_pool.take(self.pool, direction):
            return self._result([[task, direction]])
        self.asleep[task] = direction
        request_pool.sleep(self.pool, task, direction)
        return self._result([])

    def _release(self, number: int) -> list | None:
        if not self.outstanding:
            return None
        direction = self.outstanding.pop(number % len(self.outstanding))
        request_pool.release(self.pool, direction)
        return self._result([])

    def _run(self, number: int) -> list | None:
        runnable = self._runnable()
        if not runnable:
            return None
        task = runnable.pop(number % len(runnable))
        self.pool.run_first, self.pool.run_count = 0, len(runnable)
        self.pool.run_list[: len(runnable)] = runnable
        direction = self.asleep[task]
        if not request_pool.retry(self.pool, task, direction):
            return self._result([])
        del self.asleep[task]
        return self._result([[task, direction]])

    def _runnable(self) -> list[int]:
        first, count = int(self.pool.run_first), int(self.pool.run_count)
        return [int(self.pool.run_list[(first + i) % THREAD_LIMIT]) for i in range(count)]

    def _result(self, got: list[list[int]]) -> list:
        self.outstanding += [direction for _, direction in got]
        queues = [self._sleepers(queue) for queue in range(1 + self.pool.per_direction)]
        return [got, [int(free) for free in self.pool.free], queues, self._runnable()]

    def _sleepers(self, queue: int) -> list[int]:
        sleepers = []
        task = int(self.pool.first[queue])
        while task != NONE:
            sleepers.append(task + WOKEN * int(self.pool.woken[task]))
            task = int(self.pool.next[task])
        return sleepers
