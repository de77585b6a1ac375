"""G20 and G22A: Linux 2.0.38 ... 2.0.40 and 2.2.0 ... 2.2.15, one sweep and no ageing (SPEC 3.1, 3.2).

From the head the first request that a buffer touches and that has a segment left takes it. Else the
buffer goes to the first place in the sweep. Only a back merge makes two requests join.
"""

from engine.core.elevators.scan import reach
from engine.core.elevators.sweep import find_first_gap, first_element, first_target
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`; the place of a new request is left to `place_new`."""
    first = reach(queue)
    if first == NONE:
        return Verdict.NEW, NONE
    return first_target(queue, bio, queue.max_sectors, queue.max_segments, first, first)


@kernel
def place_new(queue, bio):
    """The first place in the sweep, from the very first element on."""
    return NONE if queue.length == 0 else find_first_gap(queue, bio, first_element(queue))
