"""config.yaml: what is right is understood, what is wrong gets one sentence with its place."""

import re
from pathlib import Path

import pytest

from engine.errors import UserError
from engine.parameters import PARAMETERS
from engine.pipeline.config import checked_config, load_config, schema

ROOT = Path(__file__).resolve().parents[1]

TINY = """
sweeps:
  tiny:
    kernel: [2.4.18]
    machine: [k6-2]
    workload: [tiobench_sequential_read]
    size_mib: [16]
    threads: [2, 8]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_filled_in(tmp_path):
    config = load_config(written(tmp_path, TINY))
    assert (config.seed, config.runs, config.wall.jump, config.wall.floor_s) == (0, 3, 10, 10)
    assert config.sweeps["tiny"]["threads"] == (2, 8)
    assert "queue_size" in config.job_axes


def test_the_default_configuration_is_right():
    config = load_config(ROOT / "config.yaml")
    trees = config.sweeps["sequential_k6_2"]["kernel"]
    assert len(trees) == 6
    assert config.sweeps["sequential_k6_2"]["threads"] == (1, 8, 16, 32, 64, 128, 256)


def test_text_from_a_command_line_becomes_numbers(tmp_path):
    axes = {
        "kernel": ["2.4.18"],
        "machine": ["k6-2"],
        "workload": ["tiobench_sequential_read"],
        "threads": ["4", "8"],
        "call_us": ["2.5"],
        "queue_size": ["auto", "64"],
    }
    overrides = {"runs": "1", "wall": {"jump": "5.5"}, "sweeps": {"text": axes}}
    config = load_config(written(tmp_path, TINY), overrides=overrides)
    assert (config.runs, config.wall.jump, config.wall.floor_s) == (1, 5.5, 10)
    assert list(config.sweeps) == ["text"]
    assert config.sweeps["text"]["threads"] == (4, 8)
    assert config.sweeps["text"]["call_us"] == (2.5,)
    assert config.sweeps["text"]["queue_size"] == ("auto", 64)


def test_an_axis_has_one_type_whatever_its_values_look_like(tmp_path):
    text = TINY + "    call_us: [2, 2.5]\n    queue_size: [64.0]\n"
    axes = load_config(written(tmp_path, text)).sweeps["tiny"]
    assert [type(value) for value in axes["call_us"]] == [float, float]
    assert [type(value) for value in axes["queue_size"]] == [int]


def test_a_second_file_replaces_whole_keys(tmp_path):
    first = written(tmp_path, "runs: 7\n" + TINY)
    second = tmp_path / "other.yaml"
    second.write_text(TINY.replace("tiny", "other"), encoding="utf-8")
    config = load_config(first, second)
    assert (config.runs, list(config.sweeps)) == (7, ["other"])


THREADS = "    threads: [2, 8]"

MISTAKES = {
    "unknown_key": ("seeed: 1" + TINY, "seeed: unknown key; did you mean 'seed'?"),
    "unknown_axis": (
        TINY + "    read_latencies: [8]",
        "sweeps/tiny/read_latencies: unknown key; did you mean 'read_latency'?",
    ),
    "misspelt_needed_axis": (
        TINY.replace("threads", "thread"),
        "sweeps/tiny/thread: unknown key; did you mean 'threads'?",
    ),
    "missing_axis": (
        TINY.replace("    machine: [k6-2]\n", ""),
        "sweeps/tiny/machine: missing; give a list of values",
    ),
    "run_as_axis": (
        TINY + "    run: [1]",
        "sweeps/tiny/run: unknown key; the key 'runs' at the top level sets it for all sweeps",
    ),
    "no_sweeps_key": ("runs: 1", "sweeps: missing; give a sweep its name"),
    "no_sweep": ("sweeps: {}", "sweeps: there is nothing here; give a sweep its name"),
    "empty_sweep": ("sweeps: {tiny: {}}", "sweeps/tiny/kernel: missing"),
    "null_sweep": ("sweeps: {tiny: }", "sweeps/tiny: there is nothing here"),
    "null_axis": (TINY.replace(THREADS, "    threads:"), "sweeps/tiny/threads: there is nothing"),
    "empty_axis": (TINY.replace("[2, 8]", "[]"), "sweeps/tiny/threads: there is nothing here"),
    "null_value": (TINY.replace("[2, 8]", "[2, null]"), "sweeps/tiny/threads: a value is empty"),
    "scalar": (TINY.replace("[2, 8]", "8"), "sweeps/tiny/threads: 8 is not a list; write [8]"),
    "text_for_list": (
        TINY.replace("[2.4.18]", "2.4.18"),
        "sweeps/tiny/kernel: '2.4.18' is not a list; write [2.4.18]",
    ),
    "duplicate": (TINY.replace("[2, 8]", "[2, 8, 2]"), "threads: 2 is listed twice; keep one"),
    "duplicate_after_typing": (
        TINY.replace("[2, 8]", "[2, '2']"),
        "sweeps/tiny/threads: 2 is listed twice; keep one",
    ),
    "leading_zero": (TINY.replace("[2, 8]", "[08]"), "'08' is not a plain number; write 8"),
    "octal": (TINY.replace("[2, 8]", "[010]"), "'010' is not a plain number; write 10"),
    "sexagesimal": (TINY.replace("[2, 8]", "[1:30]"), "'1:30' is not a plain number"),
    "exponent": (TINY.replace("[2, 8]", "[1e1]"), "'1e1' is not a plain number; write 10"),
    "infinite": (TINY.replace("[2, 8]", "[.inf]"), "inf is not a whole number of threads from 1"),
    "not_a_number": (TINY.replace("[2, 8]", "[.nan]"), "nan is not a whole number of threads"),
    "negative": (TINY.replace("[2, 8]", "[-4]"), "threads: -4 is out of range; give a whole"),
    "zero": (TINY.replace("[2, 8]", "[0]"), "threads: 0 is out of range; give a whole"),
    "fraction": (TINY.replace("[2, 8]", "[2.5]"), "threads: 2.5 is not a whole number"),
    "boolean": (TINY.replace("[2, 8]", "[yes]"), "threads: True is not a whole number"),
    "nested": (TINY.replace("[2, 8]", "[[2]]"), "threads: [2] is not a whole number"),
    "unknown_kernel": (
        TINY.replace("2.4.18", "2.4.99"),
        "sweeps/tiny: kernel: there is no kernel '2.4.99'; did you mean '2.4",
    ),
    "number_for_name": (TINY.replace("2.4.18", "2.4"), "kernel: 2.4 is not a name"),
    "more_threads_than_files": (
        TINY.replace("[2, 8]", "[2, 32]"),
        "sweeps/tiny: threads: 32 threads need a file of at least 1 MiB each, but size_mib is 16",
    ),
    "unknown_disk": (TINY + "    disk: [nothing_like_it]", "sweeps/tiny: "),
    "runs_as_text": ("runs: three" + TINY, "runs: 'three' is not right; give a whole number"),
    "no_runs": ("runs: 0" + TINY, "runs: 0 is not right; give a whole number of at least 1"),
    "null_runs": ("runs:" + TINY, "runs: there is nothing here; give a whole number"),
    "wall_without_jump": ("wall: {jump: 1}" + TINY, "wall/jump: 1 is not right; give a number"),
    "unknown_wall_key": ("wall: {flor_s: 1}" + TINY, "wall/flor_s: unknown key; did you mean"),
    "unknown_figure": (
        "figures: [histories]" + TINY,
        "figures: 'histories' is no figure; did you mean 'history'",
    ),
    "unknown_job_axis": ("job_axes: [kernels]" + TINY, "job_axes: 'kernels' is no axis; did you"),
    "repeated_job_axis": (
        "job_axes: [kernel, kernel]" + TINY,
        "job_axes: 'kernel' is listed twice; keep one",
    ),
    "sweep_with_a_path": (TINY.replace("tiny:", "a/b:"), "sweeps: 'a/b' is no name for a sweep"),
    "key_twice": (TINY + THREADS, "line 9: the key 'threads' stands here twice; keep one"),
    "no_yaml": ("sweeps: [1", "line 1: this is not YAML: "),
    "tab": ("sweeps:\n\ttiny: 1", "line 2: this is not YAML: "),
    "no_keys": ("- 1", "there are no keys in it"),
    "nothing": ("", "there are no keys in it"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence_with_its_place(mistake, tmp_path):
    text, sentence = MISTAKES[mistake]
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        load_config(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert sentence in message
    assert "\n" not in message


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"none\.yaml: cannot be read: No such file"):
        load_config(tmp_path / "none.yaml")


def test_a_mistake_on_the_command_line_is_not_blamed_on_the_file(tmp_path):
    with pytest.raises(UserError, match="--config: runs: 'x' is not right"):
        load_config(written(tmp_path, TINY), overrides={"runs": "x"})


def test_the_schema_describes_every_key_and_offers_every_parameter():
    properties = schema()["properties"]
    assert all(properties[key]["description"] for key in properties)
    axes = properties["sweeps"]["additionalProperties"]["properties"]
    assert set(axes) == set(PARAMETERS) - {"run", "seed"}


def test_the_default_configuration_spells_out_every_top_level_key():
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"^(\w+):", text, re.M)) == set(schema()["properties"])


def test_configuration_without_a_file():
    axes = {"kernel": ["2.5.7"], "machine": ["k6-2"], "threads": [1]}
    axes["workload"] = ["tiobench_random_read"]
    assert checked_config({"sweeps": {"one": axes}}).runs == 3
