"""G24F: read-latency (2.4.18-pre1, rmap) and read-latency2 (2.4.19-pre5, -ac) (SPEC 3.10).

As G24E, with two changes. What stops that scan here only ends the search for a gap: merging goes on to
the head. And a new read waits behind `max_bomb_segments` units of writes at most.
"""

from engine.core import order
from engine.core.elevators.g24e import find_gap_behind_barrier
from engine.core.elevators.scan import charge_front_target, find_barrier, find_target, reach
from engine.core.jit import kernel
from engine.core.kinds import Verdict
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE

UNIT_SECTORS = 64  # a write counts 1 unit, and one more for every 64 sectors


@kernel
def scan(queue, bio):
    """Verdict and place for `bio`: the target of a merge, or the request to queue behind."""
    end = reach(queue)
    if end == NONE:
        return Verdict.NEW, order.last_place(queue)
    verdict, target = find_target(queue, bio, queue.max_sectors, end)
    if verdict != Verdict.NEW:
        order.charge_from(queue, target, 1)
        charge_front_target(queue, verdict, target, bio.nr_sectors)
        return verdict, target
    barrier = find_barrier(queue, bio, end, False)
    gap = find_gap_behind_barrier(queue, bio, end, barrier)
    order.charge_from(queue, end, 1)
    place = gap if gap != NONE else order.last_place(queue)
    return Verdict.NEW, place if bio.is_write else behind_bomb(queue, end, place)


@kernel
def behind_bomb(queue, first_place, place):
    """The write with which the writes up to `place` reach the bomb's size, else `place` (0: no bomb)."""
    if queue.max_bomb_segments == 0:
        return place
    units = 0
    for position in range(first_place // BLOCK_SLOTS, place // BLOCK_SLOTS + 1):
        if queue.writes[position] == 0:
            continue
        block = queue.blocks[queue.block_at[position]]
        for slot in range(block.count):
            here = position * BLOCK_SLOTS + slot
            entry = queue.requests[block.request[slot]]
            if entry.is_write and first_place <= here <= place:
                units += 1 + entry.nr_sectors // UNIT_SECTORS
                if units >= queue.max_bomb_segments:
                    return here
    return place
