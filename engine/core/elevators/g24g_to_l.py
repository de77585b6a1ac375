"""G24G ... G24L: the elevators of Linux 2.4.20, 2.4.21 and 2.4.22 (SPEC 3.11-3.14).

Being scanned costs nothing. Being overtaken costs 1 by a merge and 16, in 2.4.22 1, by an insertion at a
place in between; the requests behind the target or that place pay when the scan is made, whatever
comes of it. An expired request ends the scan; from 2.4.21 on it may still be merged at its back.

G24H is read-latency2 ported to 2.4.20: it pays and places as G24G, scans as G24F, and keeps a read behind
few writes, but not if the scan has passed another read of its device.
"""

from engine.core import order
from engine.core.elevators.g24f import behind_bomb
from engine.core.elevators.scan import charge_front_target, find_at_most, find_target, reach
from engine.core.jit import kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE

MERGE_COST = 1
INSERTION_COST = 16
INSERTION_COST_2422 = 1


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`: the target of a merge, or the request to queue behind."""
    end = reach(queue)
    if end == NONE:
        return Verdict.NEW, order.last_place(queue)
    verdict, target = find_target(queue, bio, queue.max_sectors, end)
    barrier = find_at_most(queue, 0, end)
    if queue.elevator == Elevator.G24H:
        order.charge_from(queue, target if verdict != Verdict.NEW else end, 1)
    elif target < barrier or (target == barrier and not _may_merge_at_barrier(queue, verdict)):
        verdict = Verdict.NEW
    if verdict != Verdict.NEW:
        charge_front_target(queue, verdict, target, MERGE_COST)
        order.charge_from(queue, order.next_place(queue, target), MERGE_COST)
        return verdict, target
    gap = order.find_gap(queue, bio.minor, bio.sector, end if barrier == NONE else barrier + 1)
    place = order.last_place(queue)
    if gap != NONE:
        cost = INSERTION_COST_2422 if queue.elevator == Elevator.G24J else INSERTION_COST
        order.charge_from(queue, order.next_place(queue, gap), cost)
        place = gap
    if queue.elevator == Elevator.G24H and not bio.is_write:
        place = place if _has_read(queue, bio.minor, end) else behind_bomb(queue, end, place)
    return Verdict.NEW, place


@kernel
def _may_merge_at_barrier(queue, verdict):
    return verdict == Verdict.BACK and queue.elevator >= Elevator.G24I


@kernel
def _has_read(queue, minor, end_place):
    """Whether a read of `minor` is queued within reach; opens only blocks that hold reads."""
    for position in range(queue.nr_blocks - 1, end_place // BLOCK_SLOTS - 1, -1):
        block = queue.blocks[queue.block_at[position]]
        if queue.writes[position] == block.count:
            continue
        for slot in range(block.count - 1, -1, -1):
            entry = queue.requests[block.request[slot]]
            if not entry.is_write and entry.minor == minor:
                return position * BLOCK_SLOTS + slot >= end_place
    return False
