"""The streams of random numbers: splitmix64, one a thread."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.random_stream import next_below, peek_below
from engine.core.records import THREAD, new_record

MASK = 2**64 - 1


def splitmix64(state: int):
    """The generator of Steele, Lea and Flood in unbounded integers."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)


def draws(seed: int, limit: int, count: int) -> list[int]:
    thread = new_record(THREAD)
    thread.random = seed
    return [next_below(thread, limit) for _ in range(count)]


def test_the_generator_is_splitmix64():
    """First numbers of seed 1234567, as published with the reference implementation."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    stream = splitmix64(1234567)
    assert [next(stream) for _ in published] == published
    assert draws(1234567, 2**31 - 1, 3) == [
        (number >> 32) * (2**31 - 1) >> 32 for number in published
    ]


@given(st.integers(0, MASK), st.integers(1, 2**31 - 1))
def test_any_seed_and_limit(seed, limit):
    stream = splitmix64(seed)
    expected = [((next(stream) >> 32) * limit) >> 32 for _ in range(5)]
    assert draws(seed, limit, 5) == expected
    assert all(0 <= number < limit for number in expected)


def test_a_limit_of_1_gives_0():
    assert draws(7, 1, 20) == [0] * 20


def test_numbers_spread_evenly():
    """Chi-square of 20,000 draws over 50 values: 49 degrees of freedom, 99.9 % below 85.4."""
    counts = np.bincount(draws(2002, 50, 20_000), minlength=50)
    assert counts.size == 50
    assert ((counts - 400) ** 2 / 400).sum() == pytest.approx(49, abs=36)


def test_a_peek_tells_the_next_number_and_leaves_it_to_be_drawn():
    thread = new_record(THREAD)
    thread.random = 17
    seen = [peek_below(thread, 1000) for _ in range(2)]
    assert seen == 2 * [next_below(thread, 1000)]
