"""Whole requests against DiskSim's logs of the same drives, each from the head state logged.

Times of DiskSim's differ from exact ones by the steps in which it turns the platter, and it does
not count the sectors that a request passes over because they are slipped.
"""

import pytest

from engine.devices import load_device

DISKS = ("quantum_atlas_10k", "seagate_cheetah_9lp", "hp_c3323a")
NS_PER_MS = 1e6
SLIPPED_NS = 73_500  # three slipped sectors, the most in one request


@pytest.mark.parametrize("disk", DISKS)
def test_mechanics_agree(disk, oracle, replay):
    device, log = load_device(disk, mechanics_only=True), oracle(disk, "fcfs_mech")
    served = replay(device, log)
    total_error_ns = (served.total_ns - (log.complete_ms - log.dispatch_ms) * NS_PER_MS).abs()
    assert (served.seek_ns - log.seek_ms * NS_PER_MS).abs().max() <= 2
    assert (served.rotation_ns - log.rot_latency_ms * NS_PER_MS).abs().max() <= 1_000
    assert (total_error_ns <= 1_000).mean() >= 0.982
    assert total_error_ns.max() <= SLIPPED_NS
    assert (served.total_ns == served.seek_ns + served.rotation_ns + served.transfer_ns).all()
    assert device.record.counters.overhead_ns == 0
    assert device.record.counters.busy_ns == served.total_ns.sum()


@pytest.mark.parametrize("disk", DISKS)
def test_controller_and_bus_agree(disk, oracle, replay):
    """Reads always; DiskSim's writes are up to 5 us early after revolutions spent on the bus."""
    log = oracle(disk, "fcfs_overheads")
    served = replay(load_device(disk), log)
    error_ns = (served.total_ns - (log.complete_ms - log.dispatch_ms) * NS_PER_MS).abs()
    single_track = log.track_switches == 0
    assert error_ns[single_track & (log.op == "R")].max() <= 2_000
    assert (error_ns[single_track] <= 2_000).mean() >= 0.99
    assert (error_ns <= 5_000).mean() >= 0.999
    assert error_ns.max() <= SLIPPED_NS
