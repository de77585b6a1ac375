"""noop: merge with whatever touches, else queue at the tail; nobody ages."""

from engine.core import order
from engine.core.elevators.scan import find_target, reach
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`."""
    end = reach(queue)
    if end != NONE:
        verdict, place = find_target(queue, bio, queue.max_sectors, end)
        if verdict != Verdict.NEW:
            return verdict, place
    return Verdict.NEW, order.last_place(queue)
