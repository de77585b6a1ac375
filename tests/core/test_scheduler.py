"""The scheduler: its run list by itself, and who computes when on a small machine."""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build import START_SPREAD_NS, Machine
from engine.core import scheduler
from engine.core.limits import THREAD_LIMIT
from engine.core.records import NONE, SCHEDULER, new_record
from engine.workload import plan_of

from .machines import built, finished, settings_of

MS = 1_000_000
TICKS = {"wakeup": "preempt", "slice_ms": 60}
LATER = {"pause": {"ms": 20}}  # so that nobody takes a processor before the sleeper has set off
HOG = {
    "threads": 1,
    "background": True,
    "program": [LATER, {"repeat": {"do": [{"compute": {"ms": 5}}]}}],
}
SLEEPER = {
    "threads": 1,
    "program": [{"repeat": {"rounds": 20, "do": [{"pause": {"ms": 92}}, {"compute": {"ms": 1}}]}}],
}


def run_of(classes: dict, **values: Any) -> Machine:
    """The k6-2, as fast as `compute` is measured, at the end of a run of these classes."""
    given = settings_of(cpu_speed=1, **values)
    return finished(replace(given, plan=plan_of("of a test", {"classes": classes}, given.values)))


def waited_ms(machine: Machine) -> float:
    """How long the sleeper, thread 0, waited for a processor in its twenty rounds."""
    start_ns = np.random.default_rng(0).integers(0, START_SPREAD_NS, 2)[0]  # as `built` draws it
    return (machine.state.threads[0].finish_ns - start_ns) / MS - 20 * (92 + 1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["append", "put_first", "take"]), max_size=60))
def test_the_run_list_is_a_ring(operations):
    lists, expected = new_record(SCHEDULER), deque()
    lists.run_first = THREAD_LIMIT - 3
    for thread, operation in enumerate(operations):
        if operation == "append":
            scheduler.make_runnable(lists, thread)
            expected.append(thread)
        elif operation == "put_first":
            scheduler.make_next(lists, thread)
            expected.appendleft(thread)
        elif expected:
            assert scheduler.next_runnable(lists) == expected.popleft()
        assert lists.run_count == len(expected)


def test_the_run_list_holds_every_thread():
    lists = new_record(SCHEDULER)
    for thread in range(THREAD_LIMIT):
        scheduler.make_runnable(lists, thread)
    assert [scheduler.next_runnable(lists) for _ in range(THREAD_LIMIT)] == list(
        range(THREAD_LIMIT)
    )


def state_with(left_ms: list[float], nice: list[int]) -> Any:
    """A state whose threads are runnable, in order of number, with so much of their slices left."""
    state = built(settings_of(**TICKS)).state
    for number, (left, level) in enumerate(zip(left_ms, nice, strict=True)):
        thread = state.threads[number]
        thread.slice_left_ns, thread.nice, thread.epoch = round(left * MS), level, 1
        scheduler.make_runnable(state.scheduler, number)
    return state


def order_of(state: Any) -> list[int]:
    """Who is taken off the lists one after the other, none coming back."""
    return [scheduler.next_thread(state) for _ in range(state.scheduler.run_count)]


def test_most_ticks_left_and_the_lowest_nice_level_go_first():
    """A tick that has begun counts; at a tie the first in the list goes first."""
    assert order_of(state_with([20, 59, 51, 30.1], [0, 0, 0, 0])) == [1, 2, 3, 0]
    assert order_of(state_with([60, 60, 60], [0, -5, 5])) == [1, 0, 2]


