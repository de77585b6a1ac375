import json
from importlib import resources
from pathlib import Path

import pandas as pd
import pytest

from engine.errors import UserError
from engine.metrics.classes import with_classes
from engine.pipeline.config import load_config
from engine.pipeline.sweep import axes_of, points_of
from engine.resolve import resolve
from engine.results import COLUMN
from engine.validation import mapping
from engine.validation.quantity import Quantity, all_points_of

ROOT = Path(__file__).resolve().parents[2]
FIGURES = mapping.figures()
SIMULATED = [figure for figure in FIGURES if figure.quantity is not None]


def name_of(figure: mapping.Figure) -> str:
    return f"{figure.table}-{figure.row['line']}-{figure.row['metric']}"


def test_every_published_figure_has_an_entry_or_a_reason():
    assert len(FIGURES) == 501
    assert all((figure.quantity is None) == bool(figure.reason) for figure in FIGURES)


@pytest.mark.parametrize("name", mapping.tables())
def test_tables_are_the_reference_tables(shared, name):
    ours = resources.files("engine.published").joinpath(f"{name}.csv").read_bytes()
    assert ours == (shared / "reference" / "published" / f"{name}.csv").read_bytes()


def test_all_reference_tables_are_there(shared):
    theirs = {path.stem for path in (shared / "reference" / "published").glob("*.csv")}
    assert theirs == set(mapping.tables())


def test_values_are_made_of_columns_of_the_results():
    row = pd.DataFrame({name: [column.kind()] for name, column in COLUMN.items()})
    for quantity in {figure.quantity.value: figure.quantity for figure in SIMULATED}.values():
        with_classes(row.assign(classes=classes_of(quantity))).eval(quantity.value)


def classes_of(quantity: Quantity) -> str:
    """What the column `classes` would hold of a quantity's first point."""
    things = dict.fromkeys(("threads", "finish_last_s", "rounds", "round_mean_s", "late_s"), 1)
    try:
        plan = resolve(all_points_of(quantity)[0]).plan
    except UserError:
        return "{}"  # its preset is not there yet
    return json.dumps({one.name: things for one in plan.classes})


def test_points_that_can_be_simulated_are_in_a_study():
    studied = {
        key_of(point)
        for study in sorted((ROOT / "studies" / "published").glob("*.yaml"))
        for point in points_of_study(study)
    }
    for figure in SIMULATED:
        for point in all_points_of(figure.quantity):
            try:
                key = key_of(point)
            except UserError:
                continue  # its preset is not there yet: a row of the scorecard says so
            assert key in studied, f"{name_of(figure)}: no study has {point}"


def points_of_study(study: Path) -> list[dict]:
    config = load_config(study, overrides={"runs": 1})
    return [point for sweep in config.sweeps for point in points_of(axes_of(config, sweep))]


def key_of(point: dict) -> tuple:
    settings = resolve({name: v for name, v in point.items() if name not in ("run", "seed")})
    names = ("kernel", "machine", "workload", "threads")
    return (*(settings[name] for name in names), str(sorted(settings.overrides.items())))


def test_only_figures_of_one_thread_and_marked_ones_were_used_for_calibration():
    used = {(figure.table, figure.row["clients"]) for figure in FIGURES if figure.calibrated}
    assert used <= {
        ("tiobench_pre5_xeon", "1"),
        ("dbench_quick_osdl", "1"),
        ("elv_test", "8"),  # files, created by one process
        ("contest_jens_2003", ""),  # without load
        (
            "mp3_mtest01_mmap001",
            "1",
        ),  # how many rounds were made, which is nothing of the machine's
        ("wall", ""),  # marked
    }


def test_a_sum_is_of_as_many_runs_as_the_table_says():
    by_table = {figure.table: figure.quantity.numruns for figure in SIMULATED}
    assert by_table["tiobench_pre5_xeon"] == 3
    assert by_table["tiobench_preempt_256"] == 2


def entry(monkeypatch, **words):
    document = {"machines": {}, "kernels": {}, "tables": {"a_table": [words]}}
    row = {"line": "1", "table": "", "metric": "rate", "kernel": "2.4.18", "machine": "k6-2"}
    row |= {"clients": "32", "runs": "3", "note": "partition /home/x"}
    monkeypatch.setattr(mapping, "read", lambda name, folder: document)
    monkeypatch.setattr(mapping, "tables", lambda folder: ("a_table",))
    monkeypatch.setattr(mapping, "published_rows", lambda table, folder: iter([row]))
    return mapping.figures()[0]


POINT = {"workload": "tiobench", "threads": "$clients"}


def test_a_point_takes_values_of_the_row(monkeypatch):
    quantity = entry(monkeypatch, point=POINT, metrics={"rate": {"value": "read_mib_s"}}).quantity
    assert quantity.axes["threads"] == ("32",)
    assert quantity.axes["kernel"] == ("2.4.18",)
    assert quantity.numruns == 3


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"point": POINT, "metrics": {}}, "no entry"),
        ({"where": {"clients": 64}, "reason": "x"}, "no entry"),
        ({"pint": POINT, "metrics": {"rate": {"value": "read_mib_s"}}}, "no such word 'pint'"),
        ({"point": POINT, "metrics": {"rate": {"value": "1", "over_runs": "max"}}}, "'max' is not"),
    ],
)
def test_a_slip_in_the_mapping_is_named(monkeypatch, words, text):
    with pytest.raises(UserError, match=text):
        entry(monkeypatch, **words)


def test_a_note_is_chosen_by_its_beginning(monkeypatch):
    assert entry(monkeypatch, where={"note": "partition /home"}, reason="x").reason == "x"
