from importlib import resources

import pytest

from engine import published
from engine.presets import kernel_names, machine_names


@pytest.mark.parametrize("name", published.TABLES)
def test_tables_are_the_reference_tables(shared, name):
    ours = resources.files(published).joinpath(f"{name}.csv").read_bytes()
    assert ours == (shared / "reference" / "published" / f"{name}.csv").read_bytes()


def test_waits_and_shares_are_per_run_and_rates_are_not():
    rows = published.load("tiobench_pre5_xeon").query("threads == 32").set_index("metric")["value"]
    assert rows["read_max_ms"] == pytest.approx(270391.48 / 3)
    assert rows["read_mean_ms"] == pytest.approx(9.883 / 3)
    assert rows["read_over_2s_pct"] == pytest.approx(0.01106 / 3)
    assert rows["read_mib_s"] == pytest.approx(30.24)


def test_one_reader_waits_as_long_as_its_rate_says():
    """Little's law: with one thread, mean call x rate / 4 KiB is just under 1 only for one run."""
    rows = published.load("tiobench_pre5_xeon").query("threads == 1").set_index("metric")["value"]
    busy = rows["read_mean_ms"] / 1000 * rows["read_mib_s"] * 1024 / 4
    assert 0.95 < busy <= 1.0


def test_a_run_is_no_shorter_than_its_longest_wait():
    rows = published.load("tiobench_pre5_xeon").pivot(
        index="threads", columns="metric", values="value"
    )
    assert (rows["read_max_ms"] / 1000 < 8192 / rows["read_mib_s"]).all()


def test_two_runs_were_added_on_the_ext3_machine():
    rows = published.load("tiobench_preempt_256").query("metric == 'read_max_ms'")
    assert rows["runs"].eq(2).all()
    assert rows["value"].max() == pytest.approx(30992.77 / 2)


def test_seconds_become_ms():
    rows = published.load("tiobench_pre1aa1_rl").query("metric == 'read_max_ms'")
    assert rows.set_index("tree")["value"]["2.4.19-pre1aa1"] == pytest.approx(661.3e3 / 3)


def test_bounds_say_which_side():
    bounds = published.points("k6-2", "tiobench_sequential_read", "read_max_ms")
    bounds = bounds[bounds["bound"] != ""].set_index(["tree", "threads"])
    assert bounds.loc[("all ac tested", 64), "bound"] == "upper"
    assert bounds.loc[("all ac tested", 128), "bound"] == "lower"
    assert bounds.loc[("all ac tested", 128), "value"] == pytest.approx(200e3 / 3)


def test_rounded_repeats_of_a_table_are_no_points():
    points = published.points("quad_xeon", "tiobench_sequential_read", "read_max_ms")
    assert points["threads"].tolist() == [1, 32, 64, 128, 256]


@pytest.mark.parametrize(
    ("kernel", "sequential", "random"),
    [
        ("2.4.18", ("32",), ()),
        ("2.4.19-pre5", ("32",), ("64",)),
        ("2.5.7", ("64",), ()),
        ("2.4.18-ac-rmap12", ("128",), ()),
        ("2.4.19-pre5-read_latency2", (">128", "128"), (">128",)),
        ("a kernel of one's own", (), ()),
    ],
)
def test_walls(kernel, sequential, random):
    assert published.walls(kernel, "tiobench_sequential_read") == sequential
    assert published.walls(kernel, "tiobench_random_read") == random


def test_trees_and_machines_are_presets():
    assert set(published.TREES) <= set(kernel_names())
    assert set(published.load()["machine"]) - {""} <= set(machine_names())
