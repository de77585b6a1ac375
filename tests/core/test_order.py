"""The queue's order in blocks does what a plain list does."""

from collections.abc import Callable

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import order
from engine.core.limits import REQUEST_LIMIT
from engine.core.queue_records import BLOCK_SLOTS, QUEUE
from engine.core.records import NONE, new_record

from .order_model import ACTION, ANSWERS, Model, carry_out, listed

Step = Callable[[Model], None]

SECTORS = st.integers(0, 200)
PASSOVERS = st.integers(-3, 300)
MINORS = st.integers(0, 2)
EXAMPLES = 12 if numba.config.DISABLE_JIT else 250  # plain Python takes seconds for each
FRACTIONS = st.integers(0, 1000)  # where in the queue, in thousandths of its length


def index_at(model: Model, thousandths: int) -> int:
    return len(model.entries) * thousandths // 1000


def insert_run(
    at: int, count: int, minor: int, sector: int, step: int, passovers: int, writes: int
):
    """`count` requests, each behind the one before; every `writes`-th of them is a write."""

    def do(model: Model) -> None:
        index = index_at(model, at) - 1
        for number in range(min(count, len(model.free))):
            place = max(0, sector + number * step)
            model.insert(index + number, minor, place, passovers, number % writes == 0)

    return do


def remove_run(at: int, count: int):
    def do(model: Model) -> None:
        index = index_at(model, at)
        for _ in range(min(count, len(model.entries) - index)):
            model.remove(index)

    return do


def thin(at: int, keep: int, from_tail: bool):
    """Remove all but every `keep`-th, as joins do that run through the queue."""

    def do(model: Model) -> None:
        gone = [i for i in range(index_at(model, at), len(model.entries)) if i % keep]
        for removed, index in enumerate(gone):
            model.remove(gone[-1 - removed] if from_tail else index - removed)

    return do


def with_one(method: Callable, at: int, *values: int):
    """Call a method of the model for one request, if there is any."""

    def do(model: Model) -> None:
        if model.entries:
            method(model, min(index_at(model, at), len(model.entries) - 1), *values)

    return do


def find_gap(minor: int, sector: int, at: int):
    return with_one(lambda model, index: model.find_gap(minor, sector, index), at)


RUNS = st.builds(
    insert_run, FRACTIONS, st.integers(1, 120), MINORS, SECTORS, st.integers(-4, 40), PASSOVERS, st.integers(1, 9)
)  # fmt: skip
STEPS = st.one_of(
    RUNS,
    st.builds(remove_run, FRACTIONS, st.integers(1, 120)),
    st.builds(thin, FRACTIONS, st.integers(2, 70), st.booleans()),
    st.builds(with_one, st.just(Model.change_sector), FRACTIONS, SECTORS),
    st.builds(with_one, st.just(Model.change_sequence), FRACTIONS, PASSOVERS),
    st.builds(with_one, st.just(Model.charge), FRACTIONS, st.integers(1, 60)),
    st.builds(with_one, st.just(Model.at_most), FRACTIONS, PASSOVERS),
    st.builds(with_one, st.just(Model.all_have), FRACTIONS, PASSOVERS),
    st.builds(find_gap, st.integers(NONE, 3), SECTORS, FRACTIONS),
)


def check(steps: list[Step], check_every: int = 5) -> None:
    """Do the steps to the list and to the blocks, and compare answers and what is left."""
    model, queue = Model(), new_record(QUEUE)
    order.clear(queue)
    for step in steps:
        step(model)
    actions = np.array(model.actions, ACTION).view(np.recarray)
    answers = np.zeros((len(actions), ANSWERS), np.int64)
    done = carry_out(queue, actions, answers, check_every)
    assert done == len(actions), f"a rule is broken by action {done} or one of the few before"
    for number, expected in model.answers.items():
        assert answers[number, 0] == expected, model.actions[number]
    for number, (limit, sequences) in model.limits.items():
        check_block_found(limit, sequences, *answers[number])
    for number, true in model.bounds.items():
        assert true or not answers[number, 0], "all_have promises too much"
    rows = np.zeros((len(model.entries), 5), np.int64)
    assert listed(queue, rows) == len(rows)
    assert rows.tolist() == model.listed()


def check_block_found(limit: int, sequences: list[int], end: int, first: int, behind: int) -> None:
    """`first` ... `behind` is the block found, searching towards the head from the block before `end`."""
    if first == NONE:
        assert all(sequence > limit for sequence in sequences[:end])
        return
    assert min(sequences[first:behind]) <= limit
    assert all(sequence > limit for sequence in sequences[behind:end])


@settings(max_examples=EXAMPLES, deadline=None)
@given(runs=st.lists(RUNS, min_size=1, max_size=4), steps=st.lists(STEPS, max_size=20))
def test_blocks_do_what_a_list_does(runs: list[Step], steps: list[Step]) -> None:
    check(runs + steps)


FEW_STEPS = {
    "as many passovers as asked for": [
        insert_run(0, 1, 0, 0, 8, 5, 1),
        with_one(Model.all_have, 0, 5),
    ],
    "a fold between two blocks": [
        insert_run(0, BLOCK_SLOTS, 0, 1000, 8, 100, 1),
        insert_run(1000, 10, 0, 10, 8, 100, 1),
        find_gap(0, 5, 0),
    ],
    "a block that owes a charge joins the one before it": [
        insert_run(0, BLOCK_SLOTS + 6, 0, 0, 8, 100, 1),
        with_one(Model.charge, 915, 7),  # from the first of the second block on
        remove_run(0, 40),
    ],
}


@pytest.mark.parametrize("steps", FEW_STEPS.values(), ids=FEW_STEPS.keys())
def test_few_steps_at_the_ends_of_blocks(steps: list[Step]) -> None:
    check(steps)


@pytest.mark.parametrize("from_tail", [False, True])
def test_thinned_queues_fill_up_again(from_tail: bool) -> None:
    """However the queue is thinned out, its blocks never run out."""
    steps = []
    for _ in range(8):
        steps.append(insert_run(1000, REQUEST_LIMIT, 0, 0, 8, 100, 3))
        steps.append(thin(0, 64, from_tail))
    check(steps, check_every=1000)
