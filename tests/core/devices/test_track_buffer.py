"""Sequential reads with and without the track buffer."""

import pytest

from engine.core.devices import serve
from engine.devices import load_device

REQUEST_SECTORS = 256  # 128 KiB
REQUESTS = 2000
GAP_NS = 200_000  # between a completion and the next request


def media_ns_per_sector(disk):
    """Of the outermost zone, with the track and cylinder switches that its skews are made for."""
    zone = disk.zones[0]
    skews = (disk.heads - 1) * zone.track_skew_sectors + zone.cylinder_skew_sectors
    cylinder_sectors = disk.heads * zone.sectors_per_track
    return disk.revolution_ns * (1 + skews / cylinder_sectors) / zone.sectors_per_track


def read_sequentially(device, gap_ns=GAP_NS, requests=REQUESTS):
    """Time of each request and the end of the last, ns."""
    now_ns, times = 0, []
    for number in range(requests):
        complete_ns = serve(
            device.record,
            device.tables,
            now_ns,
            now_ns,
            number * REQUEST_SECTORS,
            REQUEST_SECTORS,
            False,
        )
        times.append(complete_ns - now_ns)
        now_ns = complete_ns + gap_ns
    return times, complete_ns


def test_a_sequential_stream_reaches_the_media_rate(ide_disk):
    _, end_ns = read_sequentially(ide_disk)
    ns_per_sector = end_ns / (REQUESTS * REQUEST_SECTORS)
    assert ns_per_sector == pytest.approx(media_ns_per_sector(ide_disk.record.mechanics), rel=0.003)


def test_without_the_buffer_each_request_loses_a_revolution(ide_disk):
    ide_disk.record.track_buffer.sectors = 0
    times, _ = read_sequentially(ide_disk)
    revolution_ns = ide_disk.record.mechanics.revolution_ns
    assert min(times[1:]) > revolution_ns
    assert max(times[1:]) < 2 * revolution_ns


def test_data_already_in_the_buffer_cost_controller_and_bus_only(ide_disk):
    disk = ide_disk.record.mechanics
    times, _ = read_sequentially(ide_disk, gap_ns=50_000_000, requests=10)
    bus_ns = REQUEST_SECTORS * disk.read_bus_ns
    assert set(times[1:]) == {disk.hit_overhead_ns[0] + bus_ns}


def test_read_ahead_stops_at_a_full_buffer(ide_disk):
    """After a long pause the next 2 MB are there; the sector behind has to come round first."""
    device, disk = ide_disk.record, ide_disk.record.mechanics
    behind = 8 + device.track_buffer.sectors
    serve(device, ide_disk.tables, 0, 0, 0, 8, False)
    now_ns = 10**9
    held_ns = serve(device, ide_disk.tables, now_ns, now_ns, 8, 8, False) - now_ns
    assert held_ns == disk.hit_overhead_ns[0] + 8 * disk.read_bus_ns
    assert device.track_buffer.head_sector == behind
    waited_ns = int(device.counters.transfer_ns)
    serve(device, ide_disk.tables, now_ns + held_ns, now_ns + held_ns, behind, 8, False)
    assert 1_000_000 < device.counters.transfer_ns - waited_ns < disk.revolution_ns


def test_a_sector_far_ahead_is_not_waited_for(ide_disk):
    """Reading through 3000 sectors to it would take 37 ms."""
    now_ns = serve(ide_disk.record, ide_disk.tables, 0, 0, 0, 8, False)
    assert (
        serve(ide_disk.record, ide_disk.tables, now_ns, now_ns, 3008, 8, False) - now_ns
        < 11_000_000
    )


@pytest.mark.parametrize("is_write", [False, True])
def test_a_request_elsewhere_ends_read_ahead(ide_disk, is_write):
    device = ide_disk.record
    now_ns = serve(device, ide_disk.tables, 0, 0, 0, 8, False)
    now_ns = serve(device, ide_disk.tables, now_ns, now_ns, 1_000_000, 8, is_write)
    start_ns = now_ns + 20_000_000
    again_ns = serve(device, ide_disk.tables, start_ns, start_ns, 8, 8, False) - start_ns
    assert again_ns > device.mechanics.read_overhead_ns[int(is_write)]
    assert device.counters.seeks == 2


def test_a_sector_ahead_is_a_hit_once_the_head_has_passed_it(ide_disk):
    device, disk = ide_disk.record, ide_disk.record.mechanics
    now_ns = serve(device, ide_disk.tables, 0, 0, 0, 8, False) + 2_000_000
    hit_ns = serve(device, ide_disk.tables, now_ns, now_ns, 108, 8, False) - now_ns
    assert hit_ns == disk.hit_overhead_ns[0] + 8 * disk.read_bus_ns


def test_a_sector_behind_is_no_hit(ide_disk):
    device = ide_disk.record
    now_ns = serve(device, ide_disk.tables, 0, 0, 100, 8, False) + 2_000_000
    again_ns = serve(device, ide_disk.tables, now_ns, now_ns, 100, 8, False) - now_ns
    assert again_ns > 4_000_000


def test_the_end_of_the_disk_ends_read_ahead(ide_disk):
    device, last = ide_disk.record, ide_disk.capacity_sectors - 8
    now_ns = serve(device, ide_disk.tables, 0, 0, last - 8, 8, False) + 10**8
    now_ns = serve(device, ide_disk.tables, now_ns, now_ns, last, 8, False) + 10**8
    assert device.track_buffer.head_sector == ide_disk.capacity_sectors
    serve(device, ide_disk.tables, now_ns, now_ns, last, 8, False)


def test_a_slow_bus_sets_the_rate():
    """The Cheetah's bus takes 0.105 ms a sector, three times as long as its media."""
    device = load_device("seagate_cheetah_9lp")
    _, end_ns = read_sequentially(device, gap_ns=0, requests=500)
    ns_per_sector = end_ns / (500 * REQUEST_SECTORS)
    assert ns_per_sector == pytest.approx(device.record.mechanics.read_bus_ns, rel=0.01)
