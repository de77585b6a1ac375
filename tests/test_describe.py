"""A workload in words: what is said of it, and that the totals are those of a run."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from engine import presets
from engine.cli import main
from engine.describe import Tally, description
from engine.docs import FOLDER
from engine.resolve import Settings, resolve
from engine.row import row_of
from engine.simulate import simulate_state
from tests.small_workloads import small_workload

POINT = {"kernel": "2.4.19-pre5", "machine": "k6-2"}


def described(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["describe", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("name", presets.workload_names())
def test_every_preset_can_be_described(name: str) -> None:
    text = described(name)
    assert presets.workload(name).title in text
    assert "Totals of a thread" in text
    assert text.splitlines()[-1].startswith("The run ends with the last thread of ")


@pytest.mark.parametrize("name", presets.workload_names())
def test_every_preset_says_whence_it_comes(name: str) -> None:
    preset = presets.workload(name)
    assert preset.traits["source"]
    assert all(value.source for value in preset.values.values())


def foreground_counts(settings: Settings) -> Counter[str] | None:
    """Calls and bytes of what is measured; None where nobody knows how many rounds there will be."""
    plan, total = settings.plan, Counter[str]()
    for one in plan.classes:
        if not one.background:
            for work in Tally(one, {**plan.shared, **one.files}).works:
                if "round" in work.when or work.is_bound:
                    return None
                if not plan.measured or work.when == f"phase {plan.measured!r}":
                    total += Counter({key: one.threads * n for key, n in work.counts.items()})
    return total


@pytest.mark.parametrize("name", presets.workload_names())
def test_every_preset_runs_and_does_what_its_description_says(name: str, tmp_path: Path) -> None:
    settings = resolve(
        POINT | {"workload": small_workload(name, tmp_path), "disk": "ide_40gb_2001"}
    )
    row = row_of(settings, simulate_state(settings))
    assert row["duration_s"] > 0
    assert 0 < row["fairness_jain"] <= 1 + 1e-9
    counts = foreground_counts(settings)
    if counts is None:
        assert row["read_calls"] + row["write_calls"] > 0
        return
    assert row["write_calls"] == counts["write calls"]
    if may_open_empty_files(settings):  # of which nothing is read
        assert 0 < row["read_calls"] <= counts["read calls"]
        return
    assert row["read_calls"] == counts["read calls"]
    assert row["read_mib"] * 2**20 == counts["read bytes"]


def may_open_empty_files(settings: Settings) -> bool:
    return any(
        step.files in one.files and not one.files[step.files].exists and step.pattern == "random"
        for one in settings.plan.classes
        for step in one.program
    )


def test_what_is_said_of_classes_files_and_programs(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(WORKLOAD)
    assert described(str(path), "--threads", "3").splitlines() == [
        str(path),
        "  All words at once",
        "  Source: nobody",
        "",
        "Files of all threads",
        "  files 'common': 5 files of 12 KiB for all, there before, in no cache, scattered over 4 MiB of the disk; 60 KiB in all",
        "",
        "worker: 3 threads in the foreground",
        "  files 'log': 1 file of 1 MiB for each thread, empty at first, interleaved in pieces of 160 KiB; 3 MiB in all",
        "  files 'notes': 2 files of 4 KiB for each thread, there before, in no cache, one behind the other on the disk; 24 KiB in all",
        "  Each thread",
        "    wait for all in the foreground; phase 'fill' begins",
        "    write in sequence: the whole file in calls of 4 KiB",
        "    fsync",
        "    wait for all in the foreground; phase 'use' begins",
        "    2 times:",
        "      open any file of 'common'",
        "      read in sequence: the whole file in calls of 4 KiB",
        "      once:",
        "        turn to the next file of 'notes', and go on where it was left",
        "        write one byte somewhere within 100 bytes behind the end of the file: 3 calls",
        "      compute from 0 to twice 1.5 ms",
        "      pause 20 ms",
        "    again and again for 7 s:",
        "      read at random places: 1 call of 100 bytes",
        "    empty the file (unlink)",
        "  Totals of a thread",
        "    phase 'fill': write 1 MiB in 256 calls, 1 fsync; all 3 together write 3 MiB in 768 calls, 3 fsyncs",
        "    phase 'use': read 24 KiB in 6 calls, write 6 bytes in 6 calls; all 3 together read 72 KiB in 18 calls, write 18 bytes in 18 calls",
        "    in each round of the loop for 7 s: read 100 bytes in 1 call; all 3 together read 300 bytes in 3 calls",
        "",
        "stream: 1 thread in the background",
        "  files 'file': 1 file of 1 MiB for each thread, empty at first, in one piece each; 1 MiB in all",
        "  Each thread",
        "    again and again until the run ends:",
        "      read in sequence: the whole file in calls of 4 KiB",
        "      write at the end of the file: 1 call of 8 KiB",
        "  Totals of a thread",
        "    in each round of the loop until the run ends: at most read 1 MiB in 256 calls, write 8 KiB in 1 call",
        "",
        "Measured is the phase 'use', the last of 2: fill, use.",
        "The run ends with the last thread of worker. The files take 8.1 MiB of the disk.",
    ]  # fmt: skip


WORKLOAD = """
title: All words at once
source: nobody
files:
  common: {kib: 12, count: 5, scattered_mib: 4}
classes:
  stream:
    threads: 1
    background: true
    file: {mib: 1, created: true}
    program:
      - repeat: {do: [read, write: {pattern: append, calls: 1, call_kib: 8}]}
  worker:
    threads: threads
    files:
      log: {mib: 1, created: true}
      notes: {kib: 4, count: 2}
    program:
      - phase: fill
      - write
      - fsync
      - phase: use
      - repeat:
          rounds: 2
          do:
            - open: {files: common, order: random}
            - read
            - repeat: {rounds: 1, do: [turn: {files: notes}, write: {pattern: skip, calls: 3, call_bytes: 100}]}
            - compute: {ms: 1.5, random: true}
            - pause: {ms: 20}
      - repeat: {seconds: 7, do: [read: {pattern: random, calls: 1, call_bytes: 100}]}
      - unlink
values: {threads: 1, block_kib: 4, measured: use}
"""


def test_phases_behind_the_measured_one_are_left_out() -> None:
    text = described("tiobench", "--measured", "write")
    assert "Measured is the phase 'write', the last of 1: write." in text
    assert "random_write" not in text.split("Each thread")[1]


def test_a_load_alone() -> None:
    assert "background" not in described("cat_beside_a_writer", "--writers", "0")


def test_the_examples_of_the_page_are_workloads(tmp_path: Path) -> None:
    page = (FOLDER / "workloads.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 3
    for text in examples:
        path = tmp_path / "example.yaml"
        path.write_text(text)
        content: dict[str, Any] = yaml.safe_load(text)
        assert content["title"] in description(resolve(POINT | {"workload": str(path)}))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tiobenc"], "there is no workload 'tiobenc'; did you mean 'tiobench'?"),
        (["tiobench", "--writers", "3"], "writers: tiobench has no such value"),
        (["tiobench", "--threads", "0"], "threads: 0 is out of range"),
    ],
)
def test_a_mistake_costs_one_sentence(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["describe", *arguments])
    assert result.exit_code == 2
    (sentence,) = result.stderr.splitlines()
    assert words in sentence
