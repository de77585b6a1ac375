"""G22B and G22C: Linux 2.2.16 and 2.2.17 ... 2.2.18pre16, passovers counted in segments (SPEC 3.3).

What goes in behind a request must leave it within its budget of segments. Its sequence is what its
budget was at birth less 1 per overtaking; at zero it starves, and everything starts behind the last
starving request near enough to the head. The two kernels differ in `max_bomb_segments`.

The budget counts the segments of all that lies between the start and the target or the place, so that
stretch is walked, and while anybody starves the search for the start is a walk, too.
"""

from engine.core import order
from engine.core.elevators.scan import reach
from engine.core.elevators.sweep import find_first_gap, first_element, first_target, has_dummy
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE

ANY_NUMBER = 2**40


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`, if its budget of segments reaches as far; notes what is left of it."""
    first = reach(queue)
    if first == NONE:
        return Verdict.NEW, NONE
    budget = queue.write_latency if bio.is_write else queue.read_latency
    if queue.in_service != NONE:
        budget -= _segments(queue, first)
    start, budget = _seek(queue, NONE if has_dummy(queue) else first, budget)
    back_from = max(start, 0)
    starves = start != NONE and order.sequence_at(queue, start) <= 0
    front_from = start + 1 if starves else back_from
    verdict, target = first_target(queue, bio, queue.max_sectors, ANY_NUMBER, back_from, front_from)
    if verdict == Verdict.NEW:
        return Verdict.NEW, NONE
    queue.budget = budget - _segments_between(queue, back_from, target)
    if target > back_from and queue.budget < 0:
        return Verdict.NEW, NONE
    return verdict, target


@kernel
def _seek(queue, place, budget):
    """The last starving element within `budget` segments behind `place`, and what is left there.

    Without one that is `place` itself (NONE: the dummy, which starves) at the full budget.
    """
    start, left = place, budget
    if order.position_at_most(queue, 0, queue.nr_blocks - 1) < 0:
        return start, left
    before = 0
    if place == NONE:
        place = order.next_place(queue, place) if budget > 0 else NONE
    while place != NONE:
        if order.sequence_at(queue, place) <= 0:
            start, left = place, budget - before
            if before >= budget:
                break
        before += _segments(queue, place)
        place = order.next_place(queue, place)
    return start, left


@kernel
def charge_merge(queue, verdict, target):
    """The target's age is capped by the budget; everything behind it pays 1."""
    left = order.sequence_at(queue, target)
    if verdict == Verdict.BACK:
        left = min(left, queue.budget - _segments(queue, target))
    else:
        left = min(left - 1, queue.budget)
    order.change_sequence(queue, target, left)
    order.charge_from(queue, order.next_place(queue, target), 1)


@kernel
def place_new(queue, bio):
    """Place for a new request and its age: the budget left there; everything behind pays 1.

    From the start to the first place in the sweep. If that is too far the request goes to the very
    front, or behind a start that starves or is in service.
    """
    budget = queue.write_latency if bio.is_write else queue.read_latency
    start, budget = _seek(queue, first_element(queue), budget)
    place = NONE
    if queue.length > 0:
        gap = find_first_gap(queue, bio, start)
        first = max(start, 0)
        left = budget
        if gap != NONE:
            left -= _segments_between(queue, first, gap) + _segments(queue, gap)
        if left > 0:
            place, budget = gap, left
        elif start != NONE and (
            order.sequence_at(queue, start) <= 0
            or order.request_at(queue, start) == queue.in_service
        ):
            place = start
            budget -= _segments(queue, start)
    order.charge_from(queue, order.next_place(queue, place), 1)
    return place, budget


@kernel
def reads_wait(queue):
    """Whether any read is queued that the driver does not serve."""
    writes = 0
    for position in range(queue.nr_blocks):
        writes += queue.writes[position]
    reads = queue.length - writes
    if queue.in_service != NONE:
        reads -= not queue.requests[queue.in_service].is_write
    return reads > 0


@kernel
def _segments(queue, place):
    return queue.requests[order.request_at(queue, place)].segments


@kernel
def _segments_between(queue, place, end_place):
    """Segments of the requests from `place` up to, but without, `end_place`."""
    segments = 0
    while place != end_place:
        segments += _segments(queue, place)
        place = order.next_place(queue, place)
    return segments
