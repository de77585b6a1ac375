"""How kernels compile: without what they do not need, and without changing how anybody else's code does."""

import os

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError

from engine.core.jit import KernelCompiler, kernel

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def _item(numbers, index):
    return numbers[index]


def _first_of_three():
    return np.zeros(3)[0]


@kernel
def _one_more(number):
    return number + 1


@kernel
def _two_more(number):
    return _one_more(_one_more(number))


@compiled
def test_a_negative_index_of_a_kernel_is_a_mistake_that_a_bounds_check_finds():
    item = njit(boundscheck=True, pipeline_class=KernelCompiler)(_item)
    assert item(np.arange(3), 2) == 2
    with pytest.raises(IndexError):
        item(np.arange(3), -1)


@compiled
def test_elsewhere_a_negative_index_still_counts_from_the_end():
    assert njit(pipeline_class=KernelCompiler)(_item)(np.arange(3), 1) == 1
    assert njit(_item)(np.arange(3), -1) == 2


@compiled
def test_a_kernel_counts_no_references_and_can_make_no_array():
    makes_an_array = kernel(_first_of_three)
    with pytest.raises(NumbaError):
        makes_an_array()


@compiled
def test_machine_code_is_made_of_what_python_calls_and_of_nothing_below_it():
    assert _two_more(3) == 5
    assert [len(one.overloads) for one in (_two_more, _one_more)] == [1, 0]
    assert _one_more(3) == 4
