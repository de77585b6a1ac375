"""The request queue of one device: submit, merge, plug, take, complete (SPEC 2)."""

import numpy as np

from engine.core import elevators, lookup, measures, order, request_pool
from engine.core.elevators import g25b
from engine.core.elevators.scan import reach
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.kinds import Elevator, Outcome, Verdict
from engine.core.limits import REQUEST_LIMIT
from engine.core.records import NONE, SECTOR_BYTES


@kernel
def reset(queue):
    """An empty, unplugged queue; its settings stay."""
    order.clear(queue)
    lookup.clear(queue)
    queue.plugged = False
    queue.last_merge = NONE
    queue.in_service = NONE
    queue.clock = 0
    queue.total_segments = 0
    queue.queued_reads = 0
    queue.oldest_read = NONE
    queue.newest_read = NONE
    queue.last_sector = 0
    queue.starved = 0
    queue.serial = 0
    queue.free_head = 0
    for request in range(REQUEST_LIMIT):
        queue.requests[request].next_same_start = request + 1


@spliced_kernel
def submit(state, bio, thread):
    """Merge `bio` into a queued request, or make a request of it; returns the Outcome.

    An empty queue is plugged first. If neither `bio` holds a slot nor one is free the submitter has to
    sleep, which unplugs the queue. By then the scan has happened and charged.
    """
    queue, pool = state.queue, state.pool
    verdict, place = Verdict.NEW, NONE
    queue.kept = NONE
    queue.gone = NONE
    if queue.length == 0:
        queue.plugged = True
    elif bio.holds_slot and queue.inserts_after_sleep:
        place = order.last_place(queue)
    else:
        verdict, place = elevators.scan(queue, bio)
        if verdict == Verdict.BACK:
            if _merge_back(state, place, bio):
                return _merged(state, bio)
        elif verdict == Verdict.FRONT:
            if _merge_front(state, place, bio):
                return _merged(state, bio)
            place = order.previous_place(queue, place)
    if not bio.holds_slot:
        if not request_pool.take(pool, direction_of(bio.is_write)):
            if request_pool.sleeps(pool):
                unplug(queue)
            return Outcome.NO_SLOT
        bio.slot = pool.slot
    _queue_new(state, verdict, place, bio, thread)
    return Outcome.QUEUED


