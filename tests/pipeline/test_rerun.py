"""What runs again after a change, after a kill, and when there is nothing to do."""

import re
import shutil

import pytest

from engine.pipeline.sweep import canonical

from .conftest import ROOT, TINY, Workflow

# One worker: Snakemake uses all cores by itself, and the finished run is shared.
pytestmark = pytest.mark.pipeline

NOTHING = "Nothing to be done"
COMPLETE = "results/complete.txt"


def simulated(output: str) -> int:
    """Points simulated in a run, as its jobs say."""
    return sum(map(int, re.findall(r"(\d+) points simulated", output)))


def with_axes(**axes):
    return {"tiny": TINY["sweeps"]["tiny"] | axes}


def test_a_first_run_builds_everything(finished):
    rows = finished.table()
    assert len(rows) == len(finished.stored_points()) == 2 * 2 * 2
    assert {row["sweep"] for row in rows} == {"tiny"}
    assert [row["threads"] for row in rows[:4]] == ["2", "2", "8", "8"]
    assert finished.table("errors.csv") == []
    for name in ("walls.csv", "columns.csv", "provenance.json", "complete.txt"):
        assert (finished.folder / "results" / name).stat().st_size > 0


def test_nothing_to_do_does_nothing(finished):
    assert NOTHING in finished.finish()
    assert len(finished.stored_points()) == 8


def test_a_dry_run_writes_nothing(workflow):
    assert "This was a dry-run" in workflow.finish("--dry-run")
    assert not (workflow.folder / "results").exists()


@pytest.mark.parametrize(
    ("axes", "new_points", "new_jobs"),
    [({"threads": [2, 4, 8]}, 4, 4), ({"kernel": ["2.4.18", "2.4.19", "2.5.7"]}, 4, 2)],
    ids=["inside", "job_axis"],
)
def test_a_new_value_simulates_its_points_only(finished, axes, new_points, new_jobs):
    before = finished.table()
    finished.configure(sweeps=with_axes(**axes))
    output = finished.finish(COMPLETE)
    assert simulated(output) == new_points
    assert len(re.findall(r"^Job \d+: simulate ", output, re.M)) == new_jobs
    after = finished.table()
    assert len(after) == len(before) + new_points
    assert all(row in after for row in before)
    assert NOTHING in finished.finish(COMPLETE)


def test_another_run_simulates_that_run_only(finished):
    assert simulated(finished.finish(COMPLETE, "--config", "runs=2")) == 8
    assert {row["run"] for row in finished.table()} == {"0", "1"}


def test_a_removed_value_simulates_nothing(finished):
    finished.configure(sweeps=with_axes(threads=[8]))
    assert simulated(finished.finish(COMPLETE)) == 0
    assert {row["threads"] for row in finished.table()} == {"8"}


def test_other_jobs_and_another_name_simulate_nothing(finished):
    before = finished.table()
    finished.configure(job_axes=["threads"], sweeps={"renamed": TINY["sweeps"]["tiny"]})
    assert simulated(finished.finish(COMPLETE)) == 0
    after = [{**row, "sweep": "tiny"} for row in finished.table()]
    assert sorted(map(canonical, after)) == sorted(map(canonical, before))


def test_another_wall_rule_simulates_nothing_and_draws_again(finished):
    output = finished.finish("results/walls.csv", "--config", "wall={jump: 5}")
    assert "simulate" not in output
    assert "walls" in output
    provenance = (finished.folder / "results" / "provenance.json").read_text(encoding="utf-8")
    assert '"jump": 5' in provenance


def test_a_killed_run_resumes_with_the_points_it_had(workflow, killed_after):
    workflow.configure(runs=100)
    stored = killed_after(40)
    assert 40 <= stored < 800
    workflow.finish("--unlock")
    assert simulated(workflow.finish(COMPLETE)) == 800 - stored
    assert len(workflow.table()) == 800


def test_any_number_of_cores_gives_the_same_bytes(finished, tmp_path_factory):
    alone = Workflow(tmp_path_factory.mktemp("one_core"))
    alone.configure(job_axes=[])
    alone.finish("results/sweep.csv", cores=1)
    sweep = finished.folder / "results" / "sweep.csv"
    assert (alone.folder / "results" / "sweep.csv").read_bytes() == sweep.read_bytes()


def test_an_edit_of_the_engine_runs_all_again_and_one_of_a_plot_only_the_figures(
    finished, tmp_path_factory
):
    source = tmp_path_factory.mktemp("source")
    for name in ("engine", "rules", "profiles"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    shutil.copy(ROOT / "Snakefile", source)
    edited = Workflow(finished.folder, source)
    assert NOTHING in edited.finish("--dry-run")

    append(source / "engine" / "plots" / "wall.py")
    assert jobs_planned(edited) >= {"figure", "walls"}
    assert jobs_planned(edited).isdisjoint({"warm", "simulate", "aggregate"})

    append(source / "engine" / "core" / "loop.py")
    assert jobs_planned(edited) >= {"warm", "simulate", "aggregate", "figure", "walls"}


def append(path):
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def jobs_planned(workflow):
    """Names of the rules that a dry run would run."""
    return set(re.findall(r"^(\w+) +\d+$", workflow.finish("--dry-run"), re.M)) - {"all", "total"}
