"""A workload in words: its threads, their files and programs, and how much they read and write."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine import presets
from engine.resolve import Settings
from engine.workload import ALL, KIB, MIB, PAGE_BYTES, FileSet, Operation, ThreadClass

SECOND_NS = 10**9
CALLS = {
    "sequential": "in sequence",
    "random": "at random places",
    "append": "at the end of the file",
    "again": "where the last call began",
    "skip": "one byte somewhere within {size} behind the end of the file",
}


def description(settings: Settings) -> str:
    """What the workload of `settings` does, as lines of text."""
    preset, plan = presets.workload(settings["workload"]), settings.plan
    lines = [preset.name, f"  {preset.title}"]
    if preset.traits["source"]:
        lines.append(f"  Source: {preset.traits['source']}")
    lines += [f"  With {name}: {text}" for name, text in preset.traits["sources"].items()]
    if plan.shared:
        lines += ["", "Files of all threads"]
        lines += [f"  {_files(name, files, settings, 1)}" for name, files in plan.shared.items()]
    for one in plan.classes:
        lines += ["", *_class(one, settings), "  Totals of a thread"]
        lines += [f"    {text}" for text in _totals(one, {**plan.shared, **one.files})]
    return "\n".join([*lines, "", *_end(settings)])


def _class(one: ThreadClass, settings: Settings) -> Iterator[str]:
    waits = "in the background" if one.background else "in the foreground"
    nice = f", nice {one.nice}" if one.nice else ""
    yield f"{one.name}: {_count(one.threads, 'thread')} {waits}{nice}"
    for name, files in one.files.items():
        yield f"  {_files(name, files, settings, one.threads)}"
    yield "  Each thread"
    for line in _steps(one, range(len(one.program))):
        yield f"    {line}"


def _files(name: str, files: FileSet, settings: Settings, threads: int) -> str:
    """One set of files."""
    count = _count(files.count, "file")
    whose = "for all" if files.shared else "for each thread"
    state = "there before, in no cache" if files.exists else "empty at first"
    state = "memory of processes" if files.memory else state
    total = _size(threads * files.count * files.file_bytes)
    return (
        f"files {name!r}: {count} of {_size(files.file_bytes)} {whose}, {state}, "
        f"{_place(files, settings, threads)}{_start(files)}; {total} in all"
    )


def _place(files: FileSet, settings: Settings, threads: int) -> str:
    """How they lie on the disk."""
    if files.scattered_bytes:
        together = threads * files.count * files.file_bytes
        return f"scattered over {_size(max(files.scattered_bytes, together))} of the disk"
    if files.count > 1 or files.shared:
        return "one behind the other on the disk"
    piece_kib = settings["allocation_chunk_kib"]
    if threads == 1 or piece_kib == 0 or piece_kib * KIB >= files.file_bytes:
        return "in one piece each"
    return f"interleaved in pieces of {piece_kib} KiB"


def _start(files: FileSet) -> str:
    """Where their place begins, if the workload says so."""
    return "" if files.from_bytes is None else f" from {files.from_bytes // MIB:,} MiB on"


def _steps(one: ThreadClass, numbers: range) -> Iterator[str]:
    """The steps in words, those of a loop indented below it."""
    for number in one.steps(numbers):
        step = one.program[number]
        if step.kind == "repeat":
            yield f"{_loop(step)}:"
            yield from (f"  {line}" for line in _steps(one, one.body(number)))
        else:
            yield _step(step)


def _loop(step: Operation) -> str:
    if step.is_endless or step.duration_ns:
        return f"again and again {_until(step)}"
    return "once" if step.calls == 1 else f"{step.calls:,} times"


def _until(step: Operation) -> str:
    if step.is_endless:
        return "until the run ends"
    return f"for {step.duration_ns // SECOND_NS} s"


def _step(step: Operation) -> str:
    """One step that is no loop."""
    if step.kind in ("read", "write"):
        return f"{step.kind} {_calls(step)}"
    if step.kind in ("open", "turn"):
        which = "any" if step.pattern == "random" else "the next"
        end = "" if step.kind == "open" else ", and go on where it was left"
        return f"{'turn to' if end else 'open'} {which} file of {step.files!r}{end}"
    if step.is_beat:
        return f"keep a beat of {step.duration_ns / 1e6:,.6g} ms, at most {_count(step.calls, 'round')} ahead"
    if step.kind in ("compute", "pause"):
        chance = "from 0 to twice " if step.pattern == "random" else ""
        return f"{step.kind} {chance}{step.duration_ns / 1e6:,.6g} ms"
    if step.kind == "barrier":
        return f"wait for all in the foreground; phase {step.phase!r} begins"
    return "empty the file (unlink)" if step.kind == "unlink" else step.kind


def _calls(step: Operation) -> str:
    """Where and how often read() or write() is called."""
    size = _size(step.call_bytes)
    where = CALLS[step.pattern].format(size=size)
    if step.calls == ALL:
        return f"{where}: the whole file in calls of {size}"
    of_size = "" if step.pattern == "skip" else f" of {size}"
    return f"{where}: {_count(step.calls, 'call')}{of_size}"


@dataclass
class Work:
    """What one thread does in a phase, or in each round of a loop whose rounds nobody knows before."""

    when: str
    counts: Counter[str] = field(default_factory=Counter)
    is_bound: bool = False  # it may be less: the file may not have been written to its end


class Tally:
    """Goes through the program of a class and adds up."""

    def __init__(self, one: ThreadClass, sets: Mapping[str, FileSet]) -> None:
        self.one, self.sets = one, sets
        self.label = one.first_set
        self.whole = {label for label, files in sets.items() if files.exists}
        self.works = [Work("")]
        self.walk(range(len(one.program)), 1, self.works[0])

    def walk(self, numbers: range, times: int, work: Work) -> None:
        """Add the steps, each done so many times."""
        for number in self.one.steps(numbers):
            step = self.one.program[number]
            if step.kind == "barrier":
                work = self._next_work(f"phase {step.phase!r}")
            elif step.kind == "repeat" and step.calls != ALL and not step.duration_ns:
                self.walk(self.one.body(number), times * step.calls, work)
            elif step.kind == "repeat":
                when = f"in each round of the loop {_until(step)}"
                self.walk(self.one.body(number), 1, self._next_work(when))
            elif step.kind in ("read", "write"):
                self._add_calls(step, times, work)
            elif step.files:
                self.label = step.files
            elif step.kind == "fsync":
                work.counts[step.kind] += times

    def _next_work(self, when: str) -> Work:
        self.works.append(Work(when))
        return self.works[-1]

    def _add_calls(self, step: Operation, times: int, work: Work) -> None:
        """As the results count them: each call as long as it asks for."""
        calls, files = step.calls, self.sets[self.label]
        if calls == ALL:
            nr_bytes = files.file_bytes if step.kind == "read" else files.pages * PAGE_BYTES
            calls = -(-nr_bytes // step.call_bytes)
            work.is_bound |= step.kind == "read" and self.label not in self.whole
            self.whole |= {self.label} if step.kind == "write" else set()
        call_bytes = 1 if step.pattern == "skip" else step.call_bytes
        work.counts[f"{step.kind} calls"] += calls * times
        work.counts[f"{step.kind} bytes"] += calls * times * call_bytes


def _totals(one: ThreadClass, sets: Mapping[str, FileSet]) -> Iterator[str]:
    """How much a thread and all of the class read and write, a line a phase."""
    for work in Tally(one, sets).works:
        if not work.counts and not work.when:
            continue  # all is in phases, or in loops without a number of rounds
        bound = "at most " if work.is_bound else ""
        told = f"{work.when}{': ' if work.when else ''}{bound}{_amounts(work.counts, 1)}"
        if work.counts and one.threads > 1:
            told += f"; all {one.threads} together {bound}{_amounts(work.counts, one.threads)}"
        yield told


def _amounts(counts: Counter[str], threads: int) -> str:
    """What so many threads do that do `counts` each."""
    parts = [
        f"{kind} {_size(threads * counts[f'{kind} bytes'])} in "
        f"{_count(threads * counts[f'{kind} calls'], 'call')}"
        for kind in ("read", "write")
        if counts[f"{kind} calls"]
    ]
    if counts["fsync"]:
        parts.append(_count(threads * counts["fsync"], "fsync"))
    return ", ".join(parts) or "nothing"


def _end(settings: Settings) -> Iterator[str]:
    """When the run ends, and what of it is measured."""
    plan = settings.plan
    phases = dict.fromkeys(step.phase for one in plan.classes for step in one.program if step.phase)
    if plan.measured:
        yield f"Measured is the phase {plan.measured!r}, the last of {len(phases)}: {', '.join(phases)}."
    else:
        yield "Measured is the whole run."
    total = _size(plan.file_bytes)
    waited_for = ", ".join(one.name for one in plan.classes if not one.background)
    yield f"The run ends with the last thread of {waited_for}. The files take {total} of the disk."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _size(nr_bytes: int) -> str:
    """Bytes in the largest unit that leaves at least one."""
    for unit, name in ((MIB, "MiB"), (KIB, "KiB")):
        if nr_bytes >= unit:
            number = f"{nr_bytes / unit:,.1f}"
            return f"{number.removesuffix('.0')} {name}"
    return _count(nr_bytes, "byte")
