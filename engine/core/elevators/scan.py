"""What the scans of the Linus family share: barriers, reach and charges."""

from engine.core import lookup, order
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.queue_records import BLOCK_SLOTS
from engine.core.records import NONE


@inline_kernel
def reach(queue):
    """Place nearest the head a scan may look at; NONE if there is none. The queue is not empty.

    2.2 and 2.5: what the driver serves is out of bounds. 2.0 and 2.4: with `head_active` and the queue
    unplugged the first request is, whether or not it is being served (SPEC 2.3).
    """
    if queue.elevator >= Elevator.G25A or Elevator.G22A <= queue.elevator <= Elevator.G22D:
        busy = queue.in_service != NONE
    else:
        busy = queue.head_active and not queue.plugged
    return order.next_place(queue, 0 if busy else NONE)


@kernel
def find_target(queue, bio, most_sectors, end_place):
    """The request nearest the tail that `bio` touches: its verdict and place."""
    back = lookup.find_back(queue, bio, most_sectors, end_place)
    front = lookup.find_front(queue, bio, most_sectors, end_place)
    if back == NONE and front == NONE:
        return Verdict.NEW, NONE
    return (Verdict.BACK, back) if back > front else (Verdict.FRONT, front)


@kernel
def find_barrier(queue, bio, end_place, whatever_request):
    """Place nearest the tail where a scan that charges 1 a request may not go on.

    That is an expired request, or one `bio` could merge with by direction, device and size (or
    `whatever_request`) that, once charged, has fewer passovers left than `bio` has sectors. NONE if
    there is none down to `end_place`.
    """
    end_position = end_place // BLOCK_SLOTS
    position = order.position_at_most(queue, bio.nr_sectors, queue.nr_blocks - 1)
    while position >= end_position:
        block = queue.blocks[queue.block_at[position]]
        charged = queue.charged[position]
        for slot in range(block.count - 1, -1, -1):
            place = position * BLOCK_SLOTS + slot
            if place < end_place:
                return NONE
            left = block.sequence[slot] - charged
            if left <= 0:
                return place
            if left <= bio.nr_sectors and (
                whatever_request
                or lookup.suits(queue.requests[block.request[slot]], bio, queue.max_sectors)
            ):
                return place
        position = order.position_at_most(queue, bio.nr_sectors, position - 1)
    return NONE


@kernel
def find_at_most(queue, limit, end_place):
    """Place nearest the tail, `end_place` at the furthest, with `limit` passovers left or fewer."""
    position = order.position_at_most(queue, limit, queue.nr_blocks - 1)
    if position < end_place // BLOCK_SLOTS:
        return NONE
    block = queue.blocks[queue.block_at[position]]
    slot = block.count - 1
    while block.sequence[slot] - queue.charged[position] > limit:
        slot -= 1
    place = position * BLOCK_SLOTS + slot
    return place if place >= end_place else NONE


@kernel
def find_zero(queue, bio, end_place, whatever_request):
    """Place nearest the tail, `end_place` at the furthest, with exactly 0 passovers left.

    Only one with which `bio` may merge by direction, device and size, if not `whatever_request`. Opens
    every block in which somebody has 0 or fewer: many below zero make this a walk.
    """
    end_position = end_place // BLOCK_SLOTS
    position = order.position_at_most(queue, 0, queue.nr_blocks - 1)
    while position >= end_position:
        block = queue.blocks[queue.block_at[position]]
        for slot in range(block.count - 1, -1, -1):
            if block.sequence[slot] == queue.charged[position] and (
                whatever_request
                or lookup.suits(queue.requests[block.request[slot]], bio, queue.max_sectors)
            ):
                place = position * BLOCK_SLOTS + slot
                return place if place >= end_place else NONE
        position = order.position_at_most(queue, 0, position - 1)
    return NONE


@inline_kernel
def charge_front_target(queue, verdict, place, passovers):
    """A front merge overtakes its own target, which pays for it."""
    if verdict == Verdict.FRONT:
        order.change_sequence(queue, place, order.sequence_at(queue, place) - passovers)
