"""Devices: a request goes in, the time of its completion comes out."""

from engine.core.devices.fixed import serve_fixed
from engine.core.devices.mechanical import positioning_ns, serve_mechanical
from engine.core.devices.records import DEVICE, DeviceKind
from engine.core.devices.simple import serve_simple, simple_positioning_ns
from engine.core.devices.write_cache import write_back
from engine.core.jit import inline_kernel, kernel

__all__ = ["DEVICE", "DeviceKind", "expected_positioning_ns", "on_media_ns", "serve"]


@kernel
def serve(device, tables, now_ns, came_ns, sector, nr_sectors, is_write):
    """Serve one request from `now_ns` on, on its own; returns when it completes, in ns.

    `device` is a DEVICE record, `tables` its int64 array. Moves the head and adds to
    `device.counters`. The request must lie within the device and the device have none to serve;
    what its media did with cached writes since the last one is made up for first. Since `came_ns`
    the drive has had the command: overhead, and the data of a write, may be behind it by now.
    """
    cache, counters = device.write_cache, device.counters
    counters.busy_ns -= on_media_ns(counters)
    write_back(device, tables, now_ns)
    counters.busy_ns += on_media_ns(counters) - cache.media_ns
    if device.kind == DeviceKind.MECHANICAL:
        complete_ns = serve_mechanical(
            device, tables, now_ns, came_ns, sector, nr_sectors, is_write
        )
    elif device.kind == DeviceKind.SIMPLE:
        complete_ns = serve_simple(device, now_ns, sector, nr_sectors)
    else:
        complete_ns = serve_fixed(device, now_ns)
    cache.media_ns = max(cache.media_ns, complete_ns)
    counters.requests += 1
    counters.sectors += nr_sectors
    counters.busy_ns += cache.media_ns
    counters.overhead_ns = counters.busy_ns - on_media_ns(counters)
    return complete_ns


@inline_kernel
def on_media_ns(counters):
    """How long arm and media have been at work, ns."""
    return counters.seek_ns + counters.rotation_ns + counters.transfer_ns


@kernel
def expected_positioning_ns(device, tables, now_ns, came_ns, sector, is_write):
    """Seek and rotation a request served from `now_ns` on would pay, ns; nothing moves."""
    if device.kind == DeviceKind.MECHANICAL:
        return positioning_ns(device, tables, now_ns, came_ns, sector, is_write)
    if device.kind == DeviceKind.SIMPLE:
        return simple_positioning_ns(device, sector)
    return 0
