"""Device files: what loads, and what a bad file is told."""

import numpy as np
import pytest
import yaml

from engine.core.devices import DeviceKind
from engine.devices import PRESETS, device_names, load_device
from engine.errors import UserError


def test_presets_load_and_name_their_source():
    assert "ide_40gb_2001" in device_names()
    for name in device_names():
        device = load_device(name)
        assert device.name
        assert device.source
        assert device.record.capacity_sectors == device.capacity_sectors
        assert device.tables.dtype == np.int64
        text = (PRESETS / f"{name}.yaml").read_text(encoding="utf-8")
        assert yaml.safe_load(text)["provenance"]["licence"]


def test_the_ide_disk_is_what_its_file_says():
    device = load_device("ide_40gb_2001")
    disk = device.record.mechanics
    rates = [
        512 * zone.sectors_per_track / disk.revolution_ns * 1e3
        for zone in disk.zones
        if zone.sectors_per_track
    ]
    assert device.capacity_sectors * 512 == pytest.approx(40e9, rel=0.001)
    assert rates[0] == pytest.approx(41.0, abs=0.1)
    assert rates[-1] == pytest.approx(21.0, abs=0.1)
    seek = device.tables[:38720]
    share = 2 * (1 - np.arange(38720) / 38720) / 38720
    assert (seek * share).sum() == pytest.approx(9.0e6, rel=0.005)
    assert device.record.track_buffer.sectors == 4096


def test_mechanics_only_has_neither_controller_nor_bus_nor_buffer():
    device = load_device("hp_c3323a", mechanics_only=True)
    disk = device.record.mechanics
    assert device.record.kind == DeviceKind.MECHANICAL
    assert device.record.track_buffer.sectors == 0
    assert disk.read_bus_ns == disk.write_bus_ns == disk.read_completion_ns == 0
    assert not disk.read_overhead_ns.any()
    assert not disk.write_overhead_ns.any()


def test_how_much_of_writes_a_disk_holds(tmp_path):
    def sectors(name, **given):
        return load_device(name, **given).record.write_cache.capacity_sectors

    assert sectors("ide_40gb_2001") == 0
    assert sectors("ide_40gb_2001", write_cache_kib=512) == 1024
    assert sectors("ide_40gb_2001", write_cache_kib=None) == 2048
    assert sectors("simple", write_cache_kib=None) == 0
    path = tmp_path / "server.yaml"
    path.write_text("{schema: fixed-service/1, name: S, capacity_sectors: 100, service_ms: 2.5}")
    for name in ("simple", path):
        with pytest.raises(UserError, match=r"64 KiB, but .* has no buffer; give 0 or auto"):
            load_device(name, write_cache_kib=64)


def test_every_drive_of_the_reference_material_holds_what_it_declares(shared):
    """All sparing schemes: the loader refuses a capacity other than that of the zones."""
    loaded = 0
    for path in sorted((shared / "devices" / "disks").glob("*.yaml")):
        if "1-reduced" not in path.read_text(encoding="utf-8"):
            load_device(path)
            loaded += 1
    assert loaded == 13


def test_an_unknown_name_is_told_the_nearest():
    with pytest.raises(UserError, match="did you mean 'simple'"):
        load_device("simpel")
    with pytest.raises(UserError, match="one of hp_c3323a"):
        load_device("no/such/file")


def changed(tmp_path, *keys, value):
    """A copy of the C3323A's file with one key set, or taken out where `value` is None."""
    parameters = yaml.safe_load((PRESETS / "hp_c3323a.yaml").read_text(encoding="utf-8"))
    section = parameters
    for key in keys[:-1]:
        section = section[key]
    if value is None:
        del section[keys[-1]]
    else:
        section[keys[-1]] = value
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(parameters), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("keys", "value", "sentence"),
    [
        (("schema",), "disk/1", "schema: 'disk/1'; right would be one of disk-params/1, "),
        (("mechanics", "revolution_ms"), -3, "mechanics/revolution_ms: -3 .* above 0"),
        (
            ("mechanics", "revolution_ms"),
            "fast",
            "mechanics/revolution_ms: 'fast' .* time of a rev",
        ),
        (("mechanics", "head_switch_ms"), float("nan"), "mechanics head_switch_ms: nan; .* finite"),
        (("mechanics", "head_switch_ms"), None, "mechanics: the key 'head_switch_ms' is missing; "),
        (
            ("mechanics", "head_swich_ms"),
            1,
            "unknown key 'head_swich_ms'; did you mean 'head_switch_ms'",
        ),
        (("mechanics", "seek", "kind"), "linear", "mechanics/seek/kind: 'linear' .* table_linear"),
        (
            ("mechanics", "seek", "points_cyl_ms"),
            [[1, 1], [1, 2]],
            "points_cyl_ms: cylinders must rise",
        ),
        (("mechanics", "seek", "points_cyl_ms"), [[1, 1], [2]], r"points_cyl_ms/1: .* pair \[cyl"),
        (
            ("mechanics", "write_settle_extra_ms"),
            -5,
            "write_settle_extra_ms: -5.0; right would be -0.65",
        ),
        (
            ("mechanics", "seek", "points_cyl_ms"),
            [[1, 2], [100, 1]],
            "mechanics/seek: .* ms for 2981 cylinders; ",
        ),
        (("geometry", "sparing"), "none", "geometry/sparing: 'none' .* tracks_at_zone_end"),
        (("geometry", "capacity_sectors"), 5, "geometry/capacity_sectors: 5; .* 2056008"),
        (("zones", 1, "first_cyl"), 900, "zones/1: cylinders 900 to 1134; .* from 994 on"),
        (
            ("zones", 1, "track_skew_sectors"),
            16.5,
            "zones/1/track_skew_sectors: 16.5 .* whole number",
        ),
        (("zones", 1, "spares_per_region"), 5000, "zones/1: no sector is left"),
        (("zones", 1, "slipped"), [987], "zones/1: 987 is slipped .* below 987"),
        (
            ("zones", 2, "slipped"),
            [*range(29)],
            "zones/2/slipped: 29 positions that share 28 spares",
        ),
        (("zones", 1, "remapped_pairs"), [[1, 5000]], "zones/1: 5000 is slipped or remapped"),
        (("zones", 7, "last_cyl"), 4_000_000, "zones/7: .* right would be two zones"),
        (
            ("cache", "watermark_of_request"),
            False,
            "cache/watermark_of_request: .* right would be true",
        ),
    ],
)
def test_a_bad_file_is_told_where_and_what_would_be_right(tmp_path, keys, value, sentence):
    path = changed(tmp_path, *keys, value=value)
    with pytest.raises(UserError, match=f"mine.yaml: .*{sentence}"):
        load_device(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("schema: [", "line 1: this is not YAML"),
        ("just words", "no keys in it"),
        ("{schema: simple-disk/1, name: S}", "the key 'capacity_sectors' is missing"),
    ],
)
def test_a_file_that_is_none_is_told_so(tmp_path, text, sentence):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=f"mine.yaml: {sentence}"):
        load_device(path)


def test_whole_numbers_may_be_written_with_a_point(tmp_path):
    load_device(changed(tmp_path, "zones", 0, "front_reserved_sectors", value=1320.0))
