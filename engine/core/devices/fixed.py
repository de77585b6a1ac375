"""A server with one fixed service time, to check the queue against queueing theory."""

from engine.core.jit import inline_kernel


@inline_kernel
def serve_fixed(device, now_ns):
    """Completion time, ns, whatever the request is."""
    device.counters.transfer_ns += device.service_ns
    return now_ns + device.service_ns
