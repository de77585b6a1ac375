"""The bus between host and drive, which works alongside the media, track by track of a request."""

from engine.core.devices.geometry import arc_ns
from engine.core.jit import inline_kernel


@inline_kernel
def read_bus_ns(mechanics, bus_ns, first_ns, end_ns, nr_sectors):
    """When the host has the sectors of a track, ns.

    `bus_ns`: when the bus is free; `first_ns`, `end_ns`: when the first and the last sector have
    left the media. A bus faster than the media ends one sector behind them.
    """
    streaming_ns = max(bus_ns, first_ns) + nr_sectors * mechanics.read_bus_ns
    return max(streaming_ns, end_ns + mechanics.read_bus_ns)


@inline_kernel
def held_back_bus_ns(mechanics, bus_ns, start_ns, end_ns, nr_sectors):
    """`bus_ns`, the end of a read on the bus, or later where the drive holds the data back, ns.

    `start_ns`, `end_ns`: from when to when the media took. A drive may start the bus only after a
    share of that, at worst when all is read.
    """
    bus_start_ns = start_ns + (end_ns - start_ns) * mechanics.bus_waits_permille // 1000
    return max(bus_ns, bus_start_ns + nr_sectors * mechanics.read_bus_ns)


@inline_kernel
def underrun_ns(mechanics, zone, angle, margin_ns, nr_sectors):
    """Whole revolutions the head waits on a track for the data of a write, ns.

    `margin_ns`: how long the first sector's data have been in the drive when its leading edge
    passes. Where the bus is slower than the media, the last sector is the one to wait for.
    """
    others = nr_sectors - 1
    bus_lag_ns = others * mechanics.write_bus_ns - arc_ns(zone, angle, others)
    needed_ns = max(0, bus_lag_ns)
    lost_ns = 0
    while margin_ns + lost_ns < needed_ns:
        lost_ns += mechanics.revolution_ns
    return lost_ns
