"""The record of a request pool, and its kinds."""

from enum import IntEnum

import numpy as np

from engine.core.limits import QUEUE_LIMIT, THREAD_LIMIT


class Pool(IntEnum):
    """How request slots are kept; the package has the table."""

    HALVES = 0  # one half for reads, one for writes
    STEALING = 1  # ... but reads may take from the other half
    PENDING = 2  # ... and freed slots go back by the batch
    GLOBAL = 3  # one array, writes only its lower two thirds
    SECTORS_PRE5 = 4  # one pool, and a limit on queued sectors
    SECTORS_PRE5_AXBOE = 5
    SECTORS = 6


POOL = np.dtype(
    [
        ("kind", np.int64),
        ("slots", np.int64, (2,)),  # for reads and for writes, or in all and 0 where they share
        ("free", np.int64, (2,)),
        ("held", np.int64, (2,)),  # by reads and by writes
        ("slot", np.int64),  # handed out last
        ("used", np.uint8, (QUEUE_LIMIT,)),  # GLOBAL: the array,
        ("cursor", np.int64),  # the slot found last,
        ("cursor_limit", np.int64),  # and below which limit
        ("pending", np.int64, (2,)),  # PENDING: slots on their way back
        ("throttles", np.bool_),  # SECTORS: counts the queued sectors
        ("sectors", np.int64),
        ("most_sectors", np.int64),
        ("batch", np.int64),  # free slots at which sleepers are woken
        ("per_direction", np.bool_),  # two wait queues instead of one
        ("newest_first", np.bool_),  # order of a wait queue
        ("wake_all", np.bool_),  # else one sleeper per release
        ("first", np.int64, (2,)),  # ends of the wait queues
        ("last", np.int64, (2,)),
        ("next", np.int64, (THREAD_LIMIT,)),
        ("previous", np.int64, (THREAD_LIMIT,)),
        ("queued", np.uint8, (THREAD_LIMIT,)),  # stands in a wait queue
        ("woken", np.uint8, (THREAD_LIMIT,)),  # ... but has been woken and not run yet
    ],
    align=True,
)
