import pandas as pd
import pytest

from engine import published
from engine.metrics import Wall, latency_wall


def runs(worst_s, number=1):
    """One run a thread count, from a mapping of threads to seconds."""
    return pd.DataFrame(
        {
            "threads": list(worst_s),
            "run": number,
            "read_max_ms": [1000 * value for value in worst_s.values()],
        }
    )


@pytest.mark.parametrize(
    ("worst_s", "words"),
    [
        ({8: 0.2, 16: 0.4, 32: 90, 64: 110}, "32"),
        ({8: 0.2, 16: 0.4, 32: 0.9, 64: 2}, "none up to 64"),
        ({8: 40, 16: 0.4, 32: 90}, "at or below 8"),
        ({8: 1.0, 16: 10.0, 32: 99}, "none up to 32"),  # 10 s is not above the floor
        ({8: 1.0, 16: 10.1, 32: 200}, "16"),
        ({8: 1.0, 16: 4, 32: 16, 64: 64}, "none up to 64"),  # waits grow long, but never jump
        ({32: 90, 8: 0.2, 16: 0.4}, "32"),  # the order of the rows says nothing
        ({16: 0.4}, "none up to 16"),
        ({16: 40}, "at or below 16"),
    ],
)
def test_wall_in_words(worst_s, words):
    assert str(latency_wall(runs(worst_s))) == words


def test_a_wall_has_its_neighbours():
    wall = latency_wall(runs({8: 0.2, 16: 0.4, 32: 90, 64: 110}))
    assert wall == Wall(16, pytest.approx(0.4), 32, pytest.approx(90))
    assert wall.threads == 32


def test_no_wall_ends_with_the_largest_count():
    wall = latency_wall(runs({8: 0.2, 16: 0.4}))
    assert wall == Wall(16, pytest.approx(0.4), None, None)
    assert wall.threads is None


def test_a_wall_below_the_sweep_has_no_number():
    assert latency_wall(runs({8: 40, 16: 90})).threads is None


def test_the_median_run_decides():
    quiet, loud = {8: 0.2, 16: 0.4}, {8: 0.2, 16: 90}
    one_loud = pd.concat([runs(quiet, 1), runs(loud, 2), runs(quiet, 3)])
    two_loud = pd.concat([runs(loud, 1), runs(loud, 2), runs(quiet, 3)])
    assert str(latency_wall(one_loud)) == "none up to 16"
    assert str(latency_wall(two_loud)) == "16"


def test_jump_and_floor_are_the_callers():
    slow = runs({8: 1.0, 16: 4})
    assert str(latency_wall(slow, jump=3, floor_s=2)) == "16"
    assert str(latency_wall(slow, jump=3, floor_s=5)) == "none up to 16"


def test_no_runs_are_a_defect_of_the_caller():
    with pytest.raises(ValueError, match="at least one run"):
        latency_wall(runs({}))


def test_the_printed_table_of_2002_has_its_wall_at_32():
    printed = published.points("quad_xeon", "tiobench_sequential_read", "read_max_ms")
    printed = printed.rename(columns={"value": "read_max_ms"})
    assert str(latency_wall(printed)) == "32"
