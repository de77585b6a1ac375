"""Drivers: how requests get from the queue of a block device to its disks (SPEC 8).

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
    """Hand each block device what it can take from its queue."""
    for number in range(state.machine.nr_block_devices):
        dispatch_one(state, state.block_devices[number], tables)


@inline_kernel
def dispatch_one(state, block_device, tables):
    """Hand a block device what it can take from its queue."""
    room = 1 if block_device.driver == Driver.IDE else block_device.queue_depth
    while block_device.held < room and block_device.nr_parts <= PART_LIMIT - PARTS_PER_REQUEST:
        request = request_queue.take(state, block_device, block_device.release_at_dispatch)
        if request == NONE:
            break
        block_device.in_drive[block_device.held] = request
        block_device.held += 1
        _cut(block_device, request)
    for disk in range(block_device.nr_disks):
        if block_device.served[disk] == NONE:
            _serve_next(state.machine, block_device, tables, disk)


@spliced_kernel
def finish(state, block_device, disk):
    """A disk of a block device is done with a part. Returns the request that this completes, whose
    record stays readable, or NONE."""
    served = block_device.served[disk]
    request = block_device.parts[served].request
    block_device.served[disk] = NONE
    _remove_part(block_device, served)
    entry = block_device.queue.requests[request]
    entry.parts -= 1
    if entry.parts > 0:
        return NONE
    slot = 0
    while block_device.in_drive[slot] != request:
        slot += 1
    block_device.held -= 1
    for after in range(slot, block_device.held):
        block_device.in_drive[after] = block_device.in_drive[after + 1]
    request_queue.complete(state, block_device, request, not block_device.release_at_dispatch)
    return request


@inline_kernel
def _cut(block_device, request):
    """Parts of a request, each within one stripe."""
    entry, stripe_sectors = block_device.queue.requests[request], block_device.stripe_sectors
    entry.parts = 0
    sector, left = entry.sector, entry.nr_sectors
    while left > 0:
        stripe, offset = sector // stripe_sectors, sector % stripe_sectors
        part = block_device.parts[block_device.nr_parts]
        part.request = request
        part.disk = stripe % block_device.nr_disks
        part.sector = stripe // block_device.nr_disks * stripe_sectors + offset
        part.nr_sectors = min(left, stripe_sectors - offset)
        block_device.nr_parts += 1
        entry.parts += 1
        sector += part.nr_sectors
        left -= part.nr_sectors


@inline_kernel
def _remove_part(block_device, number):
    block_device.nr_parts -= 1
    for after in range(number, block_device.nr_parts):
        part, following = block_device.parts[after], block_device.parts[after + 1]
        part.request = following.request
        part.disk = following.disk
        part.sector = following.sector
        part.nr_sectors = following.nr_sectors
    for disk in range(block_device.nr_disks):
        if block_device.served[disk] > number:
            block_device.served[disk] -= 1


@inline_kernel
def _serve_next(machine, block_device, tables, disk):
    """Let a disk begin with the part its order puts first, if it has any."""
    number = _choose(machine.now_ns, block_device, tables, disk)
    if number == NONE:
        return
    block_device.served[disk] = number
    part = block_device.parts[number]
    block_device.drive_sector[disk] = part.sector
    request = block_device.queue.requests[part.request]
    done_ns = serve(
        block_device.disks[disk],
        tables,
        machine.now_ns,
        request.dispatch_ns,
        part.sector,
        part.nr_sectors,
        request.is_write,
    )
    calendar.schedule(machine, done_ns, Event.COMPLETION, block_device.first_disk + disk)


@inline_kernel
def _choose(now_ns, block_device, tables, disk):
    """The oldest of a disk's parts, or NONE. But for FCFS, while it is not too old, the nearest: in the
    way of the sweep (C-LOOK), or by the time to get there (SPTF).
    """
    first_come = block_device.drive_order == DriveOrder.FCFS
    best, best_distance = NONE, 0
    for number in range(block_device.nr_parts):
        if block_device.parts[number].disk != disk:
            continue
        if best == NONE and (first_come or _is_old(now_ns, block_device, number)):
            return number
        distance = _distance(now_ns, block_device, tables, number, disk)
        if best == NONE or distance < best_distance:
            best, best_distance = number, distance
    return best


@inline_kernel
def _is_old(now_ns, block_device, number):
    request = block_device.queue.requests[block_device.parts[number].request]
    return now_ns - request.dispatch_ns > block_device.drive_age_ns


@inline_kernel
def _distance(now_ns, block_device, tables, number, disk):
    """From the head to a part: sectors ahead of it, once round the disk, or time in ns."""
    device, part = block_device.disks[disk], block_device.parts[number]
    if block_device.drive_order == DriveOrder.SPTF:
        request = block_device.queue.requests[part.request]
        return expected_positioning_ns(
            device, tables, now_ns, request.dispatch_ns, part.sector, request.is_write
        )
    distance = part.sector - block_device.drive_sector[disk]
    return distance if distance >= 0 else distance + device.capacity_sectors
