"""Devices by name or file: a checked record and its tables, ready to be simulated.

`presets/disks` holds the drives that come with the product, `device.schema.yaml` says what a file
of one's own may contain.
"""

import difflib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.core.devices import DEVICE, DeviceKind
from engine.core.devices.records import NONE
from engine.devices.file import read_device_file
from engine.devices.mechanics import fill_mechanics, whole_ns
from engine.errors import UserError

PRESETS = Path(__file__).parents[1] / "presets" / "disks"
SECTOR_BYTES = 512
SECTORS_PER_KIB = 2


@dataclass(frozen=True)
class Device:
    """A device before its first request; a simulation works on a copy of `record`."""

    name: str
    source: str  # where the numbers come from
    capacity_sectors: int
    record: np.record  # DEVICE
    tables: np.ndarray  # int64, what scales with the disk


def device_names() -> list[str]:
    """Names of the devices that come with the product."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


def load_device(
    name_or_path: str | Path,
    *,
    mechanics_only: bool = False,
    bus_mb_s: float | None = None,
    write_cache_kib: int | None = 0,
) -> Device:
    """The device of that name, or that of the user's own YAML file.

    `mechanics_only` leaves out controller, bus and track buffer. `bus_mb_s` (MB/s, 10**6 bytes)
    stands for the file's own bus, which is that of the host the drive was measured on.
    `write_cache_kib` is what the drive holds of writes; None: half of the file's track buffer.
    Raises UserError for an unknown name, a bad file or a cache in a disk without buffer.
    """
    path = _device_path(name_or_path)
    device = _load(path, path.stat().st_mtime_ns, mechanics_only, bus_mb_s)
    record = device.record.copy()
    if write_cache_kib is None:
        record.write_cache.capacity_sectors = record.track_buffer.sectors // 2
    elif write_cache_kib > 0 and record.kind != DeviceKind.MECHANICAL:
        raise UserError(
            f"write_cache_kib: {write_cache_kib} KiB, but the disk {str(name_or_path)!r} has no "
            "buffer; give 0 or auto"
        )
    else:
        record.write_cache.capacity_sectors = write_cache_kib * SECTORS_PER_KIB
    return replace(device, record=record)


@cache  # a sweep asks for the same device again and again, and reading its file takes longer than a run
def _load(path: Path, mtime_ns: int, mechanics_only: bool, bus_mb_s: float | None) -> Device:
    parameters = read_device_file(path)
    record = np.zeros(1, DEVICE).view(np.recarray)[0]
    record.track_buffer.head_sector = NONE
    record.simple.next_sector = NONE
    try:
        tables = _fill(record, parameters, mechanics_only)
        if bus_mb_s is not None and not mechanics_only:
            record.mechanics.read_bus_ns = whole_ns(SECTOR_BYTES / bus_mb_s / 1e3)
            record.mechanics.write_bus_ns = record.mechanics.read_bus_ns
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    source = parameters.get("provenance", {}).get("source", str(path))
    return Device(parameters["name"], source, int(record.capacity_sectors), record, tables)


def _device_path(name_or_path: str | Path) -> Path:
    preset = PRESETS / f"{name_or_path}.yaml"
    if str(name_or_path) in device_names():
        return preset
    path = Path(name_or_path)
    if path.is_file():
        return path
    near = difflib.get_close_matches(str(name_or_path), device_names(), n=1)
    right = f"did you mean {near[0]!r}?" if near else "right would be a file or one of "
    raise UserError(
        f"device {str(name_or_path)!r}: no such device or file; {right}"
        + ("" if near else ", ".join(device_names()))
    )


def _fill(record: np.record, parameters: dict[str, Any], mechanics_only: bool) -> np.ndarray:
    """Set the record from the parameters; returns the tables."""
    if parameters["schema"] == "disk-params/1":
        record.kind = DeviceKind.MECHANICAL
        tables = fill_mechanics(record, parameters)
        if not mechanics_only:
            _fill_controller(record.mechanics, parameters)
            cache = parameters["cache"]
            if cache["enabled"]:
                record.track_buffer.sectors = cache["max_read_ahead_sectors"]
        return tables
    record.capacity_sectors = parameters["capacity_sectors"]
    if parameters["schema"] == "simple-disk/1":
        record.kind = DeviceKind.SIMPLE
        _fill_simple(record.simple, parameters)
    else:
        record.kind = DeviceKind.FIXED
        record.service_ns = whole_ns(parameters["service_ms"])
    return np.zeros(0, np.int64)


def _fill_controller(disk: np.record, parameters: dict[str, Any]) -> None:
    """Set the overheads and the bus of a MECHANICS record."""
    overheads, interface = parameters["overheads_ms"], parameters["interface"]
    for after_write, last in enumerate(("read", "write")):
        disk.read_overhead_ns[after_write] = whole_ns(overheads[f"read_miss_after_{last}"])
        disk.write_overhead_ns[after_write] = whole_ns(overheads[f"write_miss_after_{last}"])
        disk.hit_overhead_ns[after_write] = whole_ns(overheads[f"read_hit_after_{last}"])
    disk.read_completion_ns = whole_ns(overheads["read_completion"])
    disk.write_completion_ns = whole_ns(overheads["write_completion"])
    bulk_ms = interface["bulk_sector_transfer_ms"]
    disk.read_bus_ns = whole_ns(max(bulk_ms, interface["bus_read_sector_transfer_ms"]))
    disk.write_bus_ns = whole_ns(max(bulk_ms, interface["bus_write_sector_transfer_ms"]))
    disk.bus_waits_permille = round(1000 * parameters["cache"]["high_read_watermark_frac"])


def _fill_simple(disk: np.record, parameters: dict[str, Any]) -> None:
    """Set a SIMPLE record."""
    disk.average_seek_ns = whole_ns(parameters["average_seek_ms"])
    disk.half_revolution_ns = round(30e9 / parameters["rpm"])
    disk.sector_ps = round(SECTOR_BYTES * 1e12 / (parameters["transfer_mib_s"] * 2**20))
