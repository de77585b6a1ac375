"""A log-linear histogram of times.

64 buckets an octave from 64 ns on, and one bucket a ns below, up to 2**45 ns (9.7 hours). The middle of
a bucket is off by less than 2**-7 (0.8 %) of any time in it.
"""

from functools import cache

import numpy as np

from engine.core.jit import kernel
from engine.core.records import HISTOGRAM_BUCKETS

SUBBUCKET_BITS = 6


@kernel
def bucket_of(time_ns):
    """Bucket of a time in ns; times beyond the last bucket count there."""
    shift = 0
    for step in (32, 16, 8, 4, 2, 1):  # the smallest that leaves less than two octaves' buckets
        if time_ns >> (shift + step - 1) >= 1 << (SUBBUCKET_BITS + 1):
            shift += step
    return min((shift << SUBBUCKET_BITS) + (time_ns >> shift), HISTOGRAM_BUCKETS - 1)


@cache
def bucket_bounds_ns() -> np.ndarray:
    """Lower bound of every bucket and, last, the upper bound of the last; shape (buckets + 1,), ns."""
    index = np.arange(HISTOGRAM_BUCKETS + 1)
    shift = np.maximum(0, (index >> SUBBUCKET_BITS) - 1)
    bounds = (index - (shift << SUBBUCKET_BITS)) << shift
    bounds.flags.writeable = False
    return bounds


def percentile_ns(histogram: np.ndarray, percent: float) -> float:
    """Time below which `percent` of the counted lie, the middle of its bucket, in ns; 0 if none."""
    total = histogram.sum()
    if total == 0:
        return 0.0
    bucket = int(np.searchsorted(np.cumsum(histogram), total * percent / 100.0))
    bounds = bucket_bounds_ns()
    return (bounds[bucket] + bounds[bucket + 1] - 1) / 2
