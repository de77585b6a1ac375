"""Every rule of conservation notices when it is broken."""

import numpy as np
import pytest

from engine.build import Machine
from engine.core.checks import Breach, find_breach, find_page_breach
from engine.resolve import resolve
from engine.simulate import simulate_state

from .machines import finished, settings_of

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
    state.block_devices[0][part][counter] += 1
    assert find_breach(state) == breach


def test_a_thread_that_waits_without_a_buffer_is_noticed(state: np.record) -> None:
    state.threads[3].seeks_slot = True
    assert find_breach(state) == Breach.BUFFERS


def test_a_request_left_in_the_drive_is_noticed(state: np.record) -> None:
    state.block_devices[0].queue.head_active = False
    state.block_devices[0].held = 1
    assert find_breach(state) == Breach.REQUESTS


@pytest.mark.parametrize("direction", [0, 1])
def test_slots_that_are_not_there_are_noticed(state: np.record, direction: int) -> None:
    pool = state.block_devices[0].pool
    pool.free[direction] += 1
    assert find_breach(state) == Breach.SLOTS
    pool.free[direction] = -1
    assert find_breach(state) == Breach.SLOTS
    pool.free[direction] = pool.slots[direction] - 1
    assert find_breach(state) == Breach.SLOTS_HELD


@pytest.fixture
def machine() -> Machine:
    """A run that kept all rules and ends with pages clean, active, dirty and on their way both ways."""
    values = {"threads": 1, "size_mib": 1, "operations": 800, "ram_mib": 32}
    found = finished(
        settings_of(kernel="2.4.19", workload="readers_beside_a_writer", call_us=500, **values)
    )
    cache = found.state.cache
    assert min(cache.inactive, cache.active, cache.dirty, cache.writing) > 2
    return found


def test_pages_are_sound(machine: Machine) -> None:
    assert Breach(find_page_breach(machine.state, machine.pages)) == Breach.NOTHING


@pytest.mark.parametrize(
    ("counter", "breach"),
    [
        ("cached", Breach.PAGES),
        ("inactive", Breach.CLEAN_PAGES),
        ("active", Breach.CLEAN_PAGES),
        ("dirty", Breach.DIRTY_PAGES),
        ("writing", Breach.PAGES_ON_THEIR_WAY),
    ],
)
def test_a_page_too_many_is_noticed(machine: Machine, counter: str, breach: Breach) -> None:
    machine.state.cache[counter] += 1
    assert Breach(find_page_breach(machine.state, machine.pages)) == breach


@pytest.mark.parametrize(
    ("name", "breach"),
    [
        ("inactive_pages", Breach.CLEAN_PAGES),
        ("active_pages", Breach.CLEAN_PAGES),
        ("dirty_pages", Breach.DIRTY_PAGES),
    ],
)
@pytest.mark.parametrize("field", ["dirty", "state", "next", "previous"])
def test_a_list_that_is_not_whole_is_noticed(
    machine: Machine, name: str, breach: Breach, field: str
) -> None:
    state, pages = machine.state, machine.pages
    second = pages[pages[state.cache[name].oldest].next]
    second[field] = {"dirty": not second.dirty, "state": 0}.get(field, second[field] + 1)
    assert Breach(find_page_breach(state, pages)) == breach


def test_a_page_that_does_not_know_it_is_on_its_way_is_noticed(machine: Machine) -> None:
    state, pages = machine.state, machine.pages
    block = np.flatnonzero(pages.writing & ~pages.dirty)[0]
    pages[block].writing = False
    assert Breach(find_page_breach(state, pages)) == Breach.PAGES_ON_THEIR_WAY
