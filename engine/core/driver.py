"""Drivers: how requests get from the queue to the device (SPEC 8).

IDE has one command outstanding, and its request stays queued as the busy head. SCSI copies the request
and, up to 2.5.7 at least, gives its slot back when it is dispatched; the drive holds up to `queue_depth`
commands and picks the next to serve itself.
"""

from engine.core import calendar, request_queue
from engine.core.devices import serve
from engine.core.jit import inline_kernel, kernel, spliced_kernel
from engine.core.records import NONE, DriveOrder, Driver, Event


@kernel
def dispatch(state, tables):
    """Hand the device what it can take from the queue."""
    machine = state.machine
    room = 1 if machine.driver == Driver.IDE else machine.queue_depth
    while machine.held < room:
        request = request_queue.take(state, machine.release_at_dispatch)
        if request == NONE:
            break
        machine.in_drive[machine.held] = request
        machine.held += 1
    if machine.served == NONE and machine.held > 0:
        _serve_next(state, tables)


@spliced_kernel
def finish(state):
    """Take the request that was served off the drive; its record stays readable. Returns it."""
    machine = state.machine
    request = machine.served
    slot = 0
    while machine.in_drive[slot] != request:
        slot += 1
    machine.held -= 1
    for after in range(slot, machine.held):
        machine.in_drive[after] = machine.in_drive[after + 1]
    machine.served = NONE
    request_queue.complete(state, request, not machine.release_at_dispatch)
    return request


@inline_kernel
def _serve_next(state, tables):
    """Let the drive begin with the command its order puts first."""
    machine = state.machine
    request = _choose(state)
    machine.served = request
    entry = state.queue.requests[request]
    machine.drive_sector = entry.sector
    done_ns = serve(
        state.disk, tables, machine.now_ns, entry.sector, entry.nr_sectors, entry.is_write
    )
    calendar.schedule(machine, done_ns, Event.COMPLETION, 0)


@inline_kernel
def _choose(state):
    """FCFS: the oldest. C-LOOK: the lowest sector from the last one served on, else the lowest."""
    machine = state.machine
    best = machine.in_drive[0]
    if machine.drive_order == DriveOrder.FCFS:
        return best
    for slot in range(1, machine.held):
        candidate = machine.in_drive[slot]
        if _sweep_distance(state, candidate) < _sweep_distance(state, best):
            best = candidate
    return best


@kernel
def _sweep_distance(state, request):
    """How far ahead of the head `request` lies, once round the disk."""
    distance = state.queue.requests[request].sector - state.machine.drive_sector
    return distance if distance >= 0 else distance + state.disk.capacity_sectors
