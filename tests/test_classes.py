"""What a row says of single classes of threads."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.simulate import simulate

POINT = {"kernel": "2.4.18", "machine": "k6-2", "cpu_speed": 1}
FILE = {"mib": 1}
CLASSES = {
    "small": {"threads": 2, "file": FILE, "program": ["read"]},
    "large": {"threads": 1, "file": {"mib": 8}, "program": ["read", {"repeat": {"rounds": 3, "do": ["read"]}}]},
    "soon": {
        "threads": 1,
        "background": True,
        "program": [{"repeat": {"rounds": 2, "do": [{"pause": {"ms": 20}}, {"compute": {"ms": 5}}]}}],
    },
    "never": {"threads": 1, "background": True, "file": FILE, "program": [{"repeat": {"do": ["read"]}}]},
    "late": {"threads": 1, "background": True, "program": [{"pause": {"ms": 10**6}}]},
}  # fmt: skip


def run(path: Path, classes: dict[str, Any], **values: Any) -> tuple[dict, dict]:
    """The row of a workload, and its column `classes`."""
    document = {"title": "A test", "classes": classes, "values": {"threads": 1, "block_kib": 4} | values}  # fmt: skip
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    row = simulate(POINT | {"workload": str(path)})
    return row, json.loads(row["classes"])


def test_finishes_and_rounds_of_each_class(tmp_path: Path) -> None:
    row, told = run(tmp_path / "my.yaml", CLASSES)
    assert list(told) == ["small", "large", "soon", "never", "late"]
    assert [one["threads"] for one in told.values()] == [2, 1, 1, 1, 1]
    assert [one["finished"] for one in told.values()] == [2, 1, 1, 0, 0]
    small, large = told["small"], told["large"]
    assert small["finish_first_s"] == row["finish_first_s"]
    assert small["finish_first_s"] <= small["finish_mean_s"] <= small["finish_last_s"]
    assert small["finish_last_s"] < large["finish_first_s"] == large["finish_last_s"]
    assert large["finish_last_s"] == row["finish_last_s"] == row["duration_s"]
    assert 3 * row["finish_mean_s"] == pytest.approx(
        2 * small["finish_mean_s"] + large["finish_mean_s"]
    )
    assert (small["rounds"], small["round_mean_s"]) == (0, None)
    assert (large["rounds"], large["round_mean_s"]) == (3, pytest.approx(row["round_mean_ms"] / 1e3))  # fmt: skip


def test_a_background_class_may_finish_or_not(tmp_path: Path) -> None:
    row, told = run(tmp_path / "my.yaml", CLASSES)
    assert told["soon"]["rounds"] == 2
    assert 0.005 <= told["soon"]["round_mean_s"] < 0.02  # without its pause of 20 ms
    assert 0.05 < told["soon"]["finish_last_s"] < row["duration_s"]
    for name in ("never", "late"):
        assert all(told[name][f"finish_{which}_s"] is None for which in ("first", "mean", "last"))
    assert told["never"]["rounds"] + told["soon"]["rounds"] == row["background_rounds"]


def test_what_is_measured_begins_with_its_phase(tmp_path: Path) -> None:
    loop = {"repeat": {"rounds": 2, "do": [{"compute": {"ms": 40}}]}}
    two = [{"phase": "one"}, loop, {"phase": "two"}, {"repeat": {"rounds": 3, "do": [{"compute": {"ms": 10}}]}}]  # fmt: skip
    row, told = run(tmp_path / "my.yaml", {"a": {"threads": 1, "program": two}}, measured="two")
    assert told["a"]["finish_last_s"] == row["duration_s"] == pytest.approx(0.03)
    assert (told["a"]["rounds"], told["a"]["round_mean_s"]) == (3, pytest.approx(0.01))


@pytest.mark.parametrize(
    ("ahead", "compute_ms", "ends_ms", "late_ms"),
    [
        (1, 5, 4 * 20 + 5, 0),  # a round on every beat
        (3, 5, 2 * 20 + 5, 0),  # the fifth when the beat of the second is over
        (9, 5, 5 * 5, 0),  # all at once
        (2, 30, 5 * 30, 4 * 10),  # each is late, and shifts the beat of the next
    ],
)
def test_rounds_on_a_beat_are_ahead_of_it_or_late(
    tmp_path: Path, ahead: int, compute_ms: int, ends_ms: int, late_ms: int
) -> None:
    steps = [{"pause": {"ms": 20, "ahead": ahead}}, {"compute": {"ms": compute_ms}}]
    player = {"threads": 1, "program": [{"repeat": {"rounds": 5, "do": steps}}]}
    row, told = run(tmp_path / "my.yaml", {"player": player})
    began_ms = 1e3 * row["duration_s"] - ends_ms  # within the first 10 ms
    assert 0 <= began_ms < 10
    assert told["player"]["late_s"] == pytest.approx(late_ms / 1e3)


def test_who_keeps_no_beat_is_never_late(tmp_path: Path) -> None:
    _, told = run(tmp_path / "my.yaml", CLASSES)
    assert all(one["late_s"] is None for one in told.values())
