"""The simple disk and the server with one service time."""

from engine.core.devices import serve
from engine.devices import load_device


def test_a_simple_disk_charges_seek_and_rotation_unless_sequential():
    device = load_device("simple")
    disk, tables = device.record, device.tables
    first_ns = serve(disk, tables, 0, 0, 1000, 8, False)
    second_ns = serve(disk, tables, first_ns, first_ns, 1008, 8, True) - first_ns
    assert second_ns == 8 * 512 * 10**9 // (30 * 2**20)
    assert first_ns - second_ns == 9_000_000 + 4_166_667
    counters = disk.counters
    assert (counters.requests, counters.sectors, counters.seeks) == (2, 16, 1)
    assert counters.busy_ns == counters.seek_ns + counters.rotation_ns + counters.transfer_ns
    third_ns = first_ns + second_ns
    assert serve(disk, tables, third_ns, third_ns, 1008, 8, True) - third_ns == first_ns


def test_a_fixed_server_takes_the_same_time_always(tmp_path):
    path = tmp_path / "server.yaml"
    path.write_text("{schema: fixed-service/1, name: S, capacity_sectors: 100, service_ms: 2.5}")
    device = load_device(path)
    for now_ns, sector in ((0, 0), (7, 50), (10**12, 99)):
        assert (
            serve(device.record, device.tables, now_ns, now_ns, sector, 1, False)
            == now_ns + 2_500_000
        )
    assert device.record.counters.busy_ns == 7_500_000
