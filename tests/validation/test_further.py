"""The further tables: they load, every figure has an entry, and every point is in a study and resolves."""

from pathlib import Path

import pytest

from engine.pipeline.config import load_config
from engine.pipeline.sweep import axes_of, points_of
from engine.resolve import resolve
from engine.validation import mapping
from engine.validation.mapping import FURTHER
from engine.validation.quantity import all_points_of

ROOT = Path(__file__).resolve().parents[2]
FIGURES = mapping.figures(FURTHER)
SIMULATED = [figure for figure in FIGURES if figure.quantity is not None]


def key_of(point: dict) -> tuple:
    settings = resolve({name: v for name, v in point.items() if name not in ("run", "seed")})
    names = ("kernel", "machine", "workload", "threads")
    return (*(settings[name] for name in names), str(sorted(settings.overrides.items())))


def test_the_further_tables_are_none_of_the_others():
    assert not set(mapping.tables()) & set(mapping.tables(FURTHER))
    assert {study.stem for study in (ROOT / "studies" / "further").glob("*.yaml")} == set(
        mapping.tables(FURTHER)
    )


def test_every_figure_has_an_entry_or_a_reason():
    assert len(FIGURES) == 2574
    assert all((figure.quantity is None) == bool(figure.reason) for figure in FIGURES)


@pytest.mark.parametrize("table", mapping.tables(FURTHER))
def test_a_value_is_what_was_printed(table):
    """Only the table whose waits add up over thread counts has values that are not printed."""
    rows = list(mapping.published_rows(table, FURTHER))
    changed = [row for row in rows if row["raw"].strip("%").lstrip("0") != row["value"].lstrip("0")]
    assert all(row["source"] for row in rows)
    if table == "tiobench_k6_2_feb2002_reiserfs":
        assert {row["metric"] for row in changed} <= {
            *("avg_latency", "max_latency", "lat_gt_2s", "lat_gt_10s")
        }
        assert all(float(row["value"]) >= 0 for row in rows)
    elif table != "iosched_akpm_2003":  # minutes and seconds there
        assert not changed


def test_waits_are_sums_of_three_runs():
    """Little's law for readers that wait all the time: mean call x rate / 4 KiB is 3 times the readers."""
    for table, threads in (
        ("tiobench_k6_2_rc2", "8"),
        ("tiobench_k6_2_feb2002_reiserfs", "16"),
        ("tiobench_xeon_aug2002_reiserfs", "1"),
        ("tiobench_xeon_2003_ext3", "1"),
    ):
        rows = [
            row
            for row in mapping.published_rows(table, FURTHER)
            if row["workload"] == "tiobench seq read" and row["clients"] == threads
        ]
        for kernel in {row["kernel"] for row in rows}:
            of_kernel = {
                row["metric"]: float(row["value"]) for row in rows if row["kernel"] == kernel
            }
            readers = of_kernel["avg_latency"] / 1000 * of_kernel["rate"] * 1024 / 4
            assert 2.8 < readers / int(threads) < 3.05, (table, kernel)


def test_every_point_resolves_and_is_in_a_study():
    studied = {
        key_of(point)
        for study in (ROOT / "studies" / "further").glob("*.yaml")
        for config in [load_config(study, overrides={"runs": 1})]
        for sweep in config.sweeps
        for point in points_of(axes_of(config, sweep))
    }
    for figure in SIMULATED:
        for point in all_points_of(figure.quantity):
            assert key_of(point) in studied, f"{figure.table}, {figure.row['line']}: {point}"


def test_only_figures_without_load_were_used_for_calibration():
    used = {(figure.table, figure.row["workload"]) for figure in FIGURES if figure.calibrated}
    assert used == {
        ("bench_k6_2_rc2", "bonnie++ block write"),
        ("bench_k6_2_rc2", "bonnie++ block read"),
        ("contest_con_elvtune", "contest no_load"),
        ("contest_con_elvtune", "contest cacherun"),
        ("contest_osdl_dec2002", "contest no_load"),
    }
