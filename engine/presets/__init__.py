"""Kernels, machines and workloads as data: values with their sources, checked against `PARAMETERS`."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from engine.errors import UserError
from engine.parameters import PARAMETERS, checked

FOLDER = Path(str(resources.files("engine"))) / "presets"

# Rules behind the word `auto`: they belong to a preset but are no axis of a sweep.
QUEUE_SIZE_RULES = (
    *("always_64", "always_128", "always_256", "always_512", "always_1024"),
    *("fixed_128", "fixed_256", "ram_kib_over_512", "ram_kib_over_512_each_at_most_128"),
    *("ram_kib_over_256_at_most_256", "ram_kib_over_256_at_most_512"),
)
BATCH_RULES = ("one", "quarter", "quarter_at_most_32", "eighth_at_most_32", "eighth_at_most_8")
RULES = {
    "queue_size_rule": QUEUE_SIZE_RULES,
    "batch_rule": BATCH_RULES,
    "max_sectors_ide": (),
    "max_sectors_scsi": (),
}


@dataclass(frozen=True)
class Value:
    """One value of a preset, whence it comes and how sure it is."""

    value: Any
    source: str
    confidence: str = "verified"


@dataclass(frozen=True)
class Preset:
    """A kernel, machine or workload: its values by name; `traits` holds what is no parameter."""

    name: str
    title: str
    values: Mapping[str, Value]
    traits: Mapping[str, Any]


@cache
def kernels() -> dict[str, Preset]:
    """All kernel presets by name, in the order of the file."""
    document = _read("kernels.yaml")
    presets = {}
    for name, entry in document["kernels"].items():
        merged = {**document["families"][entry["family"]], **entry["values"]}
        presets[name] = _preset(name, entry["title"], merged, {"tree": entry["tree"]})
    return presets


@cache
def machines() -> dict[str, Preset]:
    """All machine presets by name."""
    entries = _read("machines.yaml")["machines"]
    return {name: _preset(name, e["title"], e["values"], {}) for name, e in entries.items()}


@cache
def workloads() -> dict[str, Preset]:
    """All workload presets by name: one file each."""
    presets = {}
    for path in sorted((FOLDER / "workloads").glob("*.yaml")):
        entry = _read(path.relative_to(FOLDER))
        traits = {key: entry[key] for key in entry if key not in ("title", "values")}
        presets[path.stem] = _preset(path.stem, entry["title"], entry["values"], traits)
    return presets


def kernel_names() -> tuple[str, ...]:
    """Names a sweep may use for `kernel`."""
    return tuple(kernels())


def machine_names() -> tuple[str, ...]:
    """Names a sweep may use for `machine`."""
    return tuple(machines())


def workload_names() -> tuple[str, ...]:
    """Names a sweep may use for `workload`."""
    return tuple(workloads())


def find(presets: Mapping[str, Preset], kind: str, name: object) -> Preset:
    """The preset of that name; raises UserError with the nearest name."""
    if name in presets:
        return presets[str(name)]
    near = difflib.get_close_matches(str(name), presets, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "known are " + ", ".join(presets)
    raise UserError(f"{kind}: there is no {kind} {name!r}; {hint}")


def _preset(name: str, title: str, entries: Mapping[str, Any], traits: Mapping[str, Any]) -> Preset:
    """A preset whose values have passed the checks of the table of parameters."""
    values = {key: Value(**entry) for key, entry in entries.items()}
    for key, value in values.items():
        if key in PARAMETERS:
            checked(PARAMETERS[key], value.value, f"preset {name}: {key}")
        elif key not in RULES:
            raise UserError(f"preset {name}: unknown value {key!r}; see engine/parameters.py")
    return Preset(name, title, values, traits)


def _read(path: str | Path) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / path).read_text())
