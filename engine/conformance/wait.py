"""Player for schema wait-1: tasks ask for request slots, sleep, are woken and run."""

from typing import Any

import numpy as np

from engine.conformance.generations import MOST_SECTORS, SLEEPS, family
from engine.core import request_pool
from engine.core.limits import QUEUE_LIMIT, THREAD_LIMIT
from engine.core.pools import slots_for
from engine.core.pools.records import Pool
from engine.core.records import NONE, POOL, SCHEDULER, new_record

WOKEN = 1000  # added to the id of a task that was woken and has not run yet


def supports(generation: str) -> bool:
    """Whether there is a pool for it."""
    return family(generation) in SLEEPS


def steps(script: dict[str, Any]) -> tuple[list, list]:
    """Operations and their recorded results."""
    return script["ops"], script["res"]


class Player:
    """One request pool under a script's orders."""

    def __init__(self, generation: str, params: dict[str, Any]):
        self.pool = new_record(POOL)
        self.scheduler = new_record(SCHEDULER)
        # direction, slot and sectors of each slot handed out, in order
        self.outstanding: list[tuple[int, int, int]] = []
        self.wanted: dict[int, tuple[int, int]] = {}  # task asleep: direction, sectors
        pool, nr_requests = self.pool, params["nr_requests"]
        if nr_requests > QUEUE_LIMIT or params.get("ntasks", 0) > THREAD_LIMIT:
            raise ValueError(f"more than {QUEUE_LIMIT} nr_requests or {THREAD_LIMIT} ntasks")
        traits = SLEEPS[family(generation)]
        pool.kind = traits.pool
        pool.per_direction = traits.per_direction
        pool.newest_first = traits.newest_first
        pool.wake_all = traits.wake_all
        pool.throttles = traits.pool >= Pool.SECTORS_PRE5 and bool(params.get("throttle"))
        limit = params.get("max_queue_sectors")
        pool.most_sectors = MOST_SECTORS if limit is None else limit
        batch = min(nr_requests // traits.batch_share, traits.batch_most)
        request_pool.reset(pool, slots_for(traits.pool, nr_requests), batch)

    def step(self, number: int, operation: list) -> Any:
        """Carry out one operation; None if it means nothing now."""
        letter, first, *rest = operation
        if letter == "R":
            return self._ask(first, *rest)
        if letter == "F":
            return self._release(first)
        return self._run(first)

    def _ask(self, task: int, direction: int, nr_sectors: int) -> list | None:
        if task in self.wanted:
            return None
        if request_pool.take(self.pool, direction):
            return self._result(self._got(task, direction, nr_sectors))
        self.wanted[task] = direction, nr_sectors
        request_pool.sleep(self.pool, task, direction)
        return self._result([])

    def _release(self, number: int) -> list | None:
        if not self.outstanding:
            return None
        direction, slot, nr_sectors = self.outstanding.pop(number % len(self.outstanding))
        request_pool.note_transferred(self.pool, self.scheduler, nr_sectors)
        request_pool.release(self.pool, self.scheduler, direction, slot)
        return self._result([])

    def _run(self, number: int) -> list | None:
        runnable = self._runnable()
        if not runnable:
            return None
        task = runnable.pop(number % len(runnable))
        self.scheduler.run_first, self.scheduler.run_count = 0, len(runnable)
        self.scheduler.run_list[: len(runnable)] = runnable
        direction, nr_sectors = self.wanted[task]
        if not request_pool.retry(self.pool, task, direction):
            return self._result([])
        del self.wanted[task]
        got = self._got(task, direction, nr_sectors)
        request_pool.pass_on(self.pool, self.scheduler)
        return self._result(got)

    def _got(self, task: int, direction: int, nr_sectors: int) -> list[list[int]]:
        """A task has its slot and queues its sectors."""
        self.outstanding.append((direction, int(self.pool.slot), nr_sectors))
        request_pool.note_queued(self.pool, nr_sectors)
        return [[task, direction]]

    def _runnable(self) -> list[int]:
        first, count = int(self.scheduler.run_first), int(self.scheduler.run_count)
        return [int(self.scheduler.run_list[(first + i) % THREAD_LIMIT]) for i in range(count)]

    def _result(self, got: list[list[int]]) -> list:
        """Who got a slot, the free counters, the wait queues and the run list."""
        waiting = [self._waiting(queue) for queue in range(2 if self.pool.per_direction else 1)]
        return [got, self._counters(), waiting, self._runnable()]

    def _counters(self) -> list[int]:
        pool = self.pool
        if pool.kind >= Pool.SECTORS_PRE5:
            shown = [pool.free[0], *pool.held, pool.sectors]
        elif pool.kind == Pool.PENDING:
            shown = [*pool.free, *pool.pending]
        else:
            shown = [*pool.free]
        return [int(value) for value in shown]

    def _waiting(self, queue: int) -> list[int]:
        tasks = []
        task = self.pool.first[queue]
        while task != NONE:
            tasks.append(int(task) + WOKEN * bool(self.pool.woken[np.int64(task)]))
            task = self.pool.next[task]
        return tasks
