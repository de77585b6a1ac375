import pandas as pd
import pytest
from plots.synthetic import RANDOM, SEQUENTIAL, run, synthetic_sweep, table

from engine.metrics import WallRule
from engine.metrics.law import with_law
from engine.metrics.walls import walls_table


@pytest.fixture(scope="module")
def walls():
    return walls_table(synthetic_sweep()).set_index(["tree", "test", "machine", "overrides"])


def row(walls, tree, test=SEQUENTIAL, machine="k6-2", overrides="{}"):
    return walls.loc[(tree, test, machine, overrides)]


@pytest.mark.parametrize(
    ("tree", "wall", "published", "agrees"),
    [
        ("2.4.18", "32", "32", "yes"),
        ("2.4.19-pre5", "32", "32", "yes"),
        ("2.5.7", "64", "64", "yes"),
        ("2.4.18-ac-rmap12", "128", "128", "yes"),
        ("2.4.19-pre5-read_latency2", "none up to 256", ">128 or 128", "yes"),
    ],
)
def test_every_tree_has_its_row(walls, tree, wall, published, agrees):
    found = row(walls, tree)
    assert (found["wall"], found["published_wall"], found["agreement"]) == (wall, published, agrees)


def test_a_row_has_the_pool_at_the_first_starving_count(walls):
    found = row(walls, "2.4.19-pre5")
    assert (found["slots"], found["batch"], found["runs"]) == (64, 32, 3)
    assert (found["threads_before"], found["threads_after"]) == (16, 32)
    assert found["read_max_before_s"] == pytest.approx(0.48)
    assert found["read_max_after_s"] == pytest.approx(68)
    assert found["demand_over_slots"] == pytest.approx(32 * 3 / 64)
    assert found["batch_over_slots"] == pytest.approx(0.5)


def test_no_wall_has_nothing_after(walls):
    found = row(walls, "2.4.19-pre5-read_latency2")
    assert found["threads_before"] == 256
    assert pd.isna(found["threads_after"])
    assert found["demand_over_slots"] == pytest.approx(2)


def test_a_changed_kernel_has_no_published_wall(walls):
    assert row(walls, "2.4.19-pre5", overrides='{"queue_size": 64}')["agreement"] == "not published"


def test_the_files_and_the_machine_are_those_of_the_published_runs(walls):
    found = row(walls, "2.4.18", machine="quad_xeon", overrides='{"size_mib": 8192}')
    assert found["agreement"] == "yes"
    for machine, overrides in (
        ("k6-2", {"size_mib": 256}),
        ("quad_xeon", {}),
        ("athlon1333", {}),
    ):
        runs = [run("s", "2.4.18", machine, SEQUENTIAL, count, 1, overrides) for count in (16, 32)]
        found = walls_table(table(runs)).iloc[0]
        assert (found["published_wall"], found["agreement"]) == ("", "not published")


def test_random_reads_have_a_wall_of_their_own(walls):
    assert row(walls, "2.4.19-pre5", RANDOM)["published_wall"] == "64"
    assert row(walls, "2.4.18", RANDOM)["published_wall"] == ""


def test_a_point_of_two_sweeps_counts_once():
    rows = [run(name, "2.4.18", "k6-2", SEQUENTIAL, 8, 1, {}) for name in ("one", "two")]
    assert walls_table(table(rows))["runs"].tolist() == [1]


def test_the_rule_is_the_callers():
    strict = walls_table(synthetic_sweep(), WallRule(floor_s=1000))
    assert strict["wall"].eq("none up to 256").all()


def test_an_empty_sweep_has_the_columns():
    assert list(walls_table(table([]))) == list(walls_table(synthetic_sweep(("2.4.18",), (8,))))


def test_law_is_demand_and_batch_over_slots():
    law = with_law(table([run("s", "2.5.7", "k6-2", SEQUENTIAL, 64, 1, {})])).iloc[0]
    assert law["demand_requests"] == pytest.approx(192)
    assert law["demand_over_slots"] == pytest.approx(1.5)
    assert law["batch_over_slots"] == pytest.approx(0.25)
