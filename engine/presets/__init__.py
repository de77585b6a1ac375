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
from engine.workload.entry import Scope, read_entry
from engine.workload.include import Whole, read_whole
from engine.workload.vocabulary import VALUE

FOLDER = Path(str(resources.files("engine"))) / "presets"
WORKLOADS = FOLDER / "workloads"

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
    "readahead_pages_ide": (),
    "readahead_pages_scsi": (),
}


@dataclass(frozen=True)
class Value:
    """One value of a preset, whence it comes and how sure it is."""

    value: Any
    source: str
    confidence: str = "inferred"  # by those who wrote the file


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
    return {path.stem: _workload(path.stem, path) for path in sorted(WORKLOADS.glob("*.yaml"))}


def workload(name_or_path: str) -> Preset:
    """The workload of that name, or that of the user's own YAML file.

    Raises UserError for an unknown name or a bad file.
    """
    if _is_own_file(name_or_path):
        return _workload(name_or_path, Path(name_or_path))
    return find(workloads(), "workload", name_or_path)


def workload_files(name_or_path: str) -> tuple[Path, ...]:
    """The user's own YAML file of that name and all it includes; none for a preset.

    Raises UserError for a bad file.
    """
    if not _is_own_file(name_or_path):
        return ()
    return _whole(name_or_path, Path(name_or_path)).paths


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


def _is_own_file(name_or_path: str) -> bool:
    return name_or_path not in workloads() and Path(name_or_path).is_file()


def _whole(name: str, path: Path) -> Whole:
    return read_whole(f"workload {name}", path, WORKLOADS)


def _workload(name: str, path: Path) -> Preset:
    """A workload whose title and values have been checked; `engine.workload` reads the rest."""
    where, whole = f"workload {name}", _whole(name, path)
    entry = whole.entry
    values = {}
    for key, given in entry["values"].items():
        here = f"{where}: values: {key}"
        if key not in PARAMETERS or PARAMETERS[key].section != "workload":
            known = ", ".join(p.name for p in PARAMETERS.values() if p.section == "workload")
            raise UserError(f"{here}: no parameter of a workload; these are {known}")
        value = read_entry(
            here, VALUE, given if isinstance(given, dict) else {"value": given}, Scope()
        )
        value["value"] = checked(PARAMETERS[key], value["value"], here)
        values[key] = Value(**value)
    if "threads" not in values:
        raise UserError(f"{where}: values: threads is missing; give it, such as `threads: 4`")
    return Preset(name, entry["title"], values, {**entry, "sources": whole.sources})


def _read(path: str | Path) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / path).read_text())
