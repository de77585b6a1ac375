"""G24B and G24D: the ascending elevators of Linux 2.4.0-test3 ... 2.4.0 (SPEC 3.6, 3.8).

A new request is sorted in from the tail; everyone it passes, or merges ahead of, pays 1. Who has exactly 0
passovers left is not passed. With the millions these kernels give a request that is sorting without
fairness: a stream at low sectors starves everybody above it.

In G24B whoever has 0 left ends the scan. In G24D only a request that suits the buffer does, and it may
still be merged at its back; a front merge costs its target 1; and a merge can take passovers below
zero, where they stop nobody any more.
"""

from engine.core import order
from engine.core.elevators.scan import charge_front_target, find_target, find_zero, reach
from engine.core.elevators.sweep import find_below
from engine.core.jit import kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.records import NONE


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`; the place of a new request is left to `place_new`."""
    end = reach(queue)
    if end == NONE:
        return Verdict.NEW, NONE
    verdict, target = find_target(queue, bio, queue.max_sectors, end)
    if verdict == Verdict.NEW:
        return Verdict.NEW, NONE
    is_b = queue.elevator == Elevator.G24B
    barrier = find_zero(queue, bio, target, is_b)
    if barrier > target or (barrier == target and (is_b or verdict == Verdict.FRONT)):
        return Verdict.NEW, NONE
    if not is_b:
        charge_front_target(queue, verdict, target, 1)
    order.charge_from(queue, order.next_place(queue, target), 1)
    return verdict, target


@kernel
def place_new(queue, bio):
    """Behind a lower request or one with 0 passovers left, seen from the tail; those passed pay 1."""
    if queue.length == 0:
        return NONE
    end = reach(queue)
    if end == NONE:
        return order.last_place(queue)
    place = max(find_below(queue, bio, end), find_zero(queue, bio, end, True))
    if place == NONE:
        place = order.previous_place(queue, end)
    order.charge_from(queue, order.next_place(queue, place), 1)
    return place
