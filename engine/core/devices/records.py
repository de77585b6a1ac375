"""The record of a device: its kind, where its head stands, what it has done, and its parameters.

A device is one `DEVICE` record and one flat int64 array, `tables`, for what grows with the disk.
Times are ns, addresses and lengths 512-byte sectors. Angles are counted in sectors of the zone
(0 ... sectors_per_track - 1); the platter's angle is `now_ns % revolution_ns`, 0 at time 0.
"""

from enum import IntEnum

import numpy as np

ZONE_LIMIT = 64
FRACTION_BITS = 32  # of the time of a sector, which is no whole ns: units of 2**-32 ns
RECIPROCAL_BITS = 40  # of reciprocals that stand for a division
CACHED_RUNS = 16  # of a write cache: chosen, segments of a buffer of the time
NONE = -1


class DeviceKind(IntEnum):
    """What a device is."""

    SIMPLE = 0  # average seek, half a revolution, transfer
    MECHANICAL = 1  # zones, skew, measured seeks, rotation
    FIXED = 2  # the same service time for every request


class Run(IntEnum):
    """Columns of a run: sectors that follow each other on the platter as they do logically."""

    SECTOR = 0  # the first
    POSITION = 1  # of that sector: physical sectors from the start of its zone
    ZONE = 2
    PUSHED = 3  # by how many sectors slips before it have turned its track


RUN_COLUMNS = len(Run)

COUNTERS = np.dtype(
    [
        ("since_ns", np.int64),  # what arm and media did before does not count
        ("requests", np.int64),
        ("sectors", np.int64),
        # Dispatch to completion, and cached writes on the media between; the sum of the four below.
        ("busy_ns", np.int64),
        ("overhead_ns", np.int64),  # controller and bus
        # A cached write counts track by track, and when the drive gets its next request.
        ("seek_ns", np.int64),  # to the first sector of a request
        ("rotation_ns", np.int64),  # wait for the first sector
        ("transfer_ns", np.int64),  # first sector to last, track switches included
        ("seeks", np.int64),  # that moved the arm; a simple disk's: all not sequential
        ("seek_cylinders", np.int64),
    ],
    align=True,
)

ZONE = np.dtype(
    [
        ("first_cylinder", np.int64),
        ("sectors_per_track", np.int64),
        ("track_reciprocal", np.int64),  # of sectors_per_track
        ("sector_fraction", np.int64),  # time of a sector, 2**-FRACTION_BITS ns, rounded up
        ("offset_sectors", np.int64),  # angle of the first physical sector
        ("track_skew_sectors", np.int64),
        ("cylinder_skew_sectors", np.int64),
        ("serpentine_phase", np.int64),  # head order is reversed where (cylinder + phase) is odd
    ],
    align=True,
)

TRACK_BUFFER = np.dtype(
    [
        ("sectors", np.int64),  # how far the head reads ahead; 0: no track buffer
        ("wanted_sector", np.int64),  # behind the last read, where the next one would continue
        ("head_sector", np.int64),  # next sector to pass under the head; NONE: not reading ahead
        ("head_ns", np.int64),  # when the head had read up to head_sector
        ("limit_sector", np.int64),  # where the buffer will be full
    ],
    align=True,
)

WRITE_CACHE = np.dtype(
    [
        ("capacity_sectors", np.int64),  # 0: a write is done when it is on the media
        ("sectors", np.int64),  # of the runs
        ("piece_sectors", np.int64),  # taken out of them last, to be written
        ("media_ns", np.int64),  # when that is done, or until when the media have been followed
        ("runs", np.int64),
        # Oldest first; one more while the host waits for room.
        ("run_sector", np.int64, (CACHED_RUNS + 1,)),
        ("run_length", np.int64, (CACHED_RUNS + 1,)),
    ],
    align=True,
)

MECHANICS = np.dtype(
    [
        ("revolution_ns", np.int64),
        ("heads", np.int64),
        ("heads_reciprocal", np.int64),
        ("serpentine", np.bool_),
        ("head_switch_ns", np.int64),
        ("write_settle_ns", np.int64),
        ("read_overhead_ns", np.int64, (2,)),  # before a read: [the last request was a write]
        ("write_overhead_ns", np.int64, (2,)),  # before a write
        ("hit_overhead_ns", np.int64, (2,)),  # before a read from the track buffer
        ("read_completion_ns", np.int64),  # after the bus
        ("write_completion_ns", np.int64),
        ("read_bus_ns", np.int64),  # time of a sector on the bus
        ("write_bus_ns", np.int64),
        ("bus_waits_permille", np.int64),  # share of a read on the media before the bus starts
        ("seek_at", np.int64),  # tables: read seek, ns, by cylinder distance
        ("guide_at", np.int64),  # tables: where the run at the start of each block of sectors is
        ("guide_shift", np.int64),  # a block has 2**guide_shift sectors
        ("zones", ZONE, (ZONE_LIMIT,)),
    ],
    align=True,
)

SIMPLE = np.dtype(
    [
        ("average_seek_ns", np.int64),
        ("half_revolution_ns", np.int64),
        ("sector_ps", np.int64),  # time of a sector, 10**-12 s
        ("next_sector", np.int64),  # where a sequential request would continue; NONE at first
    ],
    align=True,
)

DEVICE = np.dtype(
    [
        ("kind", np.int64),
        ("capacity_sectors", np.int64),
        ("cylinder", np.int64),  # where the head stands
        ("head", np.int64),
        ("last_was_write", np.int64),
        ("service_ns", np.int64),  # FIXED only
        ("counters", COUNTERS),
        ("track_buffer", TRACK_BUFFER),
        ("write_cache", WRITE_CACHE),
        ("simple", SIMPLE),
        ("mechanics", MECHANICS),
    ],
    align=True,
)
