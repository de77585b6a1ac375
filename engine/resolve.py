"""From a point of a sweep to the full set of values it runs with."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import presets
from engine.errors import UserError
from engine.parameters import AUTO, MOST_THREADS, PARAMETERS, checked
from engine.workload import Plan, plan_of

SMALL_RAM_MIB = 32  # kernels of the time halve their pool up to here
PAGE_KIB = 4
OF_WRITE_BACK = {name for name in PARAMETERS if name.startswith("dirty_")}
OF_IDE = {"max_sectors_ide", "readahead_pages_ide"}
OF_SCSI = {
    *("slot_release", "queue_depth", "drive_order", "drive_age_ms"),
    *("max_sectors_scsi", "readahead_pages_scsi"),
}
RULE_OF = {  # what an `auto` parameter goes by
    "queue_size_rule": "queue_size",
    "batch_rule": "batch_requests",
    "max_sectors_ide": "max_sectors",
    "max_sectors_scsi": "max_sectors",
    "readahead_pages_ide": "readahead_pages",
    "readahead_pages_scsi": "readahead_pages",
}
BATCHES = {  # rule: nr_requests divided by this, and at most that
    "one": (1, 1),
    "quarter": (4, 2**30),
    "quarter_at_most_32": (4, 32),
    "eighth_at_most_32": (8, 32),
    "eighth_at_most_8": (8, 8),
}
PAGES_PER_MIB = 256
MOST_MIB = 2**18  # of files; each page of theirs takes some bytes of the simulation


@dataclass(frozen=True)
class Settings:
    """Everything one run depends on.

    `values` holds all of `PARAMETERS`, no `auto` left; `overrides` what the point gave that its presets
    hold otherwise; `idle` what decides nothing here, and why; `remark` what a reader of the result must
    know.
    """

    values: Mapping[str, Any]
    plan: Plan
    overrides: Mapping[str, Any]
    idle: Mapping[str, str]
    remark: str

    def __getitem__(self, name: str) -> Any:
        """Value of the parameter `name`."""
        return self.values[name]

    @property
    def read_slots(self) -> int:
        """Slots of the pool a read may use: half of them, or all where directions share or reads steal."""
        return _read_slots(self.values)


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
    workload = presets.workload(given["workload"])
    preset = {**kernel.values, **machine.values, **workload.values}
    for name in given:
        if PARAMETERS[name].section == "workload" and name not in workload.values:
            known = ", ".join(workload.values)
            raise UserError(f"{name}: {workload.name} has no such value; it has {known}")
    values = {"run": 0, "seed": 0} | {name: value.value for name, value in preset.items()} | given
    overrides = {
        name: value
        for name, value in given.items()
        if name in preset and name != "threads" and value != preset[name].value
    }
    plan = plan_of(given["workload"], workload.traits, values)
    idle = _idle(values, plan)
    _carry_out_rules(values)
    _check_together(values)
    _check_plan(plan, values, workload.traits)
    stand_ins = [
        name
        for name, value in preset.items()
        if value.confidence == "unknown" and name not in overrides and name not in idle
    ]
    remark = "stand-in for unknown: " + ", ".join(stand_ins) if stand_ins else ""
    return Settings(values, plan, overrides, idle, remark)


def _parameter(name: str):
    """The parameter of that name; raises UserError with the nearest known name."""
    if name not in PARAMETERS:
        near = difflib.get_close_matches(str(name), PARAMETERS, n=1)
        raise UserError(
            f"{name}: no such parameter" + (f"; did you mean {near[0]!r}?" if near else "")
        )
    return PARAMETERS[name]


def _idle(values: Mapping[str, Any], plan: Plan) -> dict[str, str]:
    """Values that decide nothing here, and why: rules whose parameter is given, the other driver's, the
    stripe of one disk, and those of write-back where nobody writes."""
    idle = {rule: f"{name} is given" for rule, name in RULE_OF.items() if values[name] != AUTO}
    of_the_other = OF_SCSI if values["driver"] == "ide" else OF_IDE
    idle |= dict.fromkeys(of_the_other, f"the driver is {values['driver']}")
    if values["disks"] == 1:
        idle["stripe_kib"] = "there is one disk"
    if not plan.writes:
        idle |= dict.fromkeys(OF_WRITE_BACK, "nobody writes")
    return idle


def _carry_out_rules(values: dict[str, Any]) -> None:
    """Replace every `auto` by what the kernel's rule makes of this machine (SPEC 4.5-4.9, 5)."""
    if values["queue_size"] == AUTO:
        values["queue_size"] = _queue_size(values["queue_size_rule"], values["ram_mib"])
    if values["batch_requests"] == AUTO:
        share, most = BATCHES[values["batch_rule"]]
        values["batch_requests"] = max(1, min(values["queue_size"] // share, most))
    for name in ("max_sectors", "readahead_pages"):
        if values[name] == AUTO:
            values[name] = values[f"{name}_{values['driver']}"]


def _queue_size(rule: str, ram_mib: int) -> int:
    """nr_requests by rule (SPEC 4)."""
    ram_kib = ram_mib * 1024
    kind, _, number = rule.rpartition("_")
    if kind == "always":
        return int(number)
    if kind == "fixed":
        return 64 if ram_mib <= SMALL_RAM_MIB else int(number)
    if kind == "ram_kib_over_256_at_most":
        return min(int(number), ram_kib // 256)
    if kind == "ram_kib_over_512_each_at_most":
        return 2 * min(int(number), ram_kib // 512)
    return min(1024, max(32, ram_kib // 512 // 16 * 16))


def _read_slots(values: Mapping[str, Any]) -> int:
    """Slots a read may use."""
    return values["queue_size"] // 2 if _is_halved(values) else values["queue_size"]


def _is_halved(values: Mapping[str, Any]) -> bool:
    """Whether reads get no slot of the writes' half."""
    return values["pool"] in ("halves", "pending")


def _check_together(values: Mapping[str, Any]) -> None:
    """Raise UserError for values that are fine alone and impossible together."""
    if values["allocation_chunk_kib"] % PAGE_KIB:
        raise UserError(
            f"allocation_chunk_kib: {values['allocation_chunk_kib']} is no multiple of the "
            f"{PAGE_KIB} KiB page; 0 makes files contiguous"
        )
    if values.get("block_kib", PAGE_KIB) % PAGE_KIB:
        raise UserError(
            f"block_kib: {values['block_kib']} is no multiple of the {PAGE_KIB} KiB page"
        )
    if values["ram_mib"] <= values["system_mib"]:
        raise UserError(
            f"ram_mib: {values['ram_mib']} MiB leave nothing for the page cache beside the "
            f"{values['system_mib']} of system_mib; give at least {values['system_mib'] + 1}"
        )
    if values["disks"] > 1 and values["driver"] == "ide":
        raise UserError("disks: an ide driver has one command outstanding, and so one disk; give 1")
    if values["batch_requests"] > _read_slots(values):
        whom = "each direction" if _is_halved(values) else "both directions together"
        raise UserError(
            f"batch_requests: {values['batch_requests']} slots can never be free, because queue_size "
            f"{values['queue_size']} gives {whom} {_read_slots(values)}"
        )


def _check_plan(plan: Plan, values: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """Raise UserError for nobody to wait for, and for more than a simulation holds."""
    threads = sum(one.threads for one in plan.classes)
    if plan.foreground == 0:
        waited_for = [one for one in document["classes"].values() if not one.get("background")]
        counts = [one["threads"].split()[-1] for one in waited_for if one["threads"]]
        names = " or ".join(dict.fromkeys(counts)) or "threads"
        raise UserError(f"{names}: nobody is left to wait for; give at least 1")
    if threads > MOST_THREADS:
        raise UserError(
            f"threads: {threads} of all classes are too many; give at most {MOST_THREADS} together"
        )
    mib = plan.end_page // PAGES_PER_MIB
    if mib > MOST_MIB:
        raise UserError(
            f"workload {values['workload']}: its files reach over {mib} MiB; give at most {MOST_MIB}"
        )
