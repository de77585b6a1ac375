"""What stands behind one request queue: the queue, its pool, its driver and drive, and what they measure."""

import numpy as np

from engine.core.devices import DEVICE
from engine.core.limits import DEPTH_LIMIT, DISK_LIMIT, PART_LIMIT
from engine.core.pools.records import POOL
from engine.core.queue_records import QUEUE

PART = np.dtype(
    [
        ("request", np.int64),
        ("disk", np.int64),
        ("sector", np.int64),  # of the disk
        ("nr_sectors", np.int64),
    ],
    align=True,
)

QUEUE_MEASURES = np.dtype(
    [
        ("merges_before", np.int64),  # when the phase that is measured began
        ("completed_before", np.int64),
        ("buffers", np.int64),  # submitted to the queue
        ("merges", np.int64),
        ("joins", np.int64),
        ("completed", np.int64),
        ("completed_sectors", np.int64),
        ("expired", np.int64),  # dispatched with no passovers left
        ("queue_ns", np.int64),  # sum of Q2D
        ("device_ns", np.int64),  # sum of D2C
        ("length_area", np.int64),  # queue length integrated over time
        ("length_since_ns", np.int64),
        ("length_max", np.int64),
        ("slot_sleeps", np.int64),
        ("slot_sleep_max_ns", np.int64),
    ],
    align=True,
)

BLOCK_DEVICE = np.dtype(
    [
        ("first_page", np.int64),  # block of its first page in `pages`,
        ("data_start_sector", np.int64),  # which lies there
        ("driver", np.int64),
        ("queue_depth", np.int64),
        ("drive_order", np.int64),
        ("drive_age_ns", np.int64),  # after which a command goes first
        ("release_at_dispatch", np.bool_),  # a slot goes back when the driver takes the request
        ("held", np.int64),  # commands in the drive
        ("first_disk", np.int64),  # number of its first disk among those of all block devices
        ("nr_disks", np.int64),  # with RAID-0
        ("stripe_sectors", np.int64),
        ("nr_parts", np.int64),  # of commands, each for one disk, in order of arrival
        ("parts", PART, (PART_LIMIT,)),
        ("served", np.int64, (DISK_LIMIT,)),  # the part each disk works on, or NONE
        ("drive_sector", np.int64, (DISK_LIMIT,)),  # where its last part began
        ("in_drive", np.int64, (DEPTH_LIMIT,)),  # in order of arrival
        ("measures", QUEUE_MEASURES),
        ("queue", QUEUE),
        ("pool", POOL),
        ("disks", DEVICE, (DISK_LIMIT,)),
    ],
    align=True,
)
