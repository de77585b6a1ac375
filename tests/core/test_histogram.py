"""The histogram of times keeps its error bound."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core.histogram import bucket_bounds_ns, bucket_of, percentile_ns
from engine.core.records import HISTOGRAM_BUCKETS

BOUNDS_NS = bucket_bounds_ns()
LIMIT_NS = 2**45
ERROR = 2**-7

TIMES_NS = st.integers(0, 45).flatmap(lambda bits: st.integers(0, 2**bits - 1))


@given(TIMES_NS)
@example(LIMIT_NS - 1)
def test_a_time_lies_in_its_bucket_and_near_its_middle(time_ns):
    bucket = bucket_of(time_ns)
    low_ns, high_ns = BOUNDS_NS[bucket], BOUNDS_NS[bucket + 1] - 1
    assert low_ns <= time_ns <= high_ns
    assert abs((low_ns + high_ns) / 2 - time_ns) <= ERROR * time_ns


def test_the_error_comes_near_its_bound():
    """The bound is no looser than it need be."""
    time_ns = 64 << 30
    bucket = bucket_of(time_ns)
    middle_ns = (BOUNDS_NS[bucket] + BOUNDS_NS[bucket + 1] - 1) / 2
    assert (middle_ns - time_ns) / time_ns == pytest.approx(ERROR, rel=1e-6)


def test_buckets_join_without_gaps_up_to_the_limit():
    assert BOUNDS_NS.shape == (HISTOGRAM_BUCKETS + 1,)
    assert (np.diff(BOUNDS_NS) > 0).all()
    assert [bucket_of(int(low_ns)) for low_ns in BOUNDS_NS[:-1]] == list(range(HISTOGRAM_BUCKETS))
    assert BOUNDS_NS[-1] == LIMIT_NS
    assert bucket_of(LIMIT_NS) == bucket_of(2**62) == HISTOGRAM_BUCKETS - 1


@given(st.lists(TIMES_NS, min_size=1, max_size=50), st.sampled_from([1, 50, 90, 99, 99.99, 100]))
def test_percentiles_are_those_of_the_times(times_ns, percent):
    histogram = np.zeros(HISTOGRAM_BUCKETS, np.int64)
    for time_ns in times_ns:
        histogram[bucket_of(time_ns)] += 1
    exact_ns = np.percentile(times_ns, percent, method="inverted_cdf")
    assert percentile_ns(histogram, percent) == pytest.approx(exact_ns, rel=ERROR)


def test_nothing_counted_has_percentile_0():
    assert percentile_ns(np.zeros(HISTOGRAM_BUCKETS, np.int64), 50) == 0.0
