"""A disk of three numbers, for teaching: average seek, revolution, transfer rate."""

from engine.core.jit import inline_kernel, kernel

PS_PER_NS = 1000


@kernel
def serve_simple(device, now_ns, sector, nr_sectors):
    """Completion time, ns: a request that does not continue the last one pays seek and rotation.

    Both are averages, always the same: the average seek and half a revolution.
    """
    disk = device.simple
    counters = device.counters
    transfer_ns = nr_sectors * disk.sector_ps // PS_PER_NS
    counters.transfer_ns += transfer_ns
    complete_ns = now_ns + transfer_ns
    if sector != disk.next_sector:
        counters.seeks += 1
        counters.seek_ns += disk.average_seek_ns
        counters.rotation_ns += disk.half_revolution_ns
        complete_ns += disk.average_seek_ns + disk.half_revolution_ns
    disk.next_sector = sector + nr_sectors
    return complete_ns


@inline_kernel
def simple_positioning_ns(device, sector):
    """Seek and rotation a request would pay, ns."""
    disk = device.simple
    if sector == disk.next_sector:
        return 0
    return disk.average_seek_ns + disk.half_revolution_ns
