"""Elevators: how a request queue scans, charges and places. One family a file; this is the table."""

from engine.core import order
from engine.core.elevators import g24e, g24f, g25a, noop
from engine.core.elevators.scan import reach
from engine.core.jit import kernel
from engine.core.records import NONE, Elevator

FAMILIES = {Elevator.NOOP: noop, Elevator.G24E: g24e, Elevator.G24F: g24f, Elevator.G25A: g25a}
ELEVATORS = {member.name.lower(): member for member in FAMILIES}


def descriptions() -> dict[str, str]:
    """Name and first sentence of each elevator."""
    return {
        name: (FAMILIES[code].__doc__ or "").splitlines()[0] for name, code in ELEVATORS.items()
    }


@kernel
def scan(queue, bio):
    """Verdict and place for `bio` in a queue that is not empty; requests age on the way.

    The place is that of the request to merge with, or that of the request to queue behind.
    """
    if queue.elevator == Elevator.G24E:
        return g24e.scan(queue, bio)
    if queue.elevator == Elevator.G24F:
        return g24f.scan(queue, bio)
    if queue.elevator == Elevator.G25A:
        return g25a.scan(queue, bio)
    return noop.scan(queue, bio)


@kernel
def charge_merge(queue, target, bio):
    """Make the others pay for a merge at place `target`."""
    if queue.elevator != Elevator.NOOP:
        g24e.charge_merge(queue, target, bio)


@kernel
def charge_run(queue, request, bio, buffers):
    """Charge for `buffers` back merges like that of `bio`, one after the other, onto `request`.

    False, and nobody is charged, if the scans might end otherwise than by merging: at a barrier, or at
    a request out of reach.
    """
    place = order.place_of(queue, request)
    if queue.elevator == Elevator.G25A:
        if queue.last_merge != request:
            return False
    else:
        end = reach(queue)
        if end == NONE or place < end:
            return False
        scanned = queue.elevator != Elevator.NOOP
        if queue.elevator == Elevator.G24E and not order.all_have(
            queue, place, buffers * (1 + bio.nr_sectors) + bio.nr_sectors
        ):
            return False
        if scanned:
            order.charge_from(queue, place, buffers)
    if queue.elevator != Elevator.NOOP:
        order.charge_from(queue, order.next_place(queue, place), buffers * bio.nr_sectors)
    return True
