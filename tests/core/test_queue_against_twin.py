"""The compiled queue does on random scripts what the twin does: every result and every dump."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.conformance.generations import QUEUES

from .script_player import Script, play_engine, play_twin
from .script_writer import long_script, random_script

# All but the deadline elevator, whose dumps have several lists: test_every_generation compares that.
GENERATIONS = tuple(generation for generation in QUEUES if generation != "g25b")


def check(script: Script) -> None:
    """Compare engine and twin."""
    results, dumps, counters = play_engine(script)
    expected_results, expected_dumps, expected_counters = play_twin(script)
    different = np.flatnonzero((results != expected_results).any(axis=1))
    if different.size:
        number = different[0]
        raise AssertionError(
            f"operation {number} {script.operations[number]}: "
            f"expected {expected_results[number]}, got {results[number]}"
        )
    np.testing.assert_array_equal(dumps, expected_dumps)
    assert counters == expected_counters


@pytest.mark.parametrize("generation", GENERATIONS)
@settings(max_examples=60, deadline=None)
@given(random=st.randoms(use_true_random=False), length=st.integers(1, 60))
def test_short_scripts(generation: str, random: Random, length: int) -> None:
    """Short, so that a difference shrinks to the few operations that make it."""
    check(random_script(random, generation, length))


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("seed", range(10))
def test_many_scripts(generation: str, seed: int) -> None:
    random = Random(f"{generation} {seed}")
    for _ in range(15):
        check(random_script(random, generation, random.choice((50, 150, 400))))


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize("nr_requests", [300, 900, 2048])
def test_long_queues(generation: str, nr_requests: int) -> None:
    """Blocks split and join, and owe charges."""
    random = Random(f"{generation} {nr_requests}")
    check(long_script(random, generation, nr_requests))
