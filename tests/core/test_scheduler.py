"""The scheduler by itself: its run list."""

from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import scheduler
from engine.core.limits import THREAD_LIMIT
from engine.core.records import SCHEDULER, new_record


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
