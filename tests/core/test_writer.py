"""A streaming writer: what it takes from the readers, and what slows it down."""

from typing import Any

import numpy as np
import pytest

from engine.build import build_state, lay_out
from engine.core.records import PAGE_SECTORS, Stage
from engine.devices import load_device
from engine.errors import UserError
from engine.resolve import resolve
from engine.simulate import simulate, simulate_state

BESIDE = {
    "kernel": "2.4.18",
    "machine": "k6-2",
    "workload": "readers_beside_a_writer",
    "operations": 40,
    "size_mib": 64,
}


def test_without_writers_nothing_is_written() -> None:
    row = simulate(BESIDE | {"writers": 0})
    assert {row[name] for name in row if name.startswith("write_") and name != "write_latency"} == {
        0
    }


def test_a_writer_slows_the_readers_down_and_passovers_bound_by_how_much() -> None:
    alone = simulate(BESIDE | {"writers": 0})["read_p99_ms"]
    few, many = (simulate(BESIDE | {"read_latency": n})["read_p99_ms"] for n in (32, 8192))
    assert 2 * alone < few < many


def test_the_writer_is_at_work_until_the_readers_are_done() -> None:
    row = simulate(BESIDE)
    assert row["read_calls"] == 40
    assert row["write_mib"] == pytest.approx(row["write_mib_s"] * row["duration_s"])
    assert row["write_mib"] > 10
    assert (
        row["write_p99_ms"] < row["write_mean_ms"] < row["write_max_ms"]
    )  # few sleep for a slot, long


def test_what_was_taken_is_written_queued_or_waits_for_a_slot() -> None:
    state = simulate_state(resolve(BESIDE))
    written = state.threads[4]
    assert written.writes
    assert written.stage != Stage.DONE
    measures, queued = state.measures, state.queue.length
    on_the_way = measures.buffers - measures.completed_sectors // PAGE_SECTORS
    assert queued - 1 <= on_the_way <= 1 + queued * state.queue.max_sectors // PAGE_SECTORS


def test_a_writer_that_comes_round_waits_for_pages_on_their_way() -> None:
    """Its file is smaller than what the queue can hold."""
    point = BESIDE | {"kernel": "2.4.18-ac-rmap12", "writer_mib": 1, "operations": 400}
    row = simulate(point)
    assert row["write_mib"] > 2
    assert row["slot_sleeps"] == 0
    assert row["write_max_ms"] > 10


def test_writers_files_lie_behind_the_readers() -> None:
    settings = resolve(BESIDE | {"writers": 2, "writer_mib": 3, "threads": 3})
    rng = np.random.default_rng(0)
    state = build_state(settings, load_device(settings["disk"]).record, rng)
    pieces = lay_out(settings, rng)
    files = state.threads["file"][:5]
    first = pieces[files["first_piece"]]
    assert first[3:].tolist() == [3 * 21 * 256, 3 * 21 * 256 + 768]
    assert settings.all_pages == 3 * 21 * 256 + 2 * 768
    assert first[:3].max() < first[3]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"threads": 1000, "size_mib": 2000, "operations": 1000, "writers": 64}, "writers: 1000 threads and 64 writers are too many; give at most 1024 together"),
        ({"writers": -1}, "writers: -1 is out of range; give a whole number of threads from 0 to 64"),
        ({"writer_mib": 0}, "writer_mib: 0 is out of range; give a whole number of MiB from 1 to 65536"),
    ],
)  # fmt: skip
def test_impossible_writers(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=f"^{sentence}$"):
        resolve(BESIDE | values)
