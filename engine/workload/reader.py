"""From a workload's file and the values of a point to its Plan."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core.limits import NESTING_LIMIT
from engine.errors import UserError
from engine.workload.checks import check_class, check_extents, check_phases
from engine.workload.entry import Scope, read_entry, unknown_word
from engine.workload.plan import ALL, KIB, MIB, OWN, FileSet, Operation, Plan, ThreadClass
from engine.workload.vocabulary import CLASS, FILES, OPERATIONS

ORDERS = {"next": "sequential", "random": "random"}


@dataclass(frozen=True)
class Place:
    """Where in a program its steps stand: for whom, in how many loops, and behind how many others."""

    scope: Scope
    background: bool
    level: int = 0
    start: int = 0


def plan_of(name: str, document: Mapping[str, Any], values: Mapping[str, Any]) -> Plan:
    """The Plan of workload `name`; `document` is its YAML, `values` those of the point.

    Raises UserError for a word that is not in the vocabulary, and for a program that cannot run.
    """
    where = f"workload {name}"
    shared = _file_sets(f"{where}: files", document.get("files", {}), Scope(values), True)
    classes = [
        _class(f"{where}: {label}", label, entry, values, shared)
        for label, entry in document["classes"].items()
    ]
    kept = sorted((one for one in classes if one.threads > 0), key=lambda one: one.background)
    check_phases(where, kept)
    measured = values.get("measured", "")
    if measured:
        _check_measured(measured, kept)
        kept = [_until_measured(one, measured) for one in kept]
    plan = Plan(tuple(kept), shared, measured)
    check_extents(where, plan.extents)
    return plan


def _check_measured(measured: str, classes: list[ThreadClass]) -> None:
    phases = [step.phase for one in classes for step in one.program if step.phase]
    if measured not in phases:
        known = ", ".join(dict.fromkeys(phases)) or "none"
        raise UserError(f"measured: the workload has no phase {measured!r}; it has {known}")


def _class(
    where: str,
    label: str,
    given: Any,
    values: Mapping[str, Any],
    shared: Mapping[str, FileSet],
) -> ThreadClass:
    entry = read_entry(where, CLASS, given, Scope(values))
    threads = entry["threads"]
    scope = Scope(values, threads)
    own = {OWN: entry["file"]} if entry["file"] is not None else entry["files"]
    files = _file_sets(where, own, scope, False)
    program = tuple(_operations(where, entry["program"], Place(scope, entry["background"])))
    one = ThreadClass(label, threads, entry["background"], files, program, entry["nice"])
    check_class(where, one, shared)
    return one


def _file_sets(
    where: str, given: Mapping[str, Any], scope: Scope, shared: bool
) -> dict[str, FileSet]:
    return {
        label: _file_set(f"{where}: {label}", one, scope, shared) for label, one in given.items()
    }


def _file_set(where: str, given: Any, scope: Scope, shared: bool) -> FileSet:
    entry = read_entry(where, FILES, given, scope)
    if entry["mib"] is None and entry["kib"] is None:
        raise UserError(f"{where}: mib is missing; give it, or kib")
    if entry["count"] == 1:
        _check_one_file(where, given, entry)
    return FileSet(
        count=entry["count"],
        file_bytes=entry["mib"] * MIB if entry["mib"] is not None else entry["kib"] * KIB,
        exists=not (entry["created"] or entry["memory"]),
        shared=shared,
        scattered_bytes=entry["scattered_mib"] * MIB,
        from_bytes=None if entry["from_mib"] is None else entry["from_mib"] * MIB,
        memory=entry["memory"],
        inodes=entry["inodes"],
        mapped=scope.values.get("block_map") == "indirect" and not entry["memory"],
    )


def _check_one_file(where: str, given: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
    """Raise UserError for what only several files can have."""
    count = given.get("count")
    more = f"{count} is 1; give more" if isinstance(count, str) else "give a count"
    if entry["scattered_mib"]:
        raise UserError(f"{where}: one file cannot lie scattered; {more}, or no scattered_mib")
    if given.get("inodes") and count in (None, 1):
        raise UserError(
            f"{where}: the inode of one file is known from the begin; give a count, or no inodes"
        )


def _until_measured(one: ThreadClass, phase: str) -> ThreadClass:
    """The class without what its program does after the phase that is measured."""
    names = [operation.phase for operation in one.program]
    if phase not in names:
        return one
    later = (i for i, n in enumerate(names) if n and i > names.index(phase))
    return replace(one, program=one.program[: next(later, len(names))])


def _operations(where: str, steps: list, place: Place) -> Iterator[Operation]:
    """The operations of a list of steps."""
    for number, step in enumerate(steps, 1):
        word, given = _word(f"{where}: step {number}", step)
        here = f"{where}: step {number}, {word}"
        if word == "repeat":
            operations = list(_loop(here, given, place))
        else:
            entry = read_entry(here, OPERATIONS[word], given, place.scope)
            operations = [BUILDERS[word](here, word, entry, place)]
        yield from operations
        place = replace(place, start=place.start + len(operations))


def _word(where: str, step: Any) -> tuple[str, Any]:
    """The word of a step, and what stands behind it."""
    if isinstance(step, Mapping) and len(step) > 1:
        second = list(step)[1]
        raise UserError(f"{where}: two words in one step; put a dash before {second!r}")
    is_mapping = isinstance(step, Mapping) and bool(step)
    word, given = next(iter(step.items())) if is_mapping else (step, None)
    if not isinstance(word, str) or word not in OPERATIONS:
        raise unknown_word(f"{where}: {word!r}", word)
    if is_mapping and given is None:
        raise UserError(f"{where}, {word}: nothing stands behind the colon; leave it out")
    return word, given


def _loop(where: str, given: Any, place: Place) -> Iterator[Operation]:
    """repeat: the operations of its body, then the one that goes back."""
    entry = read_entry(where, OPERATIONS["repeat"], given, place.scope)
    rounds = ALL if entry["rounds"] is None else entry["rounds"]
    duration_ns = (entry["seconds"] or 0) * 10**9
    if place.level == NESTING_LIMIT:
        raise UserError(f"{where}: loops stand in each other {NESTING_LIMIT} deep at most")
    if rounds == ALL and duration_ns == 0 and not place.background:
        raise UserError(
            f"{where}: the run would wait for it for ever; give rounds or seconds, or make its class "
            "`background: true`"
        )
    yield from _operations(where, entry["do"], replace(place, level=place.level + 1))
    yield Operation("repeat", "sequential", 0, rounds, duration_ns, place.start, place.level)


def _call(where: str, word: str, entry: Mapping[str, Any], place: Place) -> Operation:
    """read and write: so many calls of so many bytes."""
    call_bytes = entry["call_bytes"] or entry["call_kib"] * KIB
    return Operation(word, entry["pattern"], call_bytes, entry["calls"])


def _choice(where: str, word: str, entry: Mapping[str, Any], place: Place) -> Operation:
    """open and turn: another file of a set."""
    return Operation(word, ORDERS[entry["order"]], files=entry["files"])


def _time(where: str, word: str, entry: Mapping[str, Any], place: Place) -> Operation:
    """compute and pause: processor time and sleep, exactly or up to twice as long by chance; or a beat."""
    pattern = "random" if entry["random"] else "sequential"
    rounds = entry.get("ahead") or 0
    return Operation(word, pattern, calls=rounds, duration_ns=round(entry["ms"] * 1e6))


def _bare(where: str, word: str, entry: Mapping[str, Any], place: Place) -> Operation:
    """fsync and unlink."""
    return Operation(word)


def _phase(where: str, word: str, entry: Mapping[str, Any], place: Place) -> Operation:
    """phase: wait for all others, and begin a phase of that name."""
    if place.background:
        raise UserError(
            f"{where}: phases are of those a run waits for; take it out of the background"
        )
    if place.level > 0:
        raise UserError(f"{where}: a phase begins once; take it out of the loop")
    return Operation("barrier", phase=entry[""])


BUILDERS: dict[str, Callable[[str, str, Mapping[str, Any], Place], Operation]] = {
    "read": _call,
    "write": _call,
    "fsync": _bare,
    "open": _choice,
    "turn": _choice,
    "unlink": _bare,
    "compute": _time,
    "pause": _time,
    "phase": _phase,
}
