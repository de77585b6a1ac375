"""G25A: elevator_linus of Linux 2.5.2 ... 2.5.30 (SPEC 3.15).

The request merged last is tried first, at no charge. Else the scan is G24E's, with three changes: a
request with too few passovers stops it whatever its direction, the buffer's device counts for merging
only, and size is looked at when merging: a request that was once too full never merges again.
"""

from engine.core import order
from engine.core.elevators.scan import charge_front_target, find_barrier, find_target, reach
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE

ANY_SIZE = 2**40


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`: the target of a merge, or the request to queue behind."""
    hint = queue.last_merge
    if hint != NONE:
        verdict = touches(queue.requests[hint], bio)
        if verdict != Verdict.NEW:
            return verdict, order.place_of(queue, hint)
    end = reach(queue)
    if end == NONE:
        return Verdict.NEW, order.last_place(queue)
    verdict, target = find_target(queue, bio, ANY_SIZE, end)
    barrier = find_barrier(queue, bio, max(end, target), True)
    if barrier == NONE and verdict != Verdict.NEW:
        order.charge_from(queue, target, 1)
        charge_front_target(queue, verdict, target, bio.nr_sectors)
        queue.last_merge = order.request_at(queue, target)
        return verdict, target
    gap = order.find_gap(queue, NONE, bio.sector, end if barrier == NONE else barrier + 1)
    order.charge_from(queue, end if barrier == NONE else barrier, 1)
    return Verdict.NEW, gap if gap != NONE else order.last_place(queue)


@kernel
def touches(entry, bio):
    """Where `bio` meets the request, by direction, device and sector."""
    if entry.is_write != bio.is_write or entry.minor != bio.minor:
        return Verdict.NEW
    if entry.sector + entry.nr_sectors == bio.sector:
        return Verdict.BACK
    return Verdict.FRONT if bio.sector + bio.nr_sectors == entry.sector else Verdict.NEW
