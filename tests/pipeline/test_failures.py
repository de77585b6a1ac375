"""What a user sees when a point fails, and when the configuration is wrong."""

import re

import pytest

from .conftest import TINY

# One worker: Snakemake uses all cores by itself, and the finished run is shared.
pytestmark = pytest.mark.pipeline

# Known to be impossible only once the disk is there: the files end beyond its last sector.
TOO_LARGE_MIB = 65536


def test_a_failing_point_is_named_and_the_others_finish(workflow):
    sweep = TINY["sweeps"]["tiny"] | {"size_mib": [16, TOO_LARGE_MIB], "threads": [2]}
    workflow.configure(sweeps={"tiny": sweep})
    done = workflow.run()
    assert done.returncode != 0
    assert re.search(rf'failed: tiny .*"kernel":"2.5.7".*"size_mib":{TOO_LARGE_MIB}', done.stdout)
    assert "4 points failed, see results/errors.csv" in done.stdout
    assert len(workflow.table()) == len(workflow.table("errors.csv")) == 4
    assert (workflow.folder / "results" / "walls.csv").exists()
    assert (workflow.folder / "results" / "figures" / "wall.png").exists()
    assert not (workflow.folder / "results" / "complete.txt").exists()

    again = workflow.run()
    assert again.returncode != 0
    assert "points simulated" not in again.stdout
    assert "4 points failed" in again.stdout

    workflow.configure(sweeps={"tiny": sweep | {"size_mib": [16]}})
    assert " 0 points simulated" in workflow.finish("results/complete.txt")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--config", "runs=none"), "--config: runs: 'none' is not right; give a whole number"),
        (("--config", "job_axes=[kernels]"), "job_axes: 'kernels' is no axis; did you mean"),
        (("--configfile", "other.yaml"), "other.yaml: sweeps/tiny: threads: 32 threads need"),
    ],
)
def test_a_mistake_is_one_sentence_before_anything_runs(workflow, arguments, sentence):
    text = (workflow.folder / "config.yaml").read_text(encoding="utf-8")
    other = workflow.folder / "other.yaml"
    other.write_text(text.replace("- 8\n", "- 32\n"), encoding="utf-8")
    done = workflow.run(*arguments)
    assert done.returncode == 1
    *_, last = done.stdout.strip().splitlines()
    assert sentence in last
    assert "Traceback" not in done.stdout
    assert not (workflow.folder / "results").exists()


def test_another_configuration_file_replaces_the_sweeps(finished):
    other = finished.folder / "other.yaml"
    other.write_text(
        "sweeps: {other: {kernel: [2.4.18], machine: [k6-2], threads: [2], size_mib: [16],"
        " queue_size: [64], workload: [tiobench_sequential_read]}}",
        encoding="utf-8",
    )
    output = finished.finish("results/complete.txt", "--configfile", str(other))
    assert " 0 points simulated" in output
    assert [row["sweep"] for row in finished.table()] == ["other"]


def test_advice_on_the_size_of_jobs_is_one_line(workflow):
    sweep = TINY["sweeps"]["tiny"] | {"queue_size": list(range(32, 64, 2))}
    workflow.configure(sweeps={"tiny": sweep})
    lines = [line for line in workflow.finish("--dry-run").splitlines() if "job_axes" in line]
    assert len(lines) == 1
    assert "take queue_size out of job_axes to make it 2" in lines[0]
