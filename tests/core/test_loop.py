"""The event loop: compiled or not, with shortcuts or without, a run is the same; and it keeps its books."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.build import build
from engine.core.checks import Breach
from engine.core.kinds import PageState
from engine.core.loop import run
from engine.devices import load_device
from engine.errors import UserError
from engine.resolve import resolve
from engine.simulate import simulate

from .plain_runs import IDE, POINTS, RANDOM, SEQUENTIAL, SMALL_POINTS, WAYS, Outcome, outcome

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def plain() -> dict[str, dict[str, Outcome]]:
    """Outcomes in plain Python, by way and name of the point; the ways run side by side."""
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
    }
    runs = {
        way: subprocess.Popen(
            [sys.executable, "-m", "core.plain_runs", way],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for way in WAYS
    }
    printed = {way: run.communicate()[0] for way, run in runs.items()}
    assert [run.returncode for run in runs.values()] == [0] * len(runs)
    return {way: json.loads(text) for way, text in printed.items()}


@pytest.mark.parametrize("name", POINTS)
def test_compiled_and_plain_runs_end_in_the_same_state(name: str, plain: dict) -> None:
    """Byte by byte; the plain runs have passed the checks of conservation after every event."""
    assert outcome(POINTS[name]) == plain["every-event-checked"][name]


@pytest.mark.parametrize("name", SMALL_POINTS)
def test_shortcuts_change_nothing_that_is_measured(name: str, plain: dict) -> None:
    """Buffers merged at once and calls made at once: as if each had been by itself."""
    with_shortcuts, without = outcome(SMALL_POINTS[name]), plain["without-shortcuts"][name]
    for part in ("row", "histogram", "slowest"):
        assert with_shortcuts[part] == without[part]


def test_those_runs_sleep_merge_and_expire() -> None:
    rows = [outcome(point)["row"] for point in (POINTS | SMALL_POINTS).values()]
    for name in ("slot_sleeps", "merges", "requests_expired"):
        assert sum(row[name] > 0 for row in rows) >= 5, name
    assert len({row["duration_s"] for row in rows}) == len(rows)


def test_a_machine_where_nothing_can_happen_stands_still() -> None:
    settings = resolve({"kernel": "2.4.18", **IDE, **SEQUENTIAL})
    device = load_device(settings["disk"])
    machine = build(settings, device.record, np.random.default_rng(0))
    machine.pages.state = PageState.LOCKED  # and nobody reads them
    assert run(*machine, device.tables) == Breach.STANDSTILL
    assert machine.state.machine.foreground_alive == 8


def test_a_background_loop_that_takes_no_time_is_told(tmp_path: Path) -> None:
    """Its writes end at once, one after the other, while the reader waits for the disk for ever."""
    path = tmp_path / "memory.yaml"
    path.write_text(
        "title: a reader beside memory that is touched over and over\n"
        "classes:\n"
        "  reader: {threads: threads, file: {mib: 1}, program: [read]}\n"
        "  memory: {threads: 1, background: true, file: {mib: 1, memory: true}, program: [repeat: {do: [write]}]}\n"
        "values: {threads: 1, block_kib: 4}\n"
    )
    point = {"kernel": "2.4.18", **IDE, "workload": str(path), "call_us": 0, "page_us": 0}
    with pytest.raises(UserError, match="a loop of its program takes no time"):
        simulate(point)


def test_a_thread_that_ends_without_waiting_leaves_nobody_asleep() -> None:
    """One read slot: its last read-ahead plugs the queue, it ends, and everybody else sleeps for the slot.

    In the kernel kupdate unplugs the queue within 5 s (SPEC 2.3).
    """
    point = (
        RANDOM
        | IDE
        | {"kernel": "2.4.19", "threads": 16, "size_mib": 16, "operations": 32, "call_us": 0}
    )
    simulate(point | {"run": 4, "queue_size": 3, "readahead_pages": 7, "read_latency": 8192})
