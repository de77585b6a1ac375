import pytest

from engine.metrics import Wall
from engine.metrics.agreement import Reading, agreement


def at(before, after):
    return Wall(before, 0.5, after, 90.0)


def none_up_to(threads):
    return Wall(threads, 0.5, None, None)


def at_or_below(threads):
    return Wall(None, None, threads, 90.0)


@pytest.mark.parametrize(
    ("wall", "published", "first_starving", "last_good"),
    [
        (at(16, 32), "32", "yes", "no"),
        (at(32, 64), "32", "no", "yes"),
        (at(8, 16), "32", "no", "no"),
        (at(64, 128), "32", "no", "no"),
        (at(1, 32), "32", "yes", "no"),  # a coarse sweep says less, and so agrees with more
        (at(30, 31), "32", "yes", "no"),  # 2002 tested 16 and 32, nothing between
        (at(32, 33), "32", "no", "yes"),
        (none_up_to(128), "32", "no", "no"),
        (none_up_to(32), "32", "no", "not tested"),
        (none_up_to(16), "32", "not tested", "not tested"),
        (none_up_to(8), "32", "not tested", "not tested"),
        (at_or_below(32), "32", "not tested", "no"),
        (at_or_below(8), "32", "no", "no"),
        (none_up_to(128), ">128", "yes", "yes"),
        (none_up_to(256), ">128", "yes", "yes"),
        (none_up_to(64), ">128", "not tested", "not tested"),
        (at(128, 256), ">128", "yes", "yes"),
        (at(64, 128), ">128", "no", "no"),
        (at_or_below(64), ">128", "no", "no"),
    ],
)
def test_both_readings(wall, published, first_starving, last_good):
    assert agreement(wall, [published], Reading.FIRST_STARVING) == first_starving
    assert agreement(wall, [published], Reading.LAST_GOOD) == last_good


def test_one_of_several_published_walls_suffices():
    assert agreement(at(64, 128), [">128", "128"], Reading.FIRST_STARVING) == "yes"
    assert agreement(at(16, 32), [">128", "128"], Reading.FIRST_STARVING) == "no"


def test_nothing_published():
    assert agreement(at(16, 32), [], Reading.FIRST_STARVING) == "not published"
