import pandas as pd
import pytest

from engine.metrics.knee import knee


def curve(*points):
    cost, gain = zip(*points, strict=True)
    index = [f"setting {number}" for number in range(len(points))]
    return pd.Series(cost, index), pd.Series(gain, index)


def test_the_knee_is_where_the_curve_bends():
    assert knee(*curve((10, 1), (20, 8), (100, 9), (1000, 10))) == "setting 1"


def test_the_order_of_the_settings_does_not_matter():
    assert knee(*curve((1000, 10), (20, 8), (100, 9), (10, 1))) == "setting 1"


def test_both_sides_count_by_ratio():
    cost, gain = curve((10, 1), (20, 8), (100, 9), (1000, 10))
    assert knee(cost * 1000, gain / 7) == knee(cost, gain)


@pytest.mark.parametrize(
    "points",
    [
        [(10, 1)],
        [(10, 1), (1000, 10)],
        [(10, 5), (100, 5.1), (1000, 5.2)],  # the gain hardly moves
        [(10, 1), (10.2, 5), (10.4, 6)],  # the cost hardly moves
        [(10, 1), (100, 1.1), (1000, 10)],  # bends the wrong way
        [(10, 1), (100, 10), (1000, 100)],  # does not bend
    ],
)
def test_no_knee(points):
    assert knee(*curve(*points)) is None