@kernel
def extend(state, bio):
    """Merge some of the `bio.run` buffers that follow `bio` all at once; returns how many.

    They lie right behind `bio` on the disk, are as large, and none touches another in memory. Submitted
    one by one each would find the request that `bio` went into and be merged at its back: that is
    certain, and summed up here, as long as no other request touches that stretch, size and segments
    allow it and nothing stops the scans.
    """
    queue = state.queue
    entry = queue.requests[queue.touched]
    follows = entry.sector + entry.nr_sectors == bio.sector + bio.nr_sectors
    if not follows or not entry.mergeable or bio.run == 0:
        return 0
    room = (queue.max_sectors - entry.nr_sectors) // bio.nr_sectors
    buffers = min(bio.run, room, queue.max_segments - entry.segments)
    free = lookup.free_behind(queue, queue.touched, buffers * bio.nr_sectors)
    buffers = min(buffers, free // bio.nr_sectors)
    if buffers <= 0 or not elevators.charge_run(queue, queue.touched, bio, buffers):
        return 0
    lookup.drop_end(queue, queue.touched)
    entry.nr_sectors += buffers * bio.nr_sectors
    entry.segments += buffers
    entry.memory_end = NONE  # touches nothing
    lookup.add_end(queue, queue.touched)
    queue.total_segments += buffers
    request_pool.note_queued(state.pool, buffers * bio.nr_sectors)
    state.measures.buffers += buffers
    state.measures.merges += buffers
    return buffers


@inline_kernel
def direction_of(is_write):
    """0 for a read, 1 for a write."""
    return 1 if is_write else 0


@inline_kernel
def unplug(queue):
    """Let the driver see the queue."""
    queue.plugged = False


@inline_kernel
def take(state, release_slot):
    """The driver asks for a request; NONE while plugged, empty or, head_active, already busy.

    A head_active driver leaves the request queued as the busy head. Any other takes it off, and gives
    its slot back at once if `release_slot`.
    """
    queue = state.queue
    if queue.plugged or queue.length == 0 or queue.in_service != NONE:
        return NONE
    if queue.elevator == Elevator.G25B:
        g25b.prepare_next(queue, state.machine.now_ns)
    request = order.request_at(queue, 0)
    entry = queue.requests[request]
    queue.last_sector = entry.sector + entry.nr_sectors
    state.measures.expired += elevators.has_expired(queue, 0)
    _forget(queue, request)
    entry.started = True
    entry.dispatch_ns = state.machine.now_ns
    if queue.head_active:
        queue.in_service = request
    else:
        measures.note_length(state)
        order.remove(queue, request)
        elevators.note_gone(queue, request)
        if release_slot:
            request_pool.release(
                state.pool, state.scheduler, direction_of(entry.is_write), np.int64(entry.slot)
            )
    return request


@spliced_kernel
def complete(state, request, release_slot):
    """The device is done with `request`: it leaves for good, and its slot goes back if `release_slot`."""
    queue, entry = state.queue, state.queue.requests[request]
    request_pool.note_transferred(state.pool, state.scheduler, entry.nr_sectors)
    if queue.head_active:
        queue.in_service = NONE
        measures.note_length(state)
        order.remove(queue, request)
        elevators.note_gone(queue, request)
    _free(queue, request)
    if release_slot:
        request_pool.release(
            state.pool, state.scheduler, direction_of(entry.is_write), np.int64(entry.slot)
        )


@kernel
def _merged(state, bio):
    """Book a merge; a slot slept for in vain goes back."""
    state.measures.merges += 1
    request_pool.note_queued(state.pool, bio.nr_sectors)
    if bio.holds_slot:
        request_pool.release(state.pool, state.scheduler, direction_of(bio.is_write), bio.slot)
    return Outcome.MERGED


@inline_kernel
def _queue_new(state, verdict, place, bio, thread):
    """A request that holds nothing but `bio`; `verdict` and `place` are the scan's."""
    queue = state.queue
    request = queue.free_head
    entry = queue.requests[request]
    queue.touched = request
    queue.free_head = entry.next_same_start
    queue.serial += 1
    entry.serial = queue.serial
    entry.sector = bio.sector
    entry.nr_sectors = bio.nr_sectors
    entry.memory_start = bio.memory
    entry.memory_end = bio.memory + bio.nr_sectors * SECTOR_BYTES
    entry.segments = 1
    entry.minor = bio.minor
    entry.is_write = bio.is_write
    entry.mergeable = True
    entry.started = False
    entry.owner = thread
    entry.slot = bio.slot
    entry.dispatched = False
    entry.arrival_ns = state.machine.now_ns
    entry.waiting_ahead = queue.length
    place, sequence = elevators.place_new(queue, bio, verdict, place)
    measures.note_length(state)
    order.insert_after(queue, place, request, sequence)
    if queue.elevator == Elevator.G25B:
        g25b.added(queue, request, verdict)
    request_pool.note_queued(state.pool, bio.nr_sectors)
    lookup.add_start(queue, request)
    lookup.add_end(queue, request)
    if queue.last_merge == NONE:
        queue.last_merge = request


@inline_kernel
def _merge_back(state, place, bio):
    """Append `bio` to the request at `place` and join that with its successor; False if it is full."""
    queue = state.queue
    request = order.request_at(queue, place)
    entry = queue.requests[request]
    touches = entry.memory_end == bio.memory
    if not _has_room(queue, request, bio, touches):
        return False
    lookup.drop_end(queue, request)
    entry.nr_sectors += bio.nr_sectors
    entry.memory_end = bio.memory + bio.nr_sectors * SECTOR_BYTES
    if not touches:
        entry.segments += 1
        queue.total_segments += 1
    queue.touched = request
    lookup.add_end(queue, request)
    elevators.charge_merge(queue, Verdict.BACK, place, bio)
    following = order.next_place(queue, place)
    if following != NONE:
        _join_if_contiguous(state, place, following)
    return True


@inline_kernel
def _merge_front(state, place, bio):
    """Prepend `bio` to the request at `place` and join that with its predecessor; False if it is full."""
    queue = state.queue
    request = order.request_at(queue, place)
    entry = queue.requests[request]
    touches = entry.memory_start == bio.memory + bio.nr_sectors * SECTOR_BYTES
    if not _has_room(queue, request, bio, touches):
        return False
    lookup.drop_start(queue, request)
    entry.sector = bio.sector
    entry.nr_sectors += bio.nr_sectors
    entry.memory_start = bio.memory
    if not touches:
        entry.segments += 1
        queue.total_segments += 1
    queue.touched = request
    lookup.add_start(queue, request)
    order.change_sector(queue, place, bio.sector)
    elevators.charge_merge(queue, Verdict.FRONT, place, bio)
    if queue.elevator in (Elevator.G20, Elevator.G22A):
        return True  # they look behind a request only
    if place > reach(queue):  # else the one before is the driver's, or there is none
        _join_if_contiguous(state, order.previous_place(queue, place), place)
    return True


@kernel
def _has_room(queue, request, bio, touches):
    """Whether size and segments let the request grow; 2.5 closes one that can't for ever."""
    entry = queue.requests[request]
    full = entry.nr_sectors + bio.nr_sectors > queue.max_sectors or (
        not touches and entry.segments >= elevators.segment_limit(queue, bio.is_write)
    )
    if full and queue.elevator >= Elevator.G25A:
        _forget(queue, request)
        queue.last_merge = NONE
    return not full


@kernel
def _join_if_contiguous(state, place, following):
    """Let the request at `place` absorb its successor if they touch and fit (SPEC 2.2)."""
    queue = state.queue
    kept, gone = order.request_at(queue, place), order.request_at(queue, following)
    first, second = queue.requests[kept], queue.requests[gone]
    touches = first.memory_end == second.memory_start
    segments = first.segments + second.segments - touches
    if (
        first.sector + first.nr_sectors != second.sector
        or first.is_write != second.is_write
        or first.minor != second.minor
        or first.nr_sectors + second.nr_sectors > queue.max_sectors
        or segments > elevators.segment_limit(queue, first.is_write)
        or first.dispatched != second.dispatched
        or not first.mergeable
        or not second.mergeable
    ):
        return
    queue.kept = kept
    queue.gone = gone
    sequence = order.sequence_at(queue, place)
    if queue.elevator != Elevator.G24D:  # there the survivor keeps its own
        sequence = min(sequence, order.sequence_at(queue, following))
    elevators.note_join(queue, kept, gone)
    queue.total_segments -= touches
    _forget(queue, gone)
    lookup.drop_end(queue, kept)
    first.nr_sectors += second.nr_sectors
    first.memory_end = second.memory_end
    first.segments = segments
    lookup.add_end(queue, kept)
    order.change_sequence(queue, place, sequence)
    measures.note_length(state)
    measures.note_join(state, gone)
    order.remove(queue, gone)
    _free(queue, gone)
    request_pool.release(
        state.pool, state.scheduler, direction_of(second.is_write), np.int64(second.slot)
    )


@kernel
def _forget(queue, request):
    """Nothing merges with `request` any more."""
    entry = queue.requests[request]
    if entry.mergeable:
        lookup.drop_start(queue, request)
        lookup.drop_end(queue, request)
        entry.mergeable = False
    if queue.last_merge == request:
        queue.last_merge = NONE


@inline_kernel
def _free(queue, request):
    """Put an unused request back on the free list."""
    queue.requests[request].next_same_start = queue.free_head
    queue.free_head = request
