"""The calendar of coming events: a binary heap.

Earliest first. At one instant completions come before ends of processor bursts and those before starts
of threads, and within a kind the lower number goes first: `Event` and the key say so.
"""

from engine.core.jit import inline_kernel, kernel

KIND_SHIFT = 32


@inline_kernel
def _earlier(machine, one, other):
    if machine.event_ns[one] != machine.event_ns[other]:
        return machine.event_ns[one] < machine.event_ns[other]
    return machine.event_key[one] < machine.event_key[other]


@inline_kernel
def _swap(machine, one, other):
    time_ns, key = machine.event_ns[one], machine.event_key[one]
    machine.event_ns[one], machine.event_key[one] = (
        machine.event_ns[other],
        machine.event_key[other],
    )
    machine.event_ns[other], machine.event_key[other] = time_ns, key


@inline_kernel
def _rise(machine, here):
    while here > 0 and _earlier(machine, here, (here - 1) // 2):
        _swap(machine, here, (here - 1) // 2)
        here = (here - 1) // 2


@kernel
def schedule(machine, time_ns, event, number):
    """Note that `event` happens to thread or device `number` at `time_ns`."""
    here = machine.nr_events
    machine.nr_events += 1
    machine.event_ns[here] = time_ns
    machine.event_key[here] = (event << KIND_SHIFT) | number
    _rise(machine, here)


@kernel
def advance(machine, time_ns, event, number):
    """Let `event` happen to thread or device `number` at `time_ns` instead of later; it must be noted."""
    key = (event << KIND_SHIFT) | number
    here = 0
    while machine.event_key[here] != key:
        here += 1
    machine.event_ns[here] = time_ns
    _rise(machine, here)


@inline_kernel
def next_number(machine):
    """The thread or device that the earliest event happens to; the calendar must not be empty."""
    return machine.event_key[0] & ((1 << KIND_SHIFT) - 1)


@inline_kernel
def next_event(machine):
    """Take the earliest event off the calendar: its time in ns, its kind and its number."""
    time_ns, key = machine.event_ns[0], machine.event_key[0]
    machine.nr_events -= 1
    last = machine.nr_events
    machine.event_ns[0], machine.event_key[0] = machine.event_ns[last], machine.event_key[last]
    here = 0
    while True:
        first = 2 * here + 1
        if first >= last:
            break
        if first + 1 < last and _earlier(machine, first + 1, first):
            first += 1
        if not _earlier(machine, first, here):
            break
        _swap(machine, first, here)
        here = first
    return time_ns, key >> KIND_SHIFT, key & ((1 << KIND_SHIFT) - 1)
