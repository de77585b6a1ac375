"""Every rule of conservation notices when it is broken."""

import numpy as np
import pytest

from engine.core.checks import Breach, find_breach
from engine.resolve import resolve
from engine.simulate import simulate_state

POINT = {"kernel": "2.4.18", "machine": "k6-2", "workload": "tiobench_sequential_read"}


@pytest.fixture
def state() -> np.record:
    """A run that kept all rules."""
    finished = simulate_state(resolve(POINT | {"threads": 8, "size_mib": 8}))
    assert find_breach(finished) == Breach.NOTHING
    return finished


@pytest.mark.parametrize(
    ("part", "counter", "breach"),
    [
        ("measures", "buffers", Breach.BUFFERS),
        ("measures", "merges", Breach.BUFFERS),
        ("measures", "completed", Breach.REQUESTS),
        ("measures", "joins", Breach.REQUESTS),
        ("queue", "length", Breach.REQUESTS),
    ],
)
def test_a_counter_too_many_is_noticed(
    state: np.record, part: str, counter: str, breach: Breach
) -> None:
    state[part][counter] += 1
    assert find_breach(state) == breach


def test_a_thread_that_waits_without_a_buffer_is_noticed(state: np.record) -> None:
    state.threads[3].seeks_slot = True
    assert find_breach(state) == Breach.BUFFERS


def test_a_request_left_in_the_drive_is_noticed(state: np.record) -> None:
    state.queue.head_active = False
    state.machine.held = 1
    assert find_breach(state) == Breach.REQUESTS


@pytest.mark.parametrize("direction", [0, 1])
def test_slots_that_are_not_there_are_noticed(state: np.record, direction: int) -> None:
    state.pool.free[direction] += 1
    assert find_breach(state) == Breach.SLOTS
    state.pool.free[direction] = -1
    assert find_breach(state) == Breach.SLOTS
    state.pool.free[direction] = state.pool.slots[direction] - 1
    assert find_breach(state) == Breach.SLOTS_HELD
