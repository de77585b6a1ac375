"""From a point of a sweep to the full set of values it runs with."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import presets
from engine.errors import UserError
from engine.parameters import AUTO, PARAMETERS, checked

SMALL_RAM_MIB = 32  # kernels of the time halve their pool up to here
PAGE_KIB = 4
PAGES_PER_MIB = 256


@dataclass(frozen=True)
class Settings:
    """Everything one run depends on.

    `values` holds all of `PARAMETERS`, no `auto` left; `overrides` what the point gave that its presets
    hold otherwise; `remark` what a reader of the result must know.
    """

    values: Mapping[str, Any]
    pattern: str  # "sequential" or "random"
    overrides: Mapping[str, Any]
    remark: str

    def __getitem__(self, name: str) -> Any:
        """Value of the parameter `name`."""
        return self.values[name]

    @property
    def read_slots(self) -> int:
        """Slots of the pool a read may use: half of them."""
        return self["queue_size"] // 2

    @property
    def file_pages(self) -> int:
        """Pages of each thread's file: int(size / threads) MiB, as tiobench does."""
        return self["size_mib"] // self["threads"] * PAGES_PER_MIB

    @property
    def calls_per_thread(self) -> int:
        """Calls each thread makes."""
        if self.pattern == "random":
            return self["operations"] // self["threads"]
        return self.file_pages * PAGE_KIB // self["block_kib"]


def resolve(point: Mapping[str, Any]) -> Settings:
    """Fill a point up from its presets and carry out the kernel's own rules.

    `point` maps names of `PARAMETERS` to values; kernel, machine and workload must be among them.
    Raises UserError for an unknown name, a value out of range, or values that exclude each other.
    """
    given = {name: checked(_parameter(name), value, name) for name, value in point.items()}
    for name in ("kernel", "machine", "workload"):
        if name not in given:
            raise UserError(f"{name}: missing; give the name of a {name}")
    kernel = presets.find(presets.kernels(), "kernel", given["kernel"])
    machine = presets.find(presets.machines(), "machine", given["machine"])
    workload = presets.find(presets.workloads(), "workload", given["workload"])
    preset = {**kernel.values, **machine.values, **workload.values}
    values = {"run": 0, "seed": 0} | {name: value.value for name, value in preset.items()} | given
    overrides = {
        name: value
        for name, value in given.items()
        if name in preset and name != "threads" and value != preset[name].value
    }
    _carry_out_rules(values)
    _check_together(values)
    stand_ins = [n for n, v in preset.items() if v.confidence == "unknown" and n not in overrides]
    remark = "stand-in for unknown: " + ", ".join(stand_ins) if stand_ins else ""
    return Settings(values, workload.traits["pattern"], overrides, remark)


def _parameter(name: str):
    """The parameter of that name; raises UserError with the nearest known name."""
    if name not in PARAMETERS:
        near = difflib.get_close_matches(str(name), PARAMETERS, n=1)
        raise UserError(
            f"{name}: no such parameter" + (f"; did you mean {near[0]!r}?" if near else "")
        )
    return PARAMETERS[name]


def _carry_out_rules(values: dict[str, Any]) -> None:
    """Replace every `auto` by what the kernel's rule makes of this machine (SPEC 4.5-4.9, 5)."""
    if values["queue_size"] == AUTO:
        values["queue_size"] = _queue_size(values["queue_size_rule"], values["ram_mib"])
    if values["batch_requests"] == AUTO:
        quarter = max(1, values["queue_size"] // 4)
        at_most = quarter if values["batch_rule"] == "quarter" else 32
        values["batch_requests"] = min(quarter, at_most)
    if values["max_sectors"] == AUTO:
        values["max_sectors"] = values[f"max_sectors_{values['driver']}"]


def _queue_size(rule: str, ram_mib: int) -> int:
    """nr_requests by rule: SPEC 4.5 (128), 4.9 (256), and 4.6 for the patches that look at RAM."""
    if rule == "ram_kib_over_512":
        return min(1024, max(32, ram_mib * 1024 // 512 // 16 * 16))
    if ram_mib <= SMALL_RAM_MIB:
        return 64
    return 256 if rule == "fixed_256" else 128


def _check_together(values: Mapping[str, Any]) -> None:
    """Raise UserError for values that are fine alone and impossible together."""
    if values["threads"] > values["size_mib"]:
        raise UserError(
            f"threads: {values['threads']} threads need a file of at least 1 MiB each, but size_mib "
            f"is {values['size_mib']}; give at most {values['size_mib']} threads"
        )
    if values["block_kib"] % PAGE_KIB:
        raise UserError(
            f"block_kib: {values['block_kib']} is no multiple of the {PAGE_KIB} KiB page"
        )
    if values["allocation_chunk_kib"] % PAGE_KIB:
        raise UserError(
            f"allocation_chunk_kib: {values['allocation_chunk_kib']} is no multiple of the "
            f"{PAGE_KIB} KiB page; 0 makes files contiguous"
        )
    if values["batch_requests"] > values["queue_size"] // 2:
        raise UserError(
            f"batch_requests: {values['batch_requests']} slots can never be free, because queue_size "
            f"{values['queue_size']} gives each direction {values['queue_size'] // 2}"
        )
    if values["operations"] < values["threads"]:
        raise UserError(
            f"operations: {values['operations']} calls do not go round {values['threads']} threads; "
            f"give at least {values['threads']}"
        )
