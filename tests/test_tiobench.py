"""The four phases of tiobench: in order, on the same files, with the same cache."""

from typing import Any

import pytest
from core.machines import finished, settings_of

from engine.row import row_of
from engine.simulate import simulate

PHASES = ("write", "random_write", "read", "random_read")
SIZE_MIB = 64
POINT = {"workload": "tiobench", "threads": 4, "size_mib": SIZE_MIB, "operations": 800}


def measured(phase: str, **values: Any):
    """State and row of a run up to a phase."""
    settings = settings_of(**(POINT | {"measured": phase} | values))
    state = finished(settings).state
    return state, row_of(settings, state)


def test_a_phase_begins_where_the_one_before_ends() -> None:
    """To the nanosecond: up to there it is the same run."""
    ends_ns = [0]
    for phase in PHASES:
        state, row = measured(phase, ram_mib=48)
        began_ns = int(state.measures.since_ns)
        assert began_ns == ends_ns[-1] or phase == "write"
        assert began_ns < 10_000_000 or phase != "write"
        assert row["duration_s"] * 1e9 == pytest.approx(int(state.machine.now_ns) - began_ns)
        ends_ns.append(int(state.machine.now_ns))


@pytest.mark.parametrize(
    ("phase", "calls", "kind"),
    [
        ("write", SIZE_MIB * 256, "write"),
        ("random_write", 800, "write"),
        ("read", SIZE_MIB * 256, "read"),
        ("random_read", 800, "read"),
    ],
)
def test_a_phase_measures_its_own_calls_alone(phase: str, calls: int, kind: str) -> None:
    _, row = measured(phase)
    other = "read" if kind == "write" else "write"
    assert (row[f"{kind}_calls"], row[f"{other}_calls"]) == (calls, 0)
    assert row[f"{kind}_mib"] == calls / 256
    assert row[f"{kind}_mib_s"] == pytest.approx(calls / 256 / row["duration_s"])


@pytest.mark.parametrize("free_mib", [16, 32, 48])
def test_random_reads_find_memory_over_size_of_the_files_in_the_cache(free_mib: int) -> None:
    """Within four standard errors of 800 calls, and what comes and goes meanwhile."""
    state, row = measured("random_read", ram_mib=24 + free_mib)
    found = 1 - state.measures.page_waits / row["read_calls"]
    assert found == pytest.approx(free_mib / SIZE_MIB, abs=0.08)


def test_files_that_fit_are_read_from_memory_alone() -> None:
    """And without the phases before them from the disk alone."""
    for phase in ("read", "random_read"):
        assert measured(phase)[1]["requests"] == 0
    alone = simulate(
        POINT | {"kernel": "2.4.18", "machine": "k6-2", "workload": "tiobench_random_read"}
    )
    assert alone["requests"] > 0.9 * alone["read_calls"]


def test_a_rate_includes_the_fsync() -> None:
    """Without it the files are written as quickly as they are copied."""
    _, row = measured("write", ram_mib=384, write_page_us=65)
    copied_s = SIZE_MIB * 256 * 70e-6
    assert row["duration_s"] > 2 * copied_s
    assert row["write_mib_s"] < 0.5 * SIZE_MIB / copied_s
    without = finished(
        settings_of(
            [{"phase": "write"}, "write"],
            created=True,
            **(POINT | {"measured": "write", "workload": "tiobench", "write_page_us": 65}),
        )
    )
    assert without.state.machine.now_ns / 1e9 == pytest.approx(copied_s, rel=0.05)
