"""sweep.csv: read it, and split it into lines of runs that differ in threads and run only."""

import json
from pathlib import Path
from typing import Any

import pandas as pd

from engine.errors import UserError
from engine.parameters import PARAMETERS
from engine.results import COLUMNS

LINE = ("workload", "machine", "kernel", "overrides")
POINT = (*LINE, "threads", "run", "seed")


def read_sweep(path: Path) -> pd.DataFrame:
    """All rows of a sweep.csv; a point that two sweeps share is a row in each (`runs_of`)."""
    kinds = {"sweep": str} | {column.name: column.kind for column in COLUMNS}
    text = {name: "" for name, kind in kinds.items() if kind is str}
    try:
        sweep = pd.read_csv(path, dtype=dict.fromkeys(text, str))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run the sweep first") from None
    except pd.errors.EmptyDataError:
        raise UserError(f"{path}: empty; it needs the columns of a sweep") from None
    missing = [name for name in kinds if name not in sweep.columns]
    if missing:
        raise UserError(f"{path}: no column {missing[0]!r}; it needs the columns of a sweep")
    return sweep.fillna(text)


def read_origin(sweep: Path, provenance: Path | None = None) -> dict[str, Any]:
    """Where a sweep.csv comes from: `provenance`, or else the provenance.json beside it."""
    path = provenance or sweep.with_name("provenance.json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; the sweep writes it beside its sweep.csv") from None
    except ValueError:
        raise UserError(f"{path}: no JSON; run the sweep again") from None


def runs_of(sweep: pd.DataFrame) -> pd.DataFrame:
    """Every run once, whichever sweeps it belongs to."""
    return sweep.drop_duplicates(list(POINT), ignore_index=True)


def keeps_kernel(overrides: str) -> bool:
    """Whether a run has its kernel as preset, so that published figures of the tree compare with it."""
    return all(PARAMETERS[name].section != "kernel" for name in overrides_of(overrides))


def overrides_of(text: str) -> dict[str, object]:
    """The overrides of a run as a mapping; empty text and `{}` are no overrides."""
    return json.loads(text) if text else {}
