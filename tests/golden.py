"""One tiny run of every workload, kept as a table of figures: `python tests/golden.py` makes the table anew.

A figure that moves is either a defect or a result that changes, and then CHANGELOG.md says so.
"""

from pathlib import Path
from typing import Any

import yaml

from engine.simulate import simulate

PATH = Path(__file__).parent / "data" / "golden.yaml"
HEAD = "# Tiny runs and what they measured. `python tests/golden.py` fills in `row` anew from `point`.\n"
DIGITS = 9


def rows_of(point: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """The figures `names` of a run of `point`."""
    row = simulate(point)
    return {
        name: float(f"{row[name]:.{DIGITS}g}") if isinstance(row[name], float) else row[name]
        for name in names
    }


def load() -> dict[str, dict[str, Any]]:
    """The table: by name of the run its point and its figures."""
    return yaml.safe_load(PATH.read_text())


if __name__ == "__main__":
    table = load()
    for entry in table.values():
        entry["row"] = rows_of(entry["point"], list(entry["row"]))
    PATH.write_text(HEAD + yaml.safe_dump(table, sort_keys=False, width=200))
