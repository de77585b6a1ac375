"""Which of the commands a disk holds it serves next, by order and age."""

import pytest

from engine.core.devices import expected_positioning_ns, serve
from engine.core.driver import dispatch
from engine.devices import load_device
from tests.core.machines import built, settings_of

FAR, NEAR, BEHIND = 8_000_000, 2_000, 1_000
AGE_MS = 100


def chosen(
    order: str, sectors: list[int], head_at: int, now_ms: int = 0, oldest_ms: int = 0
) -> int:
    """Number of the part that a disk begins with which holds reads of 8 sectors at `sectors`.

    Its last command was at `head_at`; the oldest part has been there since `oldest_ms`, the others have
    only come.
    """
    settings = settings_of(
        machine="quad_xeon", disks=1, drive_order=order, drive_age_ms=AGE_MS, queue_depth=16
    )
    state = built(settings).state
    tables = load_device(settings["disk"]).tables
    block_device = state.block_devices[0]
    serve(block_device.disks[0], tables, 0, 0, head_at, 8, False)
    block_device.drive_sector[0] = head_at
    state.machine.now_ns = now_ms * 1_000_000
    for number, sector in enumerate(sectors):
        part = block_device.parts[number]
        part.request, part.disk, part.sector, part.nr_sectors = number, 0, sector, 8
        since_ms = oldest_ms if number == 0 else now_ms
        block_device.queue.requests[number].dispatch_ns = since_ms * 1_000_000
    block_device.nr_parts = block_device.held = len(sectors)
    dispatch(state, tables)
    return int(block_device.served[0])


@pytest.mark.parametrize(
    ("order", "number"),
    [("fcfs", 0), ("clook", 1), ("sptf", 1)],
)
def test_only_fcfs_goes_far_at_once(order: str, number: int) -> None:
    assert chosen(order, [FAR, NEAR], head_at=BEHIND) == number


def test_a_sweep_does_not_turn_back_for_what_lies_behind_it() -> None:
    sectors = [FAR, BEHIND]
    assert chosen("clook", sectors, head_at=NEAR) == 0
    assert chosen("sptf", sectors, head_at=NEAR) == 1


@pytest.mark.parametrize("order", ["clook", "sptf"])
@pytest.mark.parametrize(("waited_ms", "number"), [(AGE_MS, 1), (AGE_MS + 1, 0)])
def test_a_command_that_is_too_old_goes_first(order: str, waited_ms: int, number: int) -> None:
    assert chosen(order, [FAR, NEAR], BEHIND, now_ms=1000, oldest_ms=1000 - waited_ms) == number


def test_the_nearest_is_the_one_that_is_soonest_under_the_head() -> None:
    sectors = [40_000, 3_000, 90_000, 41_000, 12_345]
    settings = settings_of(machine="quad_xeon", disks=1)
    tables = load_device(settings["disk"]).tables
    device = built(settings).state.block_devices[0].disks[0]
    serve(device, tables, 0, 0, NEAR, 8, False)
    times_ns = [expected_positioning_ns(device, tables, 0, 0, sector, False) for sector in sectors]
    assert chosen("sptf", sectors, head_at=NEAR) == times_ns.index(min(times_ns))


@pytest.mark.parametrize("is_write", [False, True])
@pytest.mark.parametrize("disk", ["quantum_atlas_10k", "simple"])
def test_what_is_expected_comes_to_pass(disk: str, is_write: bool) -> None:
    settings = settings_of(machine="quad_xeon", disks=1, disk=disk)
    tables = load_device(disk).tables
    device = built(settings).state.block_devices[0].disks[0]
    now_ns = serve(device, tables, 0, 0, NEAR, 8, False)
    before_ns = device.counters.seek_ns + device.counters.rotation_ns
    expected_ns = expected_positioning_ns(device, tables, now_ns, now_ns, FAR, is_write)
    serve(device, tables, now_ns, now_ns, FAR, 8, is_write)
    assert device.counters.seek_ns + device.counters.rotation_ns - before_ns == expected_ns
