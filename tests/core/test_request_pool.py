"""The pool of request slots against the twin's, for every policy of sleeping and waking."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.pools import HalvedPool
from reference.scripts import wait_operation, wait_state
from reference.sleepers import Task, WaitQueue

from engine.conformance.wait import Player
from engine.core import request_pool
from engine.core.records import POOL, new_record

TASKS = 6

OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("R"), st.integers(0, TASKS - 1), st.integers(0, 1), st.just(8)),
        st.tuples(st.just("F"), st.integers(0, 9)),
        st.tuples(st.just("X"), st.integers(0, 9)),
    ),
    min_size=20,
    max_size=80,
)


class ChosenSleepers(WaitQueue):
    """The twin's wait queue, order and number of the woken chosen apart from each other."""

    def __init__(self, newest_first: bool, wake_all: bool, run_list: list[Task]):
        super().__init__(not newest_first, run_list)
        self.wake_all = wake_all

    def wake(self, count: int = 1) -> None:
        """Wake one or all of those asleep, in the queue's order."""
        asleep = [task for task in self.tasks if not task.woken]
        for task in asleep if self.wake_all else asleep[:1]:
            task.woken = True
            self.run_list.append(task)


def twin_pool(nr_requests: int, batch: int, shared: bool, newest_first: bool, wake_all: bool):
    pool = HalvedPool(nr_requests)
    pool.batch = batch
    queues = [ChosenSleepers(newest_first, wake_all, pool.run_list) for _ in pool.sleepers]
    pool.sleepers = {direction: queues[0 if shared else direction] for direction in pool.sleepers}
    return pool


def engine_pool(nr_requests: int, batch: int, shared: bool, newest_first: bool, wake_all: bool):
    player = Player("w2418", {"nr_requests": nr_requests})
    player.pool.per_direction = not shared
    player.pool.newest_first = newest_first
    player.pool.wake_all = wake_all
    request_pool.reset(player.pool, nr_requests // 2, batch)
    return player


@settings(max_examples=200, deadline=None)
@given(
    slots=st.integers(1, 5),
    batch=st.integers(1, 5),
    policy=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    operations=OPERATIONS,
)
def test_pools_do_what_the_twin_does(slots, batch, policy, operations):
    twin = twin_pool(2 * slots, min(batch, slots), *policy)
    engine = engine_pool(2 * slots, min(batch, slots), *policy)
    tasks = [Task(number) for number in range(TASKS)]
    held: list[tuple] = []
    for number, operation in enumerate(operations):
        done, got = wait_operation(twin, tasks, held, list(operation))
        expected = [got, *wait_state(twin)] if done else None
        assert engine.step(number, list(operation)) == expected, (number, operation)


@pytest.mark.parametrize("direction", [0, 1])
def test_a_direction_has_its_own_slots(direction):
    pool = new_record(POOL)
    request_pool.reset(pool, 2, 1)
    taken = [request_pool.take(pool, direction) for _ in range(3)]
    assert taken == [True, True, False]
    assert request_pool.take(pool, 1 - direction)
