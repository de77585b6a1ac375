"""Which elevator over which pool makes which kernel: the names of the vector files."""

from .g20_g22a import G20, G22A
from .g22bc import G22B, G22C
from .g22d import G22D
from .g24a_g24c import G24A, G24C
from .g24b_g24d import G24B, G24D
from .g24e import G24E
from .g24f import G24F
from .g24g_to_l import G24G, G24H, G24I, G24L
from .g25a import G25A
from .g25b import G25B
from .noop import Noop
from .pool_22 import W22, W24Test1
from .pool_2422 import W2422, SectorPool, W2422Pre5, W2422Pre5Axboe
from .pools import W240, W249, W2418, W2419, W2421, W2539, SlotPool
from .queue import RequestQueue
from .readahead import ReadAhead22, ReadAhead24, ReadAhead240
from .request import Settings

QUEUES = {
    "noop": (Noop, W2419),
    "g20": (G20, W22),
    "g22a": (G22A, W22),
    "g22b": (G22B, W22),
    "g22c": (G22C, W22),
    "g22d": (G22D, W22),
    "g24a": (G24A, W24Test1),
    "g24b": (G24B, W240),
    "g24c": (G24C, W240),
    "g24d": (G24D, W240),
    "g24e": (G24E, W2419),
    "g24f": (G24F, W2419),
    "g24g": (G24G, W2419),
    "g24h": (G24H, W2419),
    "g24i": (G24I, W2421),
    "g24j": (G24L, W2422Pre5),
    "g24k": (G24L, W2422Pre5Axboe),
    "g24l": (G24L, W2422),
    "g25a": (G25A, W2421),
    "g25b": (G25B, W2539),
}

POOLS = {
    "w22": W22,
    "w240": W240,
    "w249": W249,
    "w2418": W2418,
    "w2419": W2419,
    "w2421": W2421,
    "w2422": W2422,
    "w2422p5": W2422Pre5,
    "w257": W2421,
    "w2513": W2419,
}

READ_AHEADS = {
    "ra_2.2.17": ReadAhead22,
    "ra_2.4.0": ReadAhead240,
    "ra_2.4.18": ReadAhead24,
    "ra_2.4.22": ReadAhead24,
}


def make_queue(generation: str, settings: Settings) -> RequestQueue:
    """An empty queue of one of `QUEUES` with the pool its kernel had."""
    queue, pool = QUEUES[generation]
    if issubclass(pool, SectorPool):
        return queue(settings, pool(settings.nr_requests, settings.throttle))
    return queue(settings, pool(settings.nr_requests))


def make_pool(
    name: str, nr_requests: int, throttle: bool, max_queue_sectors: int | None
) -> SlotPool:
    """An empty pool of one of `POOLS`; the last two arguments matter to 2.4.22 alone."""
    pool = POOLS[name]
    if not issubclass(pool, SectorPool):
        return pool(nr_requests)
    if max_queue_sectors is None:
        return pool(nr_requests, throttle)
    return pool(nr_requests, throttle, max_queue_sectors)
