"""Drivers: how requests get from the queue to the device (SPEC 8).

IDE has one command outstanding, and its request stays queued as the busy head. SCSI copies the request
and, up to 2.5.7 at least, gives its slot back when it is dispatched; the device holds up to `queue_depth`
commands. It is a disk or several with RAID-0: each command is cut into parts at the stripes, and each disk
picks the next of its parts to serve itself.
"""

from engine.core import calendar, request_queue
from engine.core.devices import expected_positioning_ns, serve
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.kinds import DriveOrder, Driver, Event
from engine.core.limits import PART_LIMIT, PARTS_PER_REQUEST
from engine.core.records import NONE


@kernel
def dispatch(state, tables):
    """Hand the device what it can take from the queue."""
    machine = state.machine
    room = 1 if machine.driver == Driver.IDE else machine.queue_depth
    while machine.held < room and machine.nr_parts <= PART_LIMIT - PARTS_PER_REQUEST:
        request = request_queue.take(state, machine.release_at_dispatch)
        if request == NONE:
            break
        machine.in_drive[machine.held] = request
        machine.held += 1
        _cut(state, request)
    for disk in range(machine.disks):
        if machine.served[disk] == NONE:
            _serve_next(state, tables, disk)


@spliced_kernel
def finish(state, disk):
    """A disk is done with a part. Returns the request that this completes, whose record stays
    readable, or NONE."""
    machine = state.machine
    served = machine.served[disk]
    request = machine.parts[served].request
    machine.served[disk] = NONE
    _remove_part(machine, served)
    state.queue.requests[request].parts -= 1
    if state.queue.requests[request].parts > 0:
        return NONE
    slot = 0
    while machine.in_drive[slot] != request:
        slot += 1
    machine.held -= 1
    for after in range(slot, machine.held):
        machine.in_drive[after] = machine.in_drive[after + 1]
    request_queue.complete(state, request, not machine.release_at_dispatch)
    return request


@inline_kernel
def _cut(state, request):
    """Parts of a request, each within one stripe."""
    machine, entry = state.machine, state.queue.requests[request]
    entry.parts = 0
    sector, left = entry.sector, entry.nr_sectors
    while left > 0:
        stripe, offset = sector // machine.stripe_sectors, sector % machine.stripe_sectors
        part = machine.parts[machine.nr_parts]
        part.request = request
        part.disk = stripe % machine.disks
        part.sector = stripe // machine.disks * machine.stripe_sectors + offset
        part.nr_sectors = min(left, machine.stripe_sectors - offset)
        machine.nr_parts += 1
        entry.parts += 1
        sector += part.nr_sectors
        left -= part.nr_sectors


@inline_kernel
def _remove_part(machine, number):
    machine.nr_parts -= 1
    for after in range(number, machine.nr_parts):
        part, following = machine.parts[after], machine.parts[after + 1]
        part.request = following.request
        part.disk = following.disk
        part.sector = following.sector
        part.nr_sectors = following.nr_sectors
    for disk in range(machine.disks):
        if machine.served[disk] > number:
            machine.served[disk] -= 1


@inline_kernel
def _serve_next(state, tables, disk):
    """Let a disk begin with the part its order puts first, if it has any."""
    machine = state.machine
    number = _choose(state, tables, disk)
    if number == NONE:
        return
    machine.served[disk] = number
    part = machine.parts[number]
    machine.drive_sector[disk] = part.sector
    request = state.queue.requests[part.request]
    done_ns = serve(
        state.disks[disk],
        tables,
        machine.now_ns,
        request.dispatch_ns,
        part.sector,
        part.nr_sectors,
        request.is_write,
    )
    calendar.schedule(machine, done_ns, Event.COMPLETION, disk)


@inline_kernel
def _choose(state, tables, disk):
    """The oldest of a disk's parts, or NONE. But for FCFS, while it is not too old, the nearest: in the
    way of the sweep (C-LOOK), or by the time to get there (SPTF).
    """
    machine = state.machine
    best, best_distance = NONE, 0
    for number in range(machine.nr_parts):
        if machine.parts[number].disk != disk:
            continue
        if best == NONE and (machine.drive_order == DriveOrder.FCFS or _is_old(state, number)):
            return number
        distance = _distance(state, tables, number, disk)
        if best == NONE or distance < best_distance:
            best, best_distance = number, distance
    return best


@inline_kernel
def _is_old(state, number):
    machine = state.machine
    request = state.queue.requests[machine.parts[number].request]
    return machine.now_ns - request.dispatch_ns > machine.drive_age_ns


@inline_kernel
def _distance(state, tables, number, disk):
    """From the head to a part: sectors ahead of it, once round the disk, or time in ns."""
    machine, device = state.machine, state.disks[disk]
    part = machine.parts[number]
    if machine.drive_order == DriveOrder.SPTF:
        request = state.queue.requests[part.request]
        return expected_positioning_ns(
            device, tables, machine.now_ns, request.dispatch_ns, part.sector, request.is_write
        )
    distance = part.sector - machine.drive_sector[disk]
    return distance if distance >= 0 else distance + device.capacity_sectors
