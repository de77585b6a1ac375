"""The calendar of events against a sorted list."""

from heapq import heappop, heappush

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.calendar import advance, next_event, schedule
from engine.core.kinds import Event
from engine.core.limits import THREAD_LIMIT
from engine.core.records import MACHINE, new_record

EVENTS = st.tuples(
    st.integers(0, 5) | st.integers(0, 2**62),  # many at the same instant
    st.sampled_from(list(Event)),
    st.integers(0, THREAD_LIMIT - 1),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.none() | EVENTS, max_size=60))
def test_events_come_in_order(steps):
    """None stands for taking the next event."""
    machine, expected = new_record(MACHINE), []
    for step in [*steps, *[None] * len(steps)]:
        if step is not None:
            schedule(machine, *step)
            heappush(expected, step)
        elif expected:
            assert next_event(machine) == heappop(expected)
        assert machine.nr_events == len(expected)


def test_at_one_instant_kind_then_number_decides():
    """Completions, then ends of bursts, then starts, whoever was scheduled first."""
    machine = new_record(MACHINE)
    for event in reversed(Event):
        for number in (3, 0, 1023):
            schedule(machine, 77, event, number)
    order = [next_event(machine)[1:] for _ in range(9)]
    assert order == [
        (event, number)
        for event in (Event.COMPLETION, Event.BURST_END, Event.START)
        for number in (0, 3, 1023)
    ]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=30), st.integers(0, 29), st.integers(0, 50)
)
def test_an_event_may_happen_earlier(times_ns, which, spared_ns):
    """Event n happens to thread n; that of one thread is brought forward."""
    machine, which = new_record(MACHINE), which % len(times_ns)
    for number, time_ns in enumerate(times_ns):
        schedule(machine, time_ns, Event.BURST_END, number)
    times_ns[which] = max(0, times_ns[which] - spared_ns)
    advance(machine, times_ns[which], Event.BURST_END, which)
    taken = [next_event(machine)[::2] for _ in times_ns]
    assert taken == sorted((time_ns, number) for number, time_ns in enumerate(times_ns))


def test_it_holds_an_event_of_every_thread_and_the_device():
    machine = new_record(MACHINE)
    for number in range(THREAD_LIMIT):
        schedule(machine, THREAD_LIMIT - number, Event.START, number)
    schedule(machine, 0, Event.COMPLETION, 0)
    taken = [next_event(machine)[0] for _ in range(THREAD_LIMIT + 1)]
    assert taken == sorted(taken)
