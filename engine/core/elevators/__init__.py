"""Elevators: how a request queue scans, charges and places. One family a file; this is the table."""

from engine.core.elevators import g24e, g24f, g25a, noop
from engine.core.jit import kernel
from engine.core.records import Elevator

FAMILIES = {Elevator.NOOP: noop, Elevator.G24E: g24e, Elevator.G24F: g24f, Elevator.G25A: g25a}
ELEVATORS = {member.name.lower(): member for member in FAMILIES}


def descriptions() -> dict[str, str]:
    """Name and first sentence of each elevator."""
    return {name: FAMILIES[code].__doc__.splitlines()[0] for name, code in ELEVATORS.items()}


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
