"""Conservation: what every run must keep true, whatever is simulated."""

from enum import IntEnum

from engine.core.jit import kernel


class Breach(IntEnum):
    """What a run can get wrong. Anything but NOTHING is a defect of the engine."""

    NOTHING = 0
    STANDSTILL = 1  # threads left, but nothing will ever happen
    BUFFERS = 2  # submitted = merged + made into requests + waiting for a slot
    REQUESTS = 3  # made = completed + joined + queued + in the drive
    SLOTS = 4  # of a direction: never fewer than 0 or more than all are free
    SLOTS_HELD = 5  # held = queued; a busy head is queued, too


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
    held = pool.slots[0] + pool.slots[1] - pool.free[0] - pool.free[1]
    if held != queue.length:
        return Breach.SLOTS_HELD
    return Breach.NOTHING
