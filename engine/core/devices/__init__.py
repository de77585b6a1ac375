"""Devices: a request goes in, the time of its completion comes out."""

from engine.core.devices.fixed import serve_fixed
from engine.core.devices.mechanical import positioning_ns, serve_mechanical
from engine.core.devices.records import DEVICE, DeviceKind
from engine.core.devices.simple import serve_simple, simple_positioning_ns
from engine.core.jit import kernel

__all__ = ["DEVICE", "DeviceKind", "expected_positioning_ns", "serve"]


@kernel
def serve(device, tables, now_ns, sector, nr_sectors, is_write):
    """Serve one request dispatched at `now_ns`, on its own; returns when it completes, in ns.

    `device` is a DEVICE record, `tables` its int64 array. Moves the head and adds to
    `device.counters`. The request must lie within the device and the device be idle.
    """
    if device.kind == DeviceKind.MECHANICAL:
        complete_ns = serve_mechanical(device, tables, now_ns, sector, nr_sectors, is_write)
    elif device.kind == DeviceKind.SIMPLE:
        complete_ns = serve_simple(device, now_ns, sector, nr_sectors)
    else:
        complete_ns = serve_fixed(device, now_ns)
    counters = device.counters
    counters.requests += 1
    counters.sectors += nr_sectors
    counters.busy_ns += complete_ns - now_ns
    on_media_ns = counters.seek_ns + counters.rotation_ns + counters.transfer_ns
    counters.overhead_ns = counters.busy_ns - on_media_ns
    return complete_ns


@kernel
def expected_positioning_ns(device, tables, now_ns, sector, is_write):
    """Seek and rotation a request dispatched at `now_ns` would pay, ns; nothing moves."""
    if device.kind == DeviceKind.MECHANICAL:
        return positioning_ns(device, tables, now_ns, sector, is_write)
    if device.kind == DeviceKind.SIMPLE:
        return simple_positioning_ns(device, sector)
    return 0
