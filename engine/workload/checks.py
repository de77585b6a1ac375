"""What is fine word by word and cannot run: files nobody opened, phases that not all come to."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.core.limits import FILE_SETS_LIMIT
from engine.errors import UserError
from engine.workload.plan import MIB, PAGE_BYTES, Extent, FileSet, Operation, ThreadClass

OF_THE_OPEN_FILE = ("read", "write", "fsync", "unlink")


def check_class(where: str, one: ThreadClass, shared: Mapping[str, FileSet]) -> None:
    """Raise UserError if a step of the class has no file, or one it does not fit."""
    sets = {**shared, **one.files}
    if len(one.files) + len(shared) > FILE_SETS_LIMIT:
        raise UserError(
            f"{where}: {len(one.files)} sets of files, and {len(shared)} shared ones, are too many; "
            f"give at most {FILE_SETS_LIMIT} together"
        )
    _walk(where, one, range(len(one.program)), one.first_set, sets)


def _walk(
    where: str, one: ThreadClass, numbers: range, label: str, sets: Mapping[str, FileSet]
) -> str:
    """Check the steps, beginning with a file of the set `label` open; returns whose is open then."""
    for number in one.steps(numbers):
        step = one.program[number]
        if step.kind == "repeat":
            for _ in range(2):  # the second round may begin with another file open
                label = _walk(where, one, one.body(number), label, sets)
        elif step.files:
            if step.files not in sets:
                known = ", ".join(sets) or "none"
                raise UserError(f"{where}: there are no files {step.files!r}; there are {known}")
            label = step.files
        elif step.kind in OF_THE_OPEN_FILE:
            _check_open_file(where, step, label, sets)
    return label


def _check_open_file(where: str, step: Operation, label: str, sets: Mapping[str, FileSet]) -> None:
    if not label:
        hint = "put an `open` before it" if sets else "give the class a file or files"
        raise UserError(f"{where}: {step.kind} without an open file; {hint}")
    if step.kind == "read" and sets[label].memory:
        raise UserError(
            f"{where}: {label!r} is memory, which `write` touches; put that in place of read"
        )
    room = sets[label].pages * PAGE_BYTES
    if step.kind == "write" and step.pattern != "skip" and step.call_bytes > room:
        raise UserError(
            f"{where}: a write of {step.call_bytes} bytes is larger than a file of {label!r}; give a "
            f"call at most {room} bytes"
        )


def check_extents(where: str, extents: Sequence[Extent]) -> None:
    """Raise UserError if two sets of files lie on the same place of the disk."""
    in_order = sorted(extents, key=lambda extent: (extent.files.disk, extent.first_page))
    for one, other in pairwise(in_order):
        if other.files.disk == one.files.disk and other.first_page < one.end_page:
            names = (f"{each.owner}: {each.label}".removeprefix(": ") for each in (one, other))
            raise UserError(
                f"{where}: {' and '.join(names)} lie on the same place, the one up to "
                f"{one.end_page * PAGE_BYTES / MIB:,.1f} MiB and the other from "
                f"{other.first_page * PAGE_BYTES / MIB:,.1f}; give another from_mib"
            )


def check_phases(where: str, classes: Sequence[ThreadClass]) -> None:
    """Raise UserError unless all classes a run waits for come to the same phases, each once."""
    phases = {
        one.name: [step.phase for step in one.program if step.phase]
        for one in classes
        if not one.background
    }
    for name, found in phases.items():
        if twice := [phase for phase in found if found.count(phase) > 1]:
            raise UserError(
                f"{where}: {name}: the phase {twice[0]!r} stands here twice; rename one"
            )
    if len({tuple(found) for found in phases.values()}) > 1:
        told = "; ".join(f"{name} has {', '.join(has) or 'none'}" for name, has in phases.items())
        raise UserError(
            f"{where}: classes would wait for each other for ever, their phases differing ({told}); "
            "give all the same, or make one `background: true`"
        )
