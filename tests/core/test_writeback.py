"""Write-back: at which share who does what (SPEC 7), where bdflush stops, and what kupdate takes."""

import numpy as np
import pytest

from engine.build import Machine
from engine.core import calendar, page_cache, writeback
from engine.core.kinds import Balance, Event, Stage, Step

from .machines import built, settings_of


def machine_of(kernel: str, free_mib: int = 100) -> Machine:
    """A machine with that much memory for pages, whose bdflush sleeps and whose calendar is empty.

    With 100 MiB a percent is 256 pages.
    """
    machine = built(settings_of(kernel=kernel, ram_mib=24 + free_mib, size_mib=64))
    machine.state.machine.nr_events = 0
    machine.state.cache.bdflush_sleeps = True
    return machine


def make_dirty(machine: Machine, count: int) -> None:
    """The first pages of the disk that are not dirty yet."""
    first = int(machine.state.cache.dirty)
    for block in range(first, first + count):
        page_cache.make_dirty(machine.state, machine.pages, block)


NOTHING = (Balance.NOTHING, False)
WAKE, WAIT = (Balance.WAKE, True), (Balance.WAKE_AND_WAIT, True)
WRITE, WRITE_AND_WAIT = (Balance.WRITE, False), (Balance.WRITE_AND_WAIT, True)


@pytest.mark.parametrize(
    ("kernel", "chunk", "shares"),
    [
        ("2.2.17", 32, {40: NOTHING, 41: WAIT}),
        ("2.4.0-test7", 64, {20: NOTHING, 21: WAKE, 40: WAKE, 41: WAIT}),
        ("2.4.0", 64, {30: NOTHING, 31: WAKE, 60: WAKE, 61: WRITE}),
        ("2.4.15-pre5", 32, {40: NOTHING, 41: WRITE, 60: WRITE, 61: WRITE_AND_WAIT}),
        ("2.4.18", 32, {40: NOTHING, 41: WRITE, 60: WRITE, 61: WRITE_AND_WAIT}),
        ("2.4.19", 32, {30: NOTHING, 31: WAKE, 60: WAKE, 61: WRITE}),
    ],
)
def test_who_does_what_over_which_share(kernel: str, chunk: int, shares: dict) -> None:
    """A share stands for all its pages and for one more than the share below."""
    machine = machine_of(kernel)
    cache, scheduler = machine.state.cache, machine.state.scheduler
    assert cache.chunk == chunk
    for share, (action, woken) in shares.items():
        for pages in {share * 256, (share - 1) * 256 + 1}:
            cache.dirty, cache.bdflush_sleeps, scheduler.run_count = pages, True, 0
            assert Balance(writeback.balance(machine.state)) == action
            assert (not cache.bdflush_sleeps, scheduler.run_count) == (woken, woken)
            if woken:
                assert scheduler.run_list[scheduler.run_first] == cache.bdflush


@pytest.mark.parametrize(("kernel", "action"), [("2.4.18", Balance.WRITE), ("2.4.15-pre5", 0)])
def test_from_2_4_17_on_pages_being_written_count(kernel: str, action: Balance) -> None:
    machine = machine_of(kernel)
    machine.state.cache.dirty = 10 * 256
    machine.state.cache.writing = 30 * 256 + 1
    assert writeback.balance(machine.state) == action


def test_shares_are_of_low_memory() -> None:
    """ZONE_NORMAL and below, of 3744 MiB."""
    (xeon, all_memory) = (
        built(settings_of(machine="quad_xeon", **zone)).state.cache
        for zone in ({}, {"dirty_zone": "all"})
    )
    assert xeon.soft_pages == 896 * 256 * 40 // 100
    assert all_memory.soft_pages == 3744 * 256 * 40 // 100
    assert xeon.capacity == all_memory.capacity == 3744 * 256


def submitted(machine: Machine, run, number: int) -> list[int]:
    """The pages a kernel thread submits until it sleeps; none of them gets to the disk meanwhile."""
    state, blocks = machine.state, []
    state.threads[number].stage = Stage.CALL
    while run(state, machine.pages, number)[0] == Step.SUBMIT:
        blocks.append(state.threads[number].bio.sector // 8)
    return blocks


@pytest.mark.parametrize(
    ("kernel", "stop_pct"), [("2.2.17", 40), ("2.4.0", 30), ("2.4.18", 40), ("2.4.19", 20)]
)
def test_bdflush_submits_the_oldest_pages_until_few_enough_are_dirty(
    kernel: str, stop_pct: int
) -> None:
    machine = machine_of(kernel, free_mib=4)  # 1024 pages
    cache, stop = machine.state.cache, 1024 * stop_pct // 100
    make_dirty(machine, stop + 77)
    cache.bdflush_sleeps = False
    assert submitted(machine, writeback.run_bdflush, int(cache.bdflush)) == list(range(77))
    assert (cache.dirty, cache.writing, cache.bdflush_sleeps) == (stop, 77, True)
    assert machine.pages[77].dirty
    assert not machine.pages[76].dirty


def test_who_waits_for_bdflush_waits_for_one_pass() -> None:
    """Of at most 500 pages; bdflush goes on."""
    machine = machine_of("2.2.17", free_mib=10)
    state, number = machine.state, int(machine.state.cache.bdflush)
    make_dirty(machine, 2000)
    writeback.wait_for_bdflush(state, 0)
    state.threads[number].stage = Stage.CALL
    for _ in range(500):
        assert writeback.run_bdflush(state, machine.pages, number)[0] == Step.SUBMIT
        assert state.scheduler.run_count == 0
    assert writeback.run_bdflush(state, machine.pages, number)[0] == Step.SUBMIT
    assert state.scheduler.run_list[: state.scheduler.run_count].tolist() == [0]


def test_bdflush_leaves_pages_alone_that_are_dirty_again_while_being_written() -> None:
    machine = machine_of("2.4.19", free_mib=4)
    number = int(machine.state.cache.bdflush)
    make_dirty(machine, 1000)
    first = submitted(machine, writeback.run_bdflush, number)
    for block in first:
        page_cache.make_dirty(machine.state, machine.pages, block)
    assert machine.state.cache.dirty == 1000
    assert submitted(machine, writeback.run_bdflush, number) == list(range(len(first), 1000))


def test_kupdate_submits_what_is_30_s_old_and_sleeps_for_5_s() -> None:
    machine = machine_of("2.4.18")
    state, number = machine.state, int(machine.state.cache.kupdate)
    for second in range(4):
        state.machine.now_ns = second * 10**9
        make_dirty(machine, 3)
    page_cache.make_dirty(state, machine.pages, 0)  # once more: as old as before
    state.machine.now_ns = 31_999_999_999
    state.queue.plugged = True
    assert submitted(machine, writeback.run_kupdate, number) == list(range(6))
    assert state.cache.dirty == 6
    assert not state.queue.plugged
    assert calendar.next_event(state.machine) == (36_999_999_999, Event.START, number)
    assert np.flatnonzero(machine.pages.dirty).tolist() == list(range(6, 12))
