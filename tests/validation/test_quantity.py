import pandas as pd
import pytest

from engine.validation.quantity import NotSimulatedError, Quantity, Runs, simulated

from .synthetic import XEON, row, table

AXES = {name: (value,) for name, value in XEON.items()}


def of(value: str, rows: pd.DataFrame, axes: dict = AXES, **words: object) -> tuple[float, ...]:
    return simulated(Quantity(value, axes, **words), Runs(rows)).values


def with_runs(*values: float) -> pd.DataFrame:
    return table(*(row(XEON, run, read_max_ms=v, read_mib_s=v) for run, v in enumerate(values)))


def test_waits_of_three_runs_are_added_as_often_as_there_are_three():
    rows = with_runs(1.0, 2.0, 3.0, 10.0, 20.0, 30.0)
    assert of("read_max_ms", rows, over_runs="sum", numruns=3) == (6.0, 60.0)


def test_rates_are_all_bytes_over_all_time():
    # 60 MiB at 10, 20 and 30 MiB/s take 6 + 3 + 2 s.
    assert of("read_mib_s", with_runs(10.0, 20.0, 30.0), over_runs="rate", numruns=3) == (
        pytest.approx(180 / 11),
    )


def test_a_rate_of_nothing_is_nothing():
    assert of("read_mib_s", with_runs(10.0, 0.0), over_runs="rate", numruns=2) == (0.0,)


def test_other_figures_are_means():
    assert of("read_max_ms", with_runs(1.0, 2.0, 6.0), numruns=3) == (3.0,)
    assert of("read_max_ms", with_runs(1.0, 2.0, 6.0)) == (1.0, 2.0, 6.0)


def test_too_few_runs_are_scaled_up_and_say_so():
    result = simulated(Quantity("read_max_ms", AXES, "sum", 3), Runs(with_runs(4.0)))
    assert result.values == (12.0,)
    assert result.remarks == ("1 of 3 runs",)


def test_the_runs_are_sorted_and_each_counts_once():
    rows = pd.concat([with_runs(1.0, 2.0).iloc[::-1], with_runs(1.0, 2.0)])
    assert of("read_max_ms", rows) == (1.0, 2.0)


def test_an_expression_may_use_every_column():
    rows = table(row(XEON, duration_s=66.0))
    assert of("132 * threads / duration_s", rows) == (64.0,)


def test_an_expression_may_be_about_a_class():
    classes = '{"ls": {"round_mean_s": 2.5}, "opt": {"threads": 450, "finish_last_s": null}}'
    rows = table(row(XEON, classes=classes))
    assert of("2 * round_mean_s_of_ls", rows) == (5.0,)
    with pytest.raises(NotSimulatedError, match="had not finished when the run ended"):
        of("132 * threads_of_opt / finish_last_s_of_opt", rows)


def test_a_value_equal_to_the_presets_makes_no_difference():
    rows = table(row({**XEON, "ram_mib": 4096}, read_calls=5))
    assert of("read_calls", rows) == (5.0,)


def test_across_points():
    rows = table(*(row({**XEON, "threads": n}, read_max_ms=float(n)) for n in (8, 16)))
    axes = {**AXES, "threads": (8, 16)}
    assert of("read_max_ms", rows, axes, across="min") == (8.0,)
    assert of("read_max_ms", rows, axes, across="max") == (16.0,)


@pytest.mark.parametrize(
    ("longest_ms", "wall", "remarks"),
    [
        ((100.0, 200.0, 50_000.0), 32.0, ()),
        ((100.0, 200.0, 300.0), 32.0, ("none up to 32",)),
        ((20_000.0, 30_000.0, 50_000.0), 8.0, ("at or below 8",)),
    ],
)
def test_a_wall_over_threads(longest_ms, wall, remarks):
    counts = (8, 16, 32)
    rows = table(
        *(
            row({**XEON, "threads": n}, read_max_ms=ms)
            for n, ms in zip(counts, longest_ms, strict=True)
        )
    )
    quantity = Quantity("read_max_ms", {**AXES, "threads": counts}, across="wall")
    result = simulated(quantity, Runs(rows))
    assert (result.values, result.remarks) == ((wall,), remarks)


@pytest.mark.parametrize(
    ("meaning", "value"), [("ratio", 1.25), ("gain_pct", 25.0), ("loss_pct", -25.0)]
)
def test_against_another_point(meaning, value):
    other = {**XEON, "kernel": "2.4.18"}
    rows = table(row(XEON, read_mib_s=50.0), row(other, read_mib_s=40.0))
    against = {"kernel": "2.4.18"}
    assert of("read_mib_s", rows, against=against, meaning=meaning) == (pytest.approx(value),)


def test_what_another_point_does_not_have():
    alone = {"kernel": "2.4.18", "machine": "k6-2", "workload": "tiobench_sequential_read"}
    beside = {"kernel": "2.4.18", "machine": "k6-2", "workload": "readers_beside_a_writer"}
    beside |= {"writer_mib": 64}
    rows = table(row(beside, duration_s=30.0), row(alone, duration_s=10.0))
    against = {"workload": "tiobench_sequential_read", "threads": None, "writer_mib": None}
    axes = {name: (value,) for name, value in beside.items()}
    assert of("duration_s", rows, axes, against=against) == (3.0,)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"machine": ("pdp-11",)}, "there is no machine 'pdp-11'"),
        ({"workload": ("tiobnch",)}, "did you mean 'tiobench'"),
        ({"threads": (64,)}, "no study has this point"),
    ],
)
def test_what_is_not_there_says_why(change, reason):
    quantity = Quantity("read_max_ms", {**AXES, **change})
    with pytest.raises(NotSimulatedError, match=reason):
        simulated(quantity, Runs(with_runs(1.0)))


def test_a_failed_point_gives_its_error():
    error = {"point": '{"run":0,"seed":0,' + str(XEON)[1:].replace("'", '"'), "error": "Oops"}
    with pytest.raises(NotSimulatedError, match="Oops"):
        simulated(Quantity("read_max_ms", AXES), Runs(table(), [error]))
