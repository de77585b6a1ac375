"""Asking for a record ahead of time: nothing follows from it, wherever it lies."""

import numpy as np

from engine.core.jit import kernel
from engine.core.prefetch import prefetch
from engine.core.records import PAGE


@kernel
def _ask_for(pages, index):
    prefetch(pages, index)
    return pages.size


def test_a_record_that_does_not_exist_may_be_asked_for():
    pages = np.zeros(4, PAGE).view(np.recarray)
    for index in (0, 3, -1, 10**9):
        assert _ask_for(pages, index) == 4
    assert pages.tobytes() == bytes(pages.nbytes)
