"""The command line: what it prints, and that a wrong value costs one sentence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine import presets
from engine.cli import main
from engine.core.elevators import ELEVATORS
from engine.devices import device_names
from engine.parameters import PARAMETERS
from engine.results import COLUMNS
from engine.simulate import simulate

SMALL = ["--threads", "8", "--size-mib", "8"]
POINT = {
    "kernel": "2.4.19-pre5",
    "machine": "k6-2",
    "workload": "tiobench_sequential_read",
    "threads": 8,
    "size_mib": 8,
}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def printed(*arguments: str | Path) -> str:
    """What a command that succeeds prints; nothing may go to the error output."""
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_simulate_prints_a_table() -> None:
    lines = printed("simulate", *SMALL).splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert [line.split()[0] for line in heads] == [column.name for column in COLUMNS]
    of_class = lines[lines.index("classes") + 1]
    assert of_class.split()[:6] == ["reader", "threads", "8,", "finished", "8,", "finish_first_s"]
    assert of_class.endswith("rounds 0, round_mean_s -, late_s -")
    cells = {line.split()[0]: line.split()[1:] for line in lines}
    row = simulate(POINT)
    assert cells["read_max_ms"] == [f"{row['read_max_ms']:.4f}", "ms"]
    assert cells["threads"] == ["8", "threads"]
    assert cells["kernel"] == ["2.4.19-pre5"]


def test_simulate_prints_the_row_as_json() -> None:
    assert json.loads(printed("simulate", *SMALL, "--json")) == simulate(POINT)


def test_the_histogram_counts_every_call() -> None:
    row = json.loads(printed("simulate", *SMALL, "--json", "--histogram"))
    buckets = row.pop("read_histogram")
    assert row == simulate(POINT)
    assert sum(bucket["calls"] for bucket in buckets) == row["read_calls"]
    assert all(bucket["from_ms"] < bucket["to_ms"] and bucket["calls"] for bucket in buckets)
    assert buckets[-1]["from_ms"] <= row["read_max_ms"] < buckets[-1]["to_ms"]
    mean_ms = sum(b["calls"] * (b["from_ms"] + b["to_ms"]) / 2 for b in buckets) / row["read_calls"]
    assert mean_ms == pytest.approx(row["read_mean_ms"], rel=2**-7)


def test_the_table_shows_the_histogram_below() -> None:
    lines = printed("simulate", *SMALL, "--histogram").splitlines()
    start = lines.index("read_histogram (from ms, to ms, calls)")
    assert start == len(COLUMNS) + 1  # the one class of threads has a line of its own
    assert sum(int(line.split()[2]) for line in lines[start + 1 :]) == 8 * 256


def test_a_point_file_gives_values_and_flags_override_it(tmp_path: Path) -> None:
    path = tmp_path / "point.yaml"
    path.write_text("kernel: 2.5.7\nthreads: 4\nsize_mib: 8\nread_latency: 64\n")
    expected = POINT | {"kernel": "2.5.7", "threads": 4, "read_latency": 64}
    row = json.loads(printed("simulate", "--point", path, "--json"))
    assert row == simulate(expected)
    row = json.loads(printed("simulate", "--point", path, "--threads", "2", "--json"))
    assert row == simulate(expected | {"threads": 2})


def test_every_parameter_has_a_flag_with_its_unit() -> None:
    for command in ("simulate", "explain"):
        text = " ".join(printed(command, "--help").split())
        for parameter in PARAMETERS.values():
            assert f"--{parameter.name.replace('_', '-')} " in text
    assert "[passovers]" in text


def test_explain_tells_the_law_and_the_slowest_read() -> None:
    row = simulate(POINT | {"queue_size": 16})
    text = printed("explain", *SMALL, "--queue-size", "16")
    each = row["requests_per_reader"]
    assert f"longest read {row['read_max_ms'] / 1000:.3f} s" in text
    assert (
        f"8 readers x {each:.2f} = {8 * each:.0f} requests wanted; the pool has 8 read slots"
        in text
    )
    assert f"{row['slot_sleeps']} sleeps for a slot" in text
    assert "when 4 of 8 read slots are free at once (batch / slots = 0.50)" in text
    story = text[text.index("The slowest read: thread ") :].splitlines()
    times_s = [float(line.split()[0]) for line in story[1:] if " s  " in line]
    assert times_s == sorted(times_s)
    assert times_s[0] == 0
    assert times_s[-1] == pytest.approx(row["read_max_ms"] / 1000, abs=1e-6)


def test_explain_says_so_where_nothing_is_read() -> None:
    measured = ("--workload", "tiobench", "--measured", "write")
    text = printed("explain", *SMALL, *measured)
    assert "nothing was read in what is measured; longest write " in text


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--queue-depth", "8"], "queue_depth: 8 has no effect, because the driver is ide; leave it out"),
        (["--drive-order", "sptf"], "drive_order: sptf has no effect, because the driver is ide"),
        (["--stripe-kib", "128"], "stripe_kib: 128 has no effect, because there is one disk"),
        (["--dirty-soft-pct", "7"], "dirty_soft_pct: 7 has no effect, because nobody writes"),
    ],
)  # fmt: skip
def test_a_flag_without_effect_is_told(flags: list[str], sentence: str) -> None:
    for command in ("simulate", "explain"):
        result = run(command, *SMALL, *flags)
        assert result.exit_code == 2
        assert sentence in result.stderr


def test_explain_says_so_where_there_is_no_wall() -> None:
    assert "no wall here" in printed("explain", *SMALL)


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("kernels", presets.kernel_names()),
        ("machines", presets.machine_names()),
        ("workloads", presets.workload_names()),
        ("devices", tuple(device_names())),
        ("elevators", tuple(ELEVATORS)),
        ("parameters", tuple(PARAMETERS)),
    ],
)
def test_lists_show_every_name(what: str, names: tuple[str, ...]) -> None:
    lines = [line for line in printed("list", what).splitlines() if not line.startswith("  ")]
    shown = [line.split(":")[0].split(" [")[0] for line in lines]
    assert shown == list(names)
    assert all(line.split(":", 1)[1].strip() for line in lines)


def test_lists_show_where_preset_values_come_from() -> None:
    text = printed("list", "kernels")
    for preset in presets.kernels().values():
        for value in preset.values.values():
            assert value.source in text
            assert value.confidence in text


WRONG = {
    "out of range": (["--threads", "0"], "threads: 0 is out of range"),
    "no number": (["--threads", "many"], "threads: 'many' is not a whole number"),
    "unknown kernel": (["--kernel", "2.4.19_pre5"], "did you mean '2.4.19-pre5'?"),
    "unknown machine": (["--machine", "k6"], "did you mean 'k6-2'?"),
    "unknown workload": (["--workload", "postmark"], "known are async_read_and_write"),
    "unknown elevator": (["--elevator", "cfq"], "'cfq' is not one of noop, "),
    "unknown disk": (["--disk", "floppy"], "no such device or file"),
    "too many threads": (["--threads", "9", "--size-mib", "8"], "give at most 8 threads"),
    "files too large": (["--size-mib", "65536"], "the files end 65536 MiB into the disk"),
}


@pytest.mark.parametrize("command", ["simulate", "explain"])
@pytest.mark.parametrize(("flags", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_value_costs_one_sentence(command: str, flags: list[str], words: str) -> None:
    assert_one_sentence(run(command, *flags), words)


WRONG_FILES = {
    "a list": (b"- 1\n", "no mapping; give lines such as 'threads: 32'"),
    "empty": (b"", "no mapping"),
    "no YAML": (b"{threads: [", "not YAML"),
    "no text": (b"\xff\xfe\x00", "not YAML"),
    "unknown name": (b"thread: 3\n", "did you mean 'threads'?"),
    "a number as name": (b"3: 4\n", "3: no such parameter"),
    "no value": (b"threads:\n", "threads: None is not a whole number"),
    "a list as value": (b"disk: [simple]\n", "disk: ['simple'] is not a name"),
}


@pytest.mark.parametrize(("content", "words"), WRONG_FILES.values(), ids=WRONG_FILES.keys())
def test_a_wrong_point_file_costs_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "point.yaml"
    path.write_bytes(content)
    assert_one_sentence(run("simulate", "--point", path), words)


def assert_one_sentence(result: Result, words: str) -> None:
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("Error: ")
    assert words in sentence


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "--point", "nowhere.yaml"], "File 'nowhere.yaml' does not exist."),
        (["simulate", "--nonsense"], "No such option"),
        (["list", "disks"], "is not one of 'kernels'"),
        (["conformance"], "Missing argument"),
    ],
)
def test_wrong_usage_is_told_and_prints_no_result(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr.splitlines()[-1]
