"""The workload vocabulary: classes of threads, their files and their programs, out of a preset's YAML.

docs/workloads.md has the words. `plan_of` turns a preset and the values of a point into a Plan, in which
every number is resolved; `engine.build` makes arrays of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import UserError

MIB = 2**20
KIB = 2**10
PAGE_BYTES = 4096
ALL = -1  # calls to the end of the file, or rounds without end
OWN = "file"  # the set of a class with one file a thread
READ_PATTERNS = ("sequential", "random")
WRITE_PATTERNS = ("sequential", "random", "append", "skip")
ORDERS = {"next": "sequential", "random": "random"}


@dataclass(frozen=True)
class FileSet:
    """Files of one size. `count` are each thread's own, or, shared, all there are."""

    count: int
    file_bytes: int
    exists: bool = True
    shared: bool = False
    scattered_bytes: int = 0  # over how much of the disk they lie, in order of chance; 0: together


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
    files: str = ""


@dataclass(frozen=True)
class ThreadClass:
    """Threads that run the same program. They begin with the first file of their first set open."""

    name: str
    threads: int
    background: bool
    files: Mapping[str, FileSet]
    program: tuple[Operation, ...]


@dataclass(frozen=True)
class Plan:
    """All classes of a workload, foreground first; shared files; the phase measured (empty: all)."""

    classes: tuple[ThreadClass, ...]
    shared: Mapping[str, FileSet]
    measured: str = ""

    @property
    def foreground(self) -> int:
        """How many threads a run waits for."""
        return sum(one.threads for one in self.classes if not one.background)

    @property
    def writes(self) -> bool:
        """Whether anybody writes."""
        return any(step.kind == "write" for one in self.classes for step in one.program)


def plan_of(name: str, document: Mapping[str, Any], values: Mapping[str, Any]) -> Plan:
    """The Plan of workload `name`; `document` is its YAML, `values` those of the point.

    Raises UserError for a word that is not in the vocabulary.
    """
    where = f"workload {name}"
    shared = {
        label: _file_set(f"{where}: {label}", entry, values, 1, True)
        for label, entry in document.get("files", {}).items()
    }
    classes = [
        _class(f"{where}: {label}", label, entry, values, shared)
        for label, entry in document["classes"].items()
    ]
    measured = values.get("measured", "")
    if measured:
        _check_phase(measured, classes)
        classes = [_until_measured(one, measured) for one in classes]
    kept = sorted((one for one in classes if one.threads > 0), key=lambda one: one.background)
    return Plan(tuple(kept), shared, measured)


def _check_phase(measured: str, classes: list[ThreadClass]) -> None:
    phases = [step.phase for one in classes for step in one.program if step.phase]
    if measured not in phases:
        known = ", ".join(dict.fromkeys(phases)) or "none"
        raise UserError(f"measured: the workload has no phase {measured!r}; it has {known}")


def _class(
    where: str,
    label: str,
    entry: Mapping[str, Any],
    values: Mapping[str, Any],
    shared: Mapping[str, FileSet],
) -> ThreadClass:
    _check_words(where, entry, ("threads", "file", "files", "background", "program"))
    threads = _number(where, entry["threads"], values, 1)
    given = {OWN: entry["file"]} if "file" in entry else {}
    files = {
        name: _file_set(f"{where}: {name}", one, values, threads, False)
        for name, one in (given | entry.get("files", {})).items()
    }
    program = tuple(_operations(where, entry["program"], values, threads, 0, 0))
    for step in program:
        if step.files and step.files not in files and step.files not in shared:
            known = ", ".join([*files, *shared]) or "none"
            raise UserError(f"{where}: there are no files {step.files!r}; there are {known}")
    return ThreadClass(label, threads, entry.get("background", False), files, program)


def _file_set(
    where: str, entry: Mapping[str, Any], values: Mapping[str, Any], threads: int, shared: bool
) -> FileSet:
    _check_words(where, entry, ("mib", "kib", "count", "created", "scattered_mib"))
    unit, given = (MIB, entry["mib"]) if "mib" in entry else (KIB, entry["kib"])
    return FileSet(
        count=_number(where, entry.get("count", 1), values, threads),
        file_bytes=_number(where, given, values, threads) * unit,
        exists=not entry.get("created", False),
        shared=shared,
        scattered_bytes=_number(where, entry.get("scattered_mib", 0), values, threads) * MIB,
    )