def test_a_new_epoch_begins_when_all_slices_are_over():
    """Then each gets the ticks of its nice level; that a sleeper has half of its own, too, as if each
    epoch were one it slept through."""
    state = state_with([0, 0, 0], [0, 19, -20])
    sleeper = state.threads[3]
    sleeper.epoch, sleeper.slice_left_ns = 1, 60 * MS
    assert [scheduler.next_thread(state) for _ in range(4)] == [2, 0, 1, NONE]
    assert [state.threads[n].slice_left_ns // MS for n in range(3)] == [60, 10, 110]
    for epoch, ticks in ((2, 9), (3, 10), (5, 11), (1000, 11)):
        state.scheduler.epoch = epoch
        scheduler.make_runnable(state.scheduler, 3)
        assert scheduler.next_thread(state) == 3
        assert sleeper.slice_left_ns == 10 * MS * ticks


def test_processor_time_is_shared_as_nice_levels_say():
    """Six ticks at nice 0, eleven at -20, one at 19."""
    pause = {"threads": 1, "program": [{"pause": {"ms": 5400}}]}
    classes = {
        "watch": pause,
        "plain": HOG,
        "nice": HOG | {"nice": 19},
        "first": HOG | {"nice": -20},
    }
    for values in (TICKS, {}):
        machine = run_of(classes, **values)
        rounds = [machine.state.threads[number].rounds_done for number in (1, 2, 3)]
        assert 5 * sum(rounds) == pytest.approx(machine.state.machine.now_ns / MS - 30, abs=25)
        assert [one / sum(rounds) for one in rounds] == pytest.approx(
            [6 / 18, 1 / 18, 11 / 18], abs=0.01
        )


def test_who_is_woken_takes_the_processor_of_who_computes():
    classes = {"user": SLEEPER, "hog": HOG}
    assert waited_ms(run_of(classes, **TICKS)) == pytest.approx(0, abs=1e-6)
    assert waited_ms(run_of(classes, slice_ms=60)) > 20 * 15


def test_not_if_that_has_more_ticks_left():
    """The hog of nice -20 has more than a sleeper of nice 19 most of the time."""
    classes = {"user": SLEEPER | {"nice": 19}, "hog": HOG | {"nice": -20}}
    assert waited_ms(run_of(classes, **TICKS)) > 20 * 15


@pytest.mark.parametrize(("calls", "call_kib"), [(1, 1024), (256, 4)])
def test_in_a_system_call_only_where_the_kernel_is_preemptible(calls: int, call_kib: int):
    """Else at the end of the call, one of those that make up a burst."""
    call_ms = 0.005 + call_kib / 4 * 0.065
    read = {"repeat": {"do": [{"read": {"calls": calls, "call_kib": call_kib}}]}}
    classes = {
        "user": SLEEPER,
        "reader": {"threads": 1, "background": True, "file": {"mib": 1}, "program": [LATER, read]},
    }
    assert waited_ms(run_of(classes, **TICKS, preempt="kernel")) == pytest.approx(0, abs=1e-6)
    assert 20 * call_ms / 4 < waited_ms(run_of(classes, **TICKS)) < 20 * call_ms


def test_a_writer_gives_its_processor_up_between_two_calls():
    write = {"repeat": {"do": [{"write": {"calls": 1, "call_kib": 64}}]}}
    classes = {
        "user": SLEEPER,
        "writer": {"threads": 1, "background": True, "file": {"mib": 1}, "program": [LATER, write]},
    }
    assert waited_ms(run_of(classes, **TICKS, preempt="kernel")) == pytest.approx(0, abs=1e-6)
    call_ms = 0.005 + 16 * 0.2
    assert 20 * call_ms / 4 < waited_ms(run_of(classes, **TICKS)) < 20 * call_ms


@pytest.mark.parametrize("cpus", [1, 2, 3])
@pytest.mark.parametrize("preempt", ["user", "kernel"])
def test_no_processor_time_is_lost_or_made(cpus: int, preempt: str):
    """While there is always work it adds up to all processors, but for the start of the run."""
    read = {"repeat": {"do": [{"read": {"call_kib": 64}}, {"compute": {"ms": 3, "random": True}}]}}
    classes = {
        "user": SLEEPER | {"threads": 4},
        "hogs": HOG | {"threads": 3, "nice": 5},
        "reader": {"threads": 1, "background": True, "file": {"mib": 1}, "program": [read]},
    }
    state = run_of(classes, **TICKS, cpus=cpus, preempt=preempt).state
    now_ns, lists = state.machine.now_ns, state.scheduler
    ahead_ns = sum(
        state.threads[int(number)].burst_end_ns - now_ns
        for number in lists.running[: cpus - lists.idle_cpus]
    )
    used_ns = state.measures.cpu_ns + state.measures.background_cpu_ns - ahead_ns
    assert cpus * (now_ns - 30 * MS) <= used_ns <= cpus * now_ns
