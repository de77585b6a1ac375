"""The mechanical disk of a checked device file: record fields and tables in ns and sectors."""

from typing import Any

import numpy as np

from engine.core.devices.records import FRACTION_BITS, RECIPROCAL_BITS, RUN_COLUMNS, Run
from engine.devices.layout import disk_runs
from engine.errors import UserError

NS_PER_MS = 1_000_000
BLOCKS_PER_RUN = 8  # of the guide; more would not spare a step any more


def whole_ns(milliseconds: float) -> int:
    """A time of a device file in ns."""
    return round(milliseconds * NS_PER_MS)


def reciprocal(divisor: int) -> int:
    """What `engine.core.devices.geometry.quotient` multiplies by to divide."""
    return (1 << RECIPROCAL_BITS) // divisor + 1


def fill_mechanics(record: np.record, parameters: dict[str, Any]) -> np.ndarray:
    """Set the mechanics of a DEVICE record, without controller and bus; returns the tables, int64.

    Raises UserError that begins with the key.
    """
    geometry, mechanics, zones = (parameters[key] for key in ("geometry", "mechanics", "zones"))
    check_zones(zones, geometry["heads"])
    disk = record.mechanics
    disk.heads = geometry["heads"]
    disk.heads_reciprocal = reciprocal(geometry["heads"])
    disk.revolution_ns = whole_ns(mechanics["revolution_ms"])
    disk.head_switch_ns = whole_ns(mechanics["head_switch_ms"])
    disk.write_settle_ns = whole_ns(mechanics["write_settle_extra_ms"])
    disk.serpentine = geometry["lbn_mapping"] != "conventional"
    for index, zone in enumerate(zones):
        fill_zone(disk.zones[index], zone, disk.revolution_ns, geometry["lbn_mapping"])
    seek = seek_table(mechanics["seek"], zones[-1]["last_cyl"] + 1)
    check_movements(disk, seek)
    runs, capacity = disk_runs(zones, geometry)
    if capacity != geometry["capacity_sectors"]:
        raise UserError(
            f"geometry/capacity_sectors: {geometry['capacity_sectors']}; right would be what the "
            f"zones hold, {capacity}"
        )
    record.capacity_sectors = capacity
    return lay_tables(disk, seek, runs, capacity)


def check_zones(zones: list[dict[str, Any]], heads: int) -> None:
    """Zones must follow each other towards the spindle and suit the integer arithmetic."""
    first_free = 0
    for index, zone in enumerate(zones):
        if not first_free <= zone["first_cyl"] <= zone["last_cyl"]:
            raise UserError(
                f"zones/{index}: cylinders {zone['first_cyl']} to {zone['last_cyl']}; right would "
                f"be rising ones from {first_free} on"
            )
        tracks = (zone["last_cyl"] + 1 - zone["first_cyl"]) * heads
        track = zone["sectors_per_track"]
        if (tracks + 2) * track**2 >= 1 << RECIPROCAL_BITS or tracks >= 1 << 22:
            raise UserError(f"zones/{index}: {tracks * track} sectors; right would be two zones")
        first_free = zone["last_cyl"] + 1


def fill_zone(record: np.record, zone: dict[str, Any], revolution_ns: int, mapping: str) -> None:
    """Set a ZONE record."""
    track = zone["sectors_per_track"]
    record.first_cylinder = zone["first_cyl"]
    record.sectors_per_track = track
    record.track_reciprocal = reciprocal(track)
    record.sector_fraction = -(-(int(revolution_ns) << FRACTION_BITS) // track)
    record.offset_sectors = zone["first_block_offset_sectors"] % track
    record.track_skew_sectors = zone["track_skew_sectors"] % track
    record.cylinder_skew_sectors = zone["cylinder_skew_sectors"] % track
    if mapping == "serpentine_even_up_odd_down":  # by absolute cylinder
        record.serpentine_phase = zone["first_cyl"] % 2


def seek_table(seek: dict[str, Any], cylinders: int) -> np.ndarray:
    """Read seek in ns by cylinder distance, shape (cylinders,); 0 for no distance."""
    distance = np.arange(cylinders)
    if seek["kind"] == "table_linear_interpolation":
        at = np.array([point[0] for point in seek["points_cyl_ms"]])
        ns = np.array([whole_ns(point[1]) for point in seek["points_cyl_ms"]])
        if (np.diff(at) <= 0).any():
            raise UserError("mechanics/seek/points_cyl_ms: cylinders must rise from pair to pair")
        left = np.clip(np.searchsorted(at, distance, side="right") - 1, 0, len(at) - 2)
        span = at[left + 1] - at[left]  # beyond the last point the last two go on
        rise = (ns[left + 1] - ns[left]) * (distance - at[left])
        table = ns[left] + (2 * rise + span) // (2 * span)
    else:
        root = seek["sqrt_const_ms"] + seek["sqrt_coef_ms"] * np.sqrt(distance)
        line = seek["linear_const_ms"] + seek["linear_coef_ms_per_cyl"] * distance
        curve_ms = np.where(distance < seek["sqrt_below_cyl"], root, line)
        curve_ms[1:11] = seek["first10_ms"][: cylinders - 1]
        table = np.rint(curve_ms * NS_PER_MS).astype(np.int64)
    table[0] = 0
    return table


def check_movements(disk: np.record, seek: np.ndarray) -> None:
    """Every movement must take time, a write's too where its settling is negative."""
    movements = seek[1:]
    if (movements <= 0).any():
        cylinders = 1 + int(movements.argmin())
        raise UserError(
            f"mechanics/seek: {movements.min() / NS_PER_MS} ms for {cylinders} cylinders; right "
            "would be points that leave every distance above 0"
        )
    if disk.head_switch_ns > 0:
        movements = np.append(movements, disk.head_switch_ns)
    shortest_ns = movements.min(initial=disk.revolution_ns)
    if shortest_ns + disk.write_settle_ns < 0:
        raise UserError(
            f"mechanics/write_settle_extra_ms: {disk.write_settle_ns / NS_PER_MS}; right would be "
            f"{-shortest_ns / NS_PER_MS} or more, the shortest movement"
        )


def lay_tables(disk: np.record, seek: np.ndarray, runs: np.ndarray, capacity: int) -> np.ndarray:
    """Seek table, runs and guide in one int64 array; notes in the record where each begins."""
    shift = max(0, (capacity // (BLOCKS_PER_RUN * len(runs))).bit_length() - 1)
    block_starts = np.arange(0, capacity, 1 << shift)
    run_of_block = np.searchsorted(runs[:, Run.SECTOR], block_starts, side="right") - 1
    end = np.full(RUN_COLUMNS, capacity)
    disk.seek_at = 0
    disk.guide_at = len(seek) + runs.size + RUN_COLUMNS
    disk.guide_shift = shift
    guide = len(seek) + run_of_block * RUN_COLUMNS
    return np.concatenate([seek, runs.ravel(), end, guide]).astype(np.int64)
