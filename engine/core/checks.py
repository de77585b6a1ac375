"""Conservation: what every run must keep true, whatever is simulated."""

from enum import IntEnum

from engine.core import pools
from engine.core.jit import kernel


class Breach(IntEnum):
    """What a run can get wrong. Anything but NOTHING is a defect of the engine."""

    NOTHING = 0
    STANDSTILL = 1  # threads left, but nothing will ever happen
    BUFFERS = 2  # submitted = merged + made into requests + waiting for a slot
    REQUESTS = 3  # made = completed + joined + queued + in the drive
    SLOTS = 4  # never fewer than 0 or more than all are free
    SLOTS_HELD = (
        5  # not free = held = queued (a busy head is queued, too), or queued and in the drive
    )
    SPINS = 7  # a thread goes round without ever taking time: a mistake of the workload
    SECTORS = 6  # nothing queued or in the drive: no sectors counted either


@kernel
def find_breach(state):
    """The first rule the state breaks, else NOTHING."""
    measures, queue, pool, machine = state.measures, state.queue, state.pool, state.machine
    waiting = 0
    for number in range(machine.threads):
        waiting += state.threads[number].seeks_slot
    if measures.buffers != measures.merges + queue.serial + waiting:
        return Breach.BUFFERS
    in_drive = 0 if queue.head_active else machine.held
    if queue.serial != measures.completed + measures.joins + queue.length + in_drive:
        return Breach.REQUESTS
    for direction in range(2):
        if not 0 <= pool.free[direction] <= pool.slots[direction]:
            return Breach.SLOTS
    held = pool.held[0] + pool.held[1]
    if held != pools.count_out(pool) or held != queue.length + (
        0 if machine.release_at_dispatch else in_drive
    ):
        return Breach.SLOTS_HELD
    if held == 0 and in_drive == 0 and pool.sectors != 0:
        return Breach.SECTORS
    return Breach.NOTHING
