"""Which elevator, pool and read-ahead each generation of vector files asks for."""

from typing import NamedTuple

from engine.core.pools.records import Pool
from engine.core.readahead import ReadAhead

MOST_SECTORS = 8192  # 2.4.22 lets 4 MB be queued


class Queue(NamedTuple):
    """What a schema-1 generation fixes beside its elevator, which has the generation's name."""

    pool: Pool
    max_segments: int
    release_at_dispatch: bool  # whether the script may ask for it


class Sleep(NamedTuple):
    """A wait-1 generation: its pool, who sleeps where, who is woken, and the batch by nr_requests."""

    pool: Pool
    per_direction: bool
    newest_first: bool
    wake_all: bool
    batch_share: int  # the batch is nr_requests divided by this
    batch_most: int


QUEUES = {
    "noop": Queue(Pool.HALVES, 128, True),
    "g20": Queue(Pool.GLOBAL, 128, True),
    "g22a": Queue(Pool.GLOBAL, 128, True),
    "g22b": Queue(Pool.GLOBAL, 128, True),
    "g22c": Queue(Pool.GLOBAL, 128, True),
    "g22d": Queue(Pool.GLOBAL, 128, True),
    "g24a": Queue(Pool.GLOBAL, 128, True),
    "g24b": Queue(Pool.STEALING, 254, True),
    "g24c": Queue(Pool.STEALING, 254, True),
    "g24d": Queue(Pool.STEALING, 254, True),
    "g24e": Queue(Pool.HALVES, 128, True),
    "g24f": Queue(Pool.HALVES, 128, True),
    "g24g": Queue(Pool.HALVES, 128, True),
    "g24h": Queue(Pool.HALVES, 128, True),
    "g24i": Queue(Pool.HALVES, 128, True),
    "g24j": Queue(Pool.SECTORS_PRE5, 128, True),
    "g24k": Queue(Pool.SECTORS_PRE5_AXBOE, 128, True),
    "g24l": Queue(Pool.SECTORS, 128, True),
    "g25a": Queue(Pool.HALVES, 128, False),
    "g25b": Queue(Pool.HALVES, 128, False),
}
UNLIMITED = 2**30
SLEEPS = {
    "w22": Sleep(Pool.GLOBAL, False, True, True, UNLIMITED, 0),
    "w240": Sleep(Pool.STEALING, False, False, False, UNLIMITED, 0),
    "w249": Sleep(Pool.PENDING, False, False, False, 8, 32),
    "w2418": Sleep(Pool.HALVES, False, True, True, 4, UNLIMITED),
    "w2419": Sleep(Pool.HALVES, True, False, False, 4, 32),
    "w2421": Sleep(Pool.HALVES, True, True, True, 4, 32),
    "w2422": Sleep(Pool.SECTORS, False, False, False, 4, 32),
    "w2422p5": Sleep(Pool.SECTORS_PRE5, False, False, False, 4, 32),
    "w257": Sleep(Pool.HALVES, True, True, True, 4, 32),
    "w2513": Sleep(Pool.HALVES, True, False, False, 4, 32),
}
READ_AHEADS = {
    "2.2.17": ReadAhead.V2_2,
    "2.4.0": ReadAhead.V2_4_0,
    "2.4.18": ReadAhead.V2_4_1,
    "2.4.22": ReadAhead.V2_4_1,
}


def family(generation: str) -> str:
    """The part of a generation's name that names its elevator or pool: `g24e` of `g24e_2.4.19`."""
    return generation.split("_", maxsplit=1)[0]
