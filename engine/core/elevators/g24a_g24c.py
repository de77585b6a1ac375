"""G24A and G24C: the deadline-like elevators of Linux 2.4.0-test1 and test3 (SPEC 3.5, 3.7).

A request's sequence is the value of a clock at which it starves; nobody is charged. A budget says how many
segments may still go ahead of a new buffer: the latency of its direction less all that are queued, plus
those passed from the tail. Where it is negative the buffer would come too late. Because it counts
the segments of everybody passed, these elevators walk, but for a buffer that touches nobody.

G24C (never the default) gives writes always few segments, merges however late, and does not change the
target's sequence.
"""

from engine.core import order
from engine.core.blocks import key_of
from engine.core.elevators.scan import find_target, reach
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.lookup import suits
from engine.core.records import NONE


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`; the place of a new request is left to `place_new`."""
    end = reach(queue)
    if end == NONE or find_target(queue, bio, queue.max_sectors, end)[0] == Verdict.NEW:
        return Verdict.NEW, NONE
    is_a = queue.elevator == Elevator.G24A
    budget = _latency(queue, bio) - queue.total_segments
    place = order.last_place(queue)
    while place >= end:
        entry = queue.requests[order.request_at(queue, place)]
        starves = order.sequence_at(queue, place) < queue.clock
        budget += entry.segments
        if (budget >= 0 or not is_a) and suits(entry, bio, queue.max_sectors):
            verdict = Verdict.NEW
            if entry.sector + entry.nr_sectors == bio.sector:
                verdict = Verdict.BACK
            elif bio.sector + bio.nr_sectors == entry.sector and not starves:
                verdict = Verdict.FRONT
            if verdict != Verdict.NEW:
                queue.budget = budget
                queue.clock += not is_a
                return verdict, place
        if starves:
            break
        place = order.previous_place(queue, place)
    return Verdict.NEW, NONE


@kernel
def charge_merge(queue, verdict, target):
    """G24A: the target starves no later than the buffer would have; the clock advances."""
    if queue.elevator != Elevator.G24A:
        return
    starves_at = queue.clock + queue.budget
    if verdict == Verdict.BACK:
        starves_at -= queue.requests[order.request_at(queue, target)].segments
    order.change_sequence(queue, target, min(order.sequence_at(queue, target), starves_at))
    queue.clock += 1


@kernel
def place_new(queue, bio):
    """Place for a new request and its sequence; counts it, in G24C before it looks for its place."""
    is_a = queue.elevator == Elevator.G24A
    if not is_a:
        count_new(queue, bio)
    place, budget = _walk(queue, bio)
    sequence = queue.clock + budget
    if is_a:
        count_new(queue, bio)
    return place, sequence


@kernel
def _walk(queue, bio):
    """The place for a new request, and the budget it has there.

    From the tail to the first place in the sweep that is near enough to the head. A starving request
    ends the walk; then the first place that is near enough will do.
    """
    key = key_of(bio.minor, bio.sector)
    budget = _latency(queue, bio) - queue.total_segments
    if queue.length == 0:
        return NONE, budget
    end = reach(queue)
    place = order.last_place(queue)
    found, fallback, fallback_budget = False, place, budget
    following = NONE  # no fold at the tail
    while end != NONE and place >= end:
        here = order.key_at(queue, place)
        if budget >= 0 and not found:
            found, fallback, fallback_budget = True, place, budget
        if order.sequence_at(queue, place) < queue.clock:
            break
        if budget >= 0 and (here < key or here >= following != NONE):
            return place, budget
        budget += queue.requests[order.request_at(queue, place)].segments
        following = here
        place = order.previous_place(queue, place)
    return (fallback, fallback_budget) if found else (place, budget)


@inline_kernel
def _latency(queue, bio):
    return queue.write_latency if bio.is_write else queue.read_latency


@kernel
def count_new(queue, bio):
    """One more request, one step of the clock."""
    queue.clock += 1
    queue.total_segments += 1
    queue.queued_reads += not bio.is_write
