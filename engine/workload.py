"""The workload vocabulary: classes of threads with their files and programs, out of a preset's YAML.

docs/workloads.md has the words. `plan_of` turns a preset and the values of a point into a Plan, in which
every number is resolved; `engine.build` makes arrays of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import UserError

MIB = 2**20
KIB = 2**10
ALL = -1  # calls to the end of the file, or rounds without end
PATTERNS = ("sequential", "random")


@dataclass(frozen=True)
class Operation:
    """One step of a program; numbers as in `engine.core.records.OPERATION`."""

    kind: str
    pattern: str = "sequential"
    call_bytes: int = 0
    calls: int = 0
    duration_ns: int = 0
    target: int = 0
    level: int = 0
    phase: str = ""


@dataclass(frozen=True)
class ThreadClass:
    """Threads that run the same program, each on a file of its own."""

    name: str
    threads: int
    file_bytes: int
    file_exists: bool
    has_file: bool
    background: bool
    program: tuple[Operation, ...]


@dataclass(frozen=True)
class Plan:
    """All classes of a workload, foreground first, and the phase that is measured (empty: all)."""

    classes: tuple[ThreadClass, ...]
    measured: str = ""

    @property
    def foreground(self) -> int:
        """How many threads a run waits for."""
        return sum(one.threads for one in self.classes if not one.background)


def plan_of(name: str, document: Mapping[str, Any], values: Mapping[str, Any]) -> Plan:
    """The Plan of workload `name`; `document` is its YAML, `values` those of the point.

    Raises UserError for a word that is not in the vocabulary.
    """
    classes = [
        _class(f"workload {name}: {label}", label, entry, values)
        for label, entry in document["classes"].items()
    ]
    measured = values.get("measured", "")
    if measured:
        _check_phase(measured, classes)
        classes = [_until_measured(one, measured) for one in classes]
    kept = sorted((one for one in classes if one.threads > 0), key=lambda one: one.background)
    return Plan(tuple(kept), measured)


def _check_phase(measured: str, classes: list[ThreadClass]) -> None:
    phases = [step.phase for one in classes for step in one.program if step.phase]
    if measured not in phases:
        known = ", ".join(dict.fromkeys(phases)) or "none"
        raise UserError(f"measured: the workload has no phase {measured!r}; it has {known}")


def _class(
    where: str, label: str, entry: Mapping[str, Any], values: Mapping[str, Any]
) -> ThreadClass:
    _check_words(where, entry, ("threads", "file", "background", "program"))
    threads = _number(where, entry["threads"], values, 1)
    file = entry.get("file", {"mib": 0})
    _check_words(f"{where}: file", file, ("mib", "created"))
    mib = _number(f"{where}: file", file["mib"], values, threads)
    program = tuple(_operations(where, entry["program"], values, threads, 0, 0))
    return ThreadClass(
        label,
        threads,
        mib * MIB,
        not file.get("created", False),
        "file" in entry,
        entry.get("background", False),
        program,
    )


def _until_measured(one: ThreadClass, phase: str) -> ThreadClass:
    """The class without what its program does after the phase that is measured."""
    names = [operation.phase for operation in one.program]
    if phase not in names:
        return one
    later = (i for i, n in enumerate(names) if n and i > names.index(phase))
    end = next(later, len(names))
    return ThreadClass(**{**one.__dict__, "program": one.program[:end]})


def _operations(
    where: str, steps: list, values: Mapping[str, Any], threads: int, start: int, level: int
) -> Iterator[Operation]:
    """The operations of a list of steps that begins as number `start` of its program."""
    for step in steps:
        word, given = next(iter(step.items())) if isinstance(step, Mapping) else (step, {})
        here = f"{where}: {word}"
        if word in ("read", "write"):
            _check_words(here, given, ("pattern", "calls", "call_kib"))
            pattern = given.get("pattern", "sequential")
            if pattern not in PATTERNS:
                raise UserError(
                    f"{here}: no pattern {pattern!r}; give one of {', '.join(PATTERNS)}"
                )
            call_kib = _number(here, given.get("call_kib", "block_kib"), values, 1)
            calls = _number(here, given.get("calls", "all"), values, threads)
            yield Operation(word, pattern, call_kib * KIB, calls)
            start += 1
        elif word == "fsync":
            yield Operation("fsync")
            start += 1
        elif word == "phase":
            yield Operation("barrier", phase=str(given))
            start += 1
        elif word in ("compute", "pause"):
            _check_words(here, given, ("ms", "random"))
            pattern = "random" if given.get("random") else "sequential"
            yield Operation(word, pattern, duration_ns=round(given["ms"] * 1e6))
            start += 1
        elif word == "repeat":
            _check_words(here, given, ("do", "rounds", "seconds"))
            body = list(_operations(here, given["do"], values, threads, start, level + 1))
            yield from body
            rounds = _number(here, given.get("rounds", "all"), values, 1)
            duration_ns = round(given.get("seconds", 0) * 1e9)
            yield Operation(
                "repeat", calls=rounds, duration_ns=duration_ns, target=start, level=level
            )
            start += len(body) + 1
        else:
            raise UserError(f"{here}: no such word; docs/workloads.md has the vocabulary")


def _number(where: str, given: Any, values: Mapping[str, Any], threads: int) -> int:
    """A number, the name of a value, `share of` a value among the threads, or `all`."""
    if isinstance(given, int):
        return given
    if given == "all":
        return ALL
    name = str(given).removeprefix("share of ")
    if name not in values or not isinstance(values[name], int):
        raise UserError(f"{where}: {given!r} is no number; give one, or the name of a parameter")
    return values[name] // threads if name != given else values[name]


def _check_words(where: str, entry: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for word in entry:
        if word not in known:
            raise UserError(f"{where}: no such word {word!r}; give {', '.join(known)}")
