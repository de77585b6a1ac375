"""G22D: Linux 2.2.18pre17 ... 2.2.26, passovers counted in requests (SPEC 3.4).

Everything starts at the last request with exactly 0 passovers left, and every overtaking costs 1. The
first request from there that the buffer touches decides: it takes the buffer, or nobody does.
"""

from engine.core import lookup, order
from engine.core.elevators.scan import charge_front_target, find_zero, reach
from engine.core.elevators.sweep import find_first_gap, first_element, first_target, has_dummy
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE

ANY_NUMBER = 2**40


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`; the place of a new request is left to `place_new`."""
    first = reach(queue)
    if first == NONE:
        return Verdict.NEW, NONE
    start = _start(queue, bio, NONE if has_dummy(queue) else first)
    begin = max(start, 0)
    verdict, target = first_target(queue, bio, ANY_NUMBER, ANY_NUMBER, begin, begin)
    if verdict == Verdict.NEW:
        return Verdict.NEW, NONE
    fits = lookup.suits(queue.requests[order.request_at(queue, target)], bio, queue.max_sectors)
    overtakes_start = verdict == Verdict.FRONT and target == start
    if not fits or (overtakes_start and order.sequence_at(queue, target) == 0):
        return Verdict.NEW, NONE
    return verdict, target


@kernel
def _start(queue, bio, first):
    """The last place behind `first` (NONE: the dummy) with no passovers left, else `first`."""
    barrier = find_zero(queue, bio, first + 1, True)
    return barrier if barrier != NONE else first


@kernel
def charge_merge(queue, verdict, target):
    """Everything behind the target pays 1, and the target itself for a front merge."""
    charge_front_target(queue, verdict, target, 1)
    order.charge_from(queue, order.next_place(queue, target), 1)


@kernel
def place_new(queue, bio):
    """From the start to the first place in the sweep; everything behind it pays 1."""
    if queue.length == 0:
        return NONE
    place = find_first_gap(queue, bio, _start(queue, bio, first_element(queue)))
    order.charge_from(queue, order.next_place(queue, place), 1)
    return place
