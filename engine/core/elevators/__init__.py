"""Elevators: how a request queue scans, charges and places. One family a file; this is the table."""

from engine.core import order
from engine.core.elevators import (
    g20_g22a,
    g22bc,
    g22d,
    g24a_g24c,
    g24b_g24d,
    g24e,
    g24f,
    g24g_to_l,
    g25a,
    g25b,
    noop,
)
from engine.core.elevators.scan import reach
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Elevator, Verdict
from engine.core.records import NONE

FAMILIES = {
    Elevator.NOOP: noop,
    Elevator.G20: g20_g22a,
    Elevator.G22A: g20_g22a,
    Elevator.G22B: g22bc,
    Elevator.G22D: g22d,
    Elevator.G24A: g24a_g24c,
    Elevator.G24B: g24b_g24d,
    Elevator.G24C: g24a_g24c,
    Elevator.G24D: g24b_g24d,
    Elevator.G24E: g24e,
    Elevator.G24F: g24f,
    Elevator.G24G: g24g_to_l,
    Elevator.G24H: g24g_to_l,
    Elevator.G24I: g24g_to_l,
    Elevator.G24J: g24g_to_l,
    Elevator.G25A: g25a,
    Elevator.G25B: g25b,
}
ELEVATORS = {name.lower(): member for name, member in Elevator.__members__.items()}


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
    elevator = queue.elevator
    if elevator == Elevator.G24E:
        return g24e.scan(queue, bio)
    if elevator == Elevator.G24F:
        return g24f.scan(queue, bio)
    if elevator == Elevator.G25A:
        return g25a.scan(queue, bio)
    if elevator == Elevator.G25B:
        return g25b.scan(queue, bio)
    if elevator >= Elevator.G24G:
        return g24g_to_l.scan(queue, bio)
    if elevator == Elevator.NOOP:
        return noop.scan(queue, bio)
    if elevator in (Elevator.G24A, Elevator.G24C):
        return g24a_g24c.scan(queue, bio)
    if elevator >= Elevator.G24B:
        return g24b_g24d.scan(queue, bio)
    if elevator == Elevator.G22D:
        return g22d.scan(queue, bio)
    if elevator == Elevator.G22B:
        return g22bc.scan(queue, bio)
    return g20_g22a.scan(queue, bio)


@inline_kernel
def charge_merge(queue, verdict, target, bio):
    """The request at place `target` has grown by `bio`: the others pay, if they did not in the scan."""
    elevator = queue.elevator
    if elevator in (Elevator.G24E, Elevator.G24F, Elevator.G25A):
        g24e.charge_merge(queue, target, bio)
    elif elevator == Elevator.G25B:
        g25b.charge_merge(queue, target)
    elif elevator == Elevator.G24A:
        g24a_g24c.charge_merge(queue, verdict, target)
    elif elevator == Elevator.G22B:
        g22bc.charge_merge(queue, verdict, target)
    elif elevator == Elevator.G22D:
        g22d.charge_merge(queue, verdict, target)


@kernel
def place_new(queue, bio, verdict, place):
    """Place behind which a new request queues, and its passovers.

    `verdict` and `place` are the scan's; after a refused merge the place is such that the request queues
    next to its target. Most elevators follow them, the early ones look for a place of their own.
    """
    elevator = queue.elevator
    latency = queue.write_latency if bio.is_write else queue.read_latency
    if elevator == Elevator.NOOP or elevator >= Elevator.G24E:
        return place, latency
    if elevator in (Elevator.G24A, Elevator.G24C):
        return g24a_g24c.place_new(queue, bio)
    if elevator in (Elevator.G24B, Elevator.G24D):
        if elevator == Elevator.G24B:
            g24a_g24c.count_new(queue, bio)  # for show: nobody looks
        return place if verdict != Verdict.NEW else g24b_g24d.place_new(queue, bio), latency
    if elevator == Elevator.G22B:
        return g22bc.place_new(queue, bio)
    if elevator == Elevator.G22D:
        return g22d.place_new(queue, bio), latency
    return g20_g22a.place_new(queue, bio), latency


@inline_kernel
def segment_limit(queue, is_write):
    """Segments a request may get by merging; some elevators keep writes short while reads wait."""
    elevator = queue.elevator
    bombs = elevator == Elevator.G24C
    if elevator == Elevator.G24A:
        bombs = queue.queued_reads > 0
    elif elevator == Elevator.G22B:
        bombs = g22bc.reads_wait(queue)
    return queue.max_bomb_segments if is_write and bombs else queue.max_segments


@inline_kernel
def note_join(queue, kept, gone):
    """`gone` is about to be absorbed by `kept`; they still are two."""
    if queue.elevator == Elevator.G25B:
        g25b.joined(queue, kept, gone)
    elif queue.elevator != Elevator.G24D:
        queue.queued_reads -= not queue.requests[gone].is_write


@inline_kernel
def note_gone(queue, request):
    """`request` leaves the queue: the driver took it off or is done with it."""
    if queue.elevator in (Elevator.G24A, Elevator.G24C):
        queue.total_segments -= queue.requests[request].segments
        queue.queued_reads -= not queue.requests[request].is_write


@inline_kernel
def has_expired(queue, place):
    """Whether nobody may overtake the request at `place` any more."""
    if queue.elevator in (Elevator.G24A, Elevator.G24C):
        return order.sequence_at(queue, place) < queue.clock
    ages = queue.elevator > Elevator.G22A and queue.elevator != Elevator.G25B
    return ages and order.sequence_at(queue, place) <= 0


@kernel
def charge_run(queue, request, bio, buffers):
    """Charge for `buffers` back merges like that of `bio`, one after the other, onto `request`.

    False, and nobody is charged, if the scans might end otherwise than by merging: at a barrier, or at
    a request out of reach. Elevators that count segments always say so.
    """
    elevator = queue.elevator
    place = order.place_of(queue, request)
    scanned_from = place
    scan_cost, merge_cost, needed = 0, 0, 0
    if elevator >= Elevator.G25A:
        if queue.last_merge != request:
            return False
        merge_cost = bio.nr_sectors if elevator == Elevator.G25A else 0
    else:
        end = reach(queue)
        if end == NONE or place < end:
            return False
        if elevator in (Elevator.G24E, Elevator.G24F):
            scan_cost, merge_cost = 1, bio.nr_sectors
            needed = buffers * (1 + merge_cost) + merge_cost if elevator == Elevator.G24E else 0
        elif elevator == Elevator.G24H:
            scan_cost, merge_cost = 1, 1
        elif elevator >= Elevator.G24G or elevator in (Elevator.G24B, Elevator.G24D):
            merge_cost, needed = 1, buffers
        elif elevator == Elevator.G22D:
            merge_cost, needed, scanned_from = 1, buffers, end
        elif elevator > Elevator.G22A:
            return False
    if needed > 0 and not order.all_have(queue, scanned_from, needed):
        return False
    if scan_cost > 0:
        order.charge_from(queue, place, scan_cost * buffers)
    if merge_cost > 0:
        order.charge_from(queue, order.next_place(queue, place), merge_cost * buffers)
    return True
