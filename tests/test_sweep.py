"""From a configuration to points and jobs, and what makes a job's spec change."""

import dataclasses
import json
import subprocess
import sys

import pytest

from engine.pipeline.advice import advice, left_over
from engine.pipeline.config import checked_config
from engine.pipeline.sweep import canonical, jobs_of, points_of

AXES = {
    "threads": [2, 8],
    "queue_size": [64, 128],
    "kernel": ["2.4.18", "2.5.7"],
    "workload": ["tiobench_sequential_read"],
    "machine": ["k6-2"],
    "size_mib": [16],
}


def config_of(**changed):
    runs = changed.pop("runs", 2)
    return checked_config({"runs": runs, "sweeps": {"tiny": AXES | changed}})


def points_in(jobs):
    return [point for job in jobs for point in points_of(job.axes)]


def test_a_sweep_is_every_combination_once():
    points = points_in(jobs_of(config_of()))
    assert len(points) == len({canonical(point) for point in points}) == 2 * 2 * 2 * 2
    assert {point["run"] for point in points} == {0, 1}
    assert {point["seed"] for point in points} == {0}


def test_job_axes_become_the_path_and_the_others_are_looped_inside():
    jobs = jobs_of(config_of())
    workload = "workload~tiobench_sequential_read"
    assert [job.name for job in jobs] == [
        f"tiny/kernel~{kernel}/{workload}/queue_size~{size}"
        for kernel in ("2.4.18", "2.5.7")
        for size in (64, 128)
    ]
    assert jobs[0].axes["threads"] == (2, 8)


def test_grouping_changes_the_jobs_but_not_the_points():
    config = config_of()
    one_job = dataclasses.replace(config, job_axes=())
    many = dataclasses.replace(config, job_axes=("threads", "kernel", "queue_size"))
    assert [job.name for job in jobs_of(one_job)] == ["tiny/all"]
    assert len(jobs_of(many)) == 8
    texts = [{canonical(point) for point in points_in(jobs_of(c))} for c in (config, one_job, many)]
    assert texts[0] == texts[1] == texts[2]


def test_the_order_of_axes_does_not_matter():
    config, reversed_config = (
        config_of(),
        checked_config({"runs": 2, "sweeps": {"tiny": dict(reversed(AXES.items()))}}),
    )
    assert [j.spec for j in jobs_of(config)] == [j.spec for j in jobs_of(reversed_config)]


def test_runs_are_walked_fastest():
    runs = [point["run"] for point in points_in(jobs_of(config_of()))]
    assert runs == [0, 1] * 8


@pytest.mark.parametrize(
    "changed",
    [{"threads": [2, 4]}, {"runs": 3}, {"size_mib": [32]}, {"read_latency": [8]}],
    ids=str,
)
def test_a_change_inside_changes_the_spec(changed):
    before = {job.spec for job in jobs_of(config_of())}
    assert before.isdisjoint(job.spec for job in jobs_of(config_of(**changed)))


def test_swapped_values_of_two_axes_change_the_spec():
    first = config_of(read_latency=[10], write_latency=[20])
    second = config_of(read_latency=[20], write_latency=[10])
    assert {j.spec for j in jobs_of(first)}.isdisjoint(j.spec for j in jobs_of(second))


def test_a_new_value_of_a_job_axis_leaves_the_other_jobs_alone():
    before = {job.name: job.spec for job in jobs_of(config_of())}
    after = {job.name: job.spec for job in jobs_of(config_of(queue_size=[64, 128, 256]))}
    assert len(after) == 6
    assert before.items() <= after.items()


def test_equal_values_of_other_types_give_equal_specs():
    assert [j.spec for j in jobs_of(config_of(threads=[2.0, "8"]))] == [
        j.spec for j in jobs_of(config_of())
    ]


def test_a_file_counts_with_its_content(tmp_path, monkeypatch):
    config = config_of()
    tiny = {**config.sweeps["tiny"], "disk": ("my_disk.yaml",)}
    config = dataclasses.replace(config, sweeps={"tiny": tiny})
    monkeypatch.chdir(tmp_path)
    specs = set()
    for content in ("one", "two"):
        (tmp_path / "my_disk.yaml").write_text(content, encoding="utf-8")
        specs |= {job.spec for job in jobs_of(config)}
    assert len(specs) == 2 * len(jobs_of(config))


def test_a_path_in_a_value_makes_no_folders():
    config = config_of()
    tiny = {**config.sweeps["tiny"], "disk": ("disks/my disk.yaml",)}
    config = dataclasses.replace(config, sweeps={"tiny": tiny}, job_axes=("disk",))
    assert [job.name for job in jobs_of(config)] == ["tiny/disk~disks%2Fmy%20disk.yaml"]


def test_a_spec_is_canonical_json():
    spec = jobs_of(config_of())[0].spec
    assert canonical(json.loads(spec)) == spec
    assert set(json.loads(spec)) == {"axes", "engine", "files"}


def test_advice_on_many_jobs_names_the_axis_to_move_inside():
    sizes = list(range(16, 16 + 150))
    (line,) = advice(config_of(queue_size=sizes))
    assert line == (
        "sweeps/tiny: 300 jobs, more than 200; take queue_size out of job_axes to make it 2"
    )


def test_advice_on_small_jobs():
    (line,) = advice(config_of(queue_size=list(range(16, 36))))
    assert line.startswith("sweeps/tiny: 40 jobs with about 0.")
    assert line.endswith("; take queue_size out of job_axes to make it 2")


def test_figures_of_another_configuration_are_named(tmp_path):
    config = config_of()
    for name in (*config.figures, "a_knee", "zones"):
        (tmp_path / f"{name}.png").touch()
    (line,) = left_over(config, tmp_path)
    assert line.startswith(f"{tmp_path}: a_knee, zones are of another configuration")
    assert list(left_over(config, tmp_path / "missing")) == []


def test_no_advice_without_need():
    assert list(advice(config_of())) == []


def test_a_simulation_job_loads_neither_pandas_nor_matplotlib():
    code = (
        "import sys, engine.jobs.simulate, engine.simulate;"
        "sys.exit(any(name in sys.modules for name in ('pandas', 'matplotlib')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
