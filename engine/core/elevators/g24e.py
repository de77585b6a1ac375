"""G24E: elevator_linus of Linux 2.4.2 ... 2.4.19 (SPEC 3.9).

From the tail towards the head every request the scan meets pays one passover, wherever the buffer ends
up. A request with none left, or with fewer than a mergeable buffer has sectors, stops the scan. A merge
is paid for, in sectors, by everybody behind it.
"""

from engine.core import order
from engine.core.elevators.scan import charge_front_target, find_barrier, find_target, reach
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.records import NONE


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`: the target of a merge, or the request to queue behind."""
    end = reach(queue)
    if end == NONE:
        return Verdict.NEW, order.last_place(queue)
    verdict, target = find_target(queue, bio, queue.max_sectors, end)
    barrier = find_barrier(queue, bio, max(end, target), False)
    if barrier != NONE:
        end = barrier
    elif verdict != Verdict.NEW:
        order.charge_from(queue, target, 1)
        charge_front_target(queue, verdict, target, bio.nr_sectors)
        return verdict, target
    gap = find_gap_behind_barrier(queue, bio, end, barrier)
    order.charge_from(queue, end, 1)
    return Verdict.NEW, gap if gap != NONE else order.last_place(queue)


@kernel
def find_gap_behind_barrier(queue, bio, end, barrier):
    """Where `bio` lies in between; behind an expired barrier itself only if others lie there, too."""
    if barrier != NONE:
        end = barrier + 1 if order.sequence_at(queue, barrier) <= 0 else barrier
    return order.find_gap(queue, bio.minor, bio.sector, end)


@kernel
def charge_merge(queue, target, bio):
    """Everybody behind a merged request pays the sectors that overtook him."""
    order.charge_from(queue, order.next_place(queue, target), bio.nr_sectors)
