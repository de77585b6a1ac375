"""Workloads cut down to what a test has time for: every step is kept, and nothing is done often."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from engine.presets import WORKLOADS
from engine.workload.include import read_whole

MOST = {"rounds": 3, "seconds": 1, "count": 4, "mib": 1, "kib": 64, "calls": 4, "ms": 5, "scattered_mib": 8}  # fmt: skip
VALUES = {"threads": 3, "size_mib": 6, "operations": 30, "writers": 2, "writer_mib": 1}


def small_workload(name: str, folder: Path) -> str:
    """Path of a small form of the preset `name`, a file in `folder`."""
    whole = read_whole(name, WORKLOADS / f"{name}.yaml", WORKLOADS)
    document = {**whole.entry, "include": []}
    values = {key: min(value["value"], VALUES[key]) if key in VALUES else value["value"] for key, value in document["values"].items()}  # fmt: skip
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(_cut(document) | {"values": values}, sort_keys=False))
    return str(path)


def _cut(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: min(part, MOST[key])
            if key in MOST and isinstance(part, int | float)
            else _cut(part)
            for key, part in value.items()
        }
    return [_cut(part) for part in value] if isinstance(value, list) else value