def _until_measured(one: ThreadClass, phase: str) -> ThreadClass:
    """The class without what its program does after the phase that is measured."""
    names = [operation.phase for operation in one.program]
    if phase not in names:
        return one
    later = (i for i, n in enumerate(names) if n and i > names.index(phase))
    return replace(one, program=one.program[: next(later, len(names))])


def _operations(
    where: str, steps: list, values: Mapping[str, Any], threads: int, start: int, level: int
) -> Iterator[Operation]:
    """The operations of a list of steps that begins as number `start` of its program."""
    for step in steps:
        word, given = next(iter(step.items())) if isinstance(step, Mapping) else (step, {})
        here = f"{where}: {word}"
        if word == "repeat":
            _check_words(here, given, ("do", "rounds", "seconds"))
            body = list(_operations(here, given["do"], values, threads, start, level + 1))
            yield from body
            rounds = _number(here, given.get("rounds", "all"), values, threads)
            seconds = _number(here, given.get("seconds", 0), values, 1)
            yield Operation("repeat", "sequential", 0, rounds, seconds * 10**9, start, level)
            start += len(body) + 1
        elif word in WORDS:
            yield WORDS[word](here, word, given, values, threads)
            start += 1
        else:
            known = ", ".join([*WORDS, "repeat"])
            raise UserError(f"{here}: no such word; the vocabulary is {known}")


def _call(where: str, word: str, given: Any, values: Mapping[str, Any], threads: int) -> Operation:
    """read and write: so many calls of so many bytes."""
    _check_words(where, given, ("pattern", "calls", "call_kib", "call_bytes"))
    patterns = READ_PATTERNS if word == "read" else WRITE_PATTERNS
    pattern = _one_of(where, given.get("pattern", "sequential"), patterns)
    call_kib = given.get("call_kib", "block_kib")
    call_bytes = given.get("call_bytes") or _number(where, call_kib, values, 1) * KIB
    calls = _number(where, given.get("calls", "all"), values, threads)
    return Operation(word, pattern, call_bytes, calls)


def _open(where: str, word: str, given: Any, values: Mapping[str, Any], threads: int) -> Operation:
    """open and turn: another file of a set."""
    _check_words(where, given, ("files", "order"))
    order = _one_of(where, given.get("order", "next"), tuple(ORDERS))
    return Operation(word, ORDERS[order], files=given.get("files", OWN))


def _time(where: str, word: str, given: Any, values: Mapping[str, Any], threads: int) -> Operation:
    """compute and pause: processor time and sleep, exactly or up to twice as long by chance."""
    _check_words(where, given, ("ms", "random"))
    pattern = "random" if given.get("random") else "sequential"
    return Operation(word, pattern, duration_ns=round(given["ms"] * 1e6))


def _bare(where: str, word: str, given: Any, values: Mapping[str, Any], threads: int) -> Operation:
    """fsync and unlink."""
    _check_words(where, given, ())
    return Operation(word)


def _phase(where: str, word: str, given: Any, values: Mapping[str, Any], threads: int) -> Operation:
    """phase: wait for all others, and begin a phase of that name."""
    return Operation("barrier", phase=str(given))


WORDS = {
    "read": _call,
    "write": _call,
    "fsync": _bare,
    "open": _open,
    "turn": _open,
    "unlink": _bare,
    "compute": _time,
    "pause": _time,
    "phase": _phase,
}


def _number(where: str, given: Any, values: Mapping[str, Any], threads: int) -> int:
    """A number, the name of a value, `share of` a value among the threads, or `all`."""
    if isinstance(given, int):
        return given
    if given == "all":
        return ALL
    name = str(given).removeprefix("share of ")
    if not isinstance(values.get(name), int):
        raise UserError(f"{where}: {given!r} is no number; give one, or the name of a parameter")
    return values[name] // threads if name != given else values[name]


def _one_of(where: str, given: Any, known: tuple[str, ...]) -> str:
    if given not in known:
        raise UserError(f"{where}: {given!r} is not one of {', '.join(known)}")
    return given


def _check_words(where: str, entry: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for word in entry:
        if word not in known:
            raise UserError(f"{where}: no such word {word!r}; give {', '.join(known)}")
