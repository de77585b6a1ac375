"""Every workload still gives the figures it gave."""

import pytest
from golden import load, rows_of

from engine import presets

GOLDEN = load()


@pytest.mark.parametrize("name", GOLDEN)
def test_a_run_gives_the_figures_it_gave(name: str) -> None:
    kept = GOLDEN[name]
    assert rows_of(kept["point"], list(kept["row"])) == pytest.approx(kept["row"])


def test_every_workload_has_a_run() -> None:
    assert {entry["point"]["workload"] for entry in GOLDEN.values()} == set(
        presets.workload_names()
    )
