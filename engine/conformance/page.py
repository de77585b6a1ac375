"""Write docs/conformance.md, what a folder of vector files shows of the engine and of itself.

`python -m engine.conformance.page ../shared/kernels/vectors`; about a minute and a half with compilation.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.conformance import FileReport, read_file, run_file, vector_files
from engine.conformance.apart import (
    GENERATIONS,
    NOBODY_EXPIRES,
    Trial,
    is_one_code,
    own_generation,
    settings_off,
    trials,
)
from engine.docs import FOLDER
from engine.engine_hash import engine_hash
from engine.errors import UserError

MOST_NAMES = 4  # more are counted
NONE = "-"
# Why no script tells these apart, where it is known.
REASONS = {
    "g22b g22c": "SPEC 3.3: 2.2.16 and 2.2.17 differ in the default of `max_bomb_segments`, 4 and 32, "
    "and every script gives its own.",
    "g22a g22b g22c g22d": "SPEC 3.2 to 3.4: the scripts of `g22a` give no latencies, so nobody "
    "starves, and then the later ones place by its rule. They merge otherwise only where a merge is "
    "refused, and no script of `g22a` comes to that: all three look no further when the segments are "
    "too many, `g22d` also when the first request that touches the buffer is full. The ages in the "
    "dumps differ: `g22a` has none.",
    "w2419 w2513": "SPEC 4.9: the rule is that of 4.6; the kernels differ in the number of slots, "
    "which every script gives.",
    "w2421 w257": "SPEC 4.9 finds them the same on these vectors. 2.5.1 ... 2.5.8 sleep while fewer "
    "than a batch are free, 2.4.21 while none is, but who comes to sleep has found none (SPEC 4.5). "
    "Else the kernels differ in the number of slots, which every script gives.",
    "2.4.18 2.4.22": "SPEC 6 has one rule for 2.4.1 ... 2.4.22; every script gives the smallest and "
    "the largest window.",
}


class Entry(NamedTuple):
    """A vector file: its name, what is in it, how it went, and how others went on it."""

    name: str
    document: Mapping[str, Any]
    report: FileReport
    others: list[Trial]


def page(folder: Path) -> str:
    """docs/conformance.md for the vector files below `folder`."""
    entries = [_entry(path, folder) for path in vector_files([folder])]
    shown = Path(os.path.relpath(folder, FOLDER.parent)).as_posix()
    parts = [
        "# Conformance",
        f"Made by `python -m engine.conformance.page {shown}` from the vector files of `{shown}` and "
        f"engine `{engine_hash()}`; make it again so, do not edit it. A vector file holds what the "
        "original text of a kernel did on seeded scripts; SPEC is the specification beside them. The "
        "engine's own code replays them.",
        _summary(entries),
        _table(
            ("file", "generation", "kernels", "schema", "scripts", "passed"),
            map(_passed_row, entries),
        ),
        *_misses(entries),
        *_apart(entries),
    ]
    return "\n\n".join(parts) + "\n"


def _entry(path: Path, folder: Path) -> Entry:
    name = path.relative_to(folder).as_posix().removesuffix(".json.gz")
    report, document = run_file(path), read_file(path)
    return Entry(name, document, report, trials(document) if report.supported else [])


def _summary(entries: Sequence[Entry]) -> str:
    total = sum(entry.report.total for entry in entries)
    lacking = sum(entry.report.total for entry in entries if not entry.report.supported)
    failed = total - lacking - sum(entry.report.passed for entry in entries)
    verdicts = [f"Files: {len(entries)}. Scripts: {total}."]
    if lacking:
        verdicts.append(f"**{lacking} are of generations the engine lacks.**")
    verdicts.append(f"**{failed} fail.**" if failed else "None fails.")
    return " ".join(verdicts)


def _passed_row(entry: Entry) -> tuple[object, ...]:
    report = entry.report
    passed = f"{report.passed}" if report.passed == report.total else f"**{report.passed}**"
    return (
        f"`{entry.name}`",
        f"`{report.generation}`",
        entry.document.get("kernels", NONE),
        entry.document["schema"],
        report.total,
        passed if report.supported else "not supported",
    )


def _misses(entries: Iterable[Entry]) -> Iterable[str]:
    """Where each file that failed first did."""
    misses = [f"- `{e.name}`: {e.report.first_miss}" for e in entries if e.report.first_miss]
    return ["The first script of each file that fails:", "\n".join(misses)] if misses else []


def _apart(entries: Sequence[Entry]) -> Iterable[str]:
    """Which other generations pass, and why."""
    yield "## Which generations the vectors tell apart"
    yield (
        "Every other generation the engine has for a schema replays the file's scripts, with its own "
        "elevator, pool, segment limit and rule of release. *Results* are all that was recorded. "
        "*Decisions* leave out what was only counted: the ages and `aux` of a dump, the free slots and "
        "wait queues of a pool, the state of a read-ahead; two generations whose dumps count different "
        "things can still decide alike. `g25b` is like no other even so, since its dumps have three lists. "
        "*Nearest* is who passes most scripts, but not all."
    )
    yield (
        "What the scripts of a file do not give is turned off for others, so that they have their "
        f"chance: nobody expires (`read_latency` and `write_latency` {NOBODY_EXPIRES:,}), and "
        "`max_bomb_segments` limits nothing (`g24f` and `g24h`: 0). Sectors are counted against a limit "
        "(`throttle`) only where the script says so."
    )
    heads = "file", "scripts", "not given", "all results", "nearest", "all decisions", "nearest"
    yield _table(heads, (_apart_row(entry) for entry in entries if entry.others))
    yield from _narrow(entries)
    yield "## Why some are not told apart"
    yield (
        "Where the engine has one code for two, no script could tell them apart in it; that both files "
        "pass shows that one rule and one set of constants gives both records."
    )
    yield "\n".join(_reasons(entries))
    yield from _untested(entries)


def _apart_row(entry: Entry) -> tuple[object, ...]:
    given = set().union(*(script["params"] for script in entry.document["scripts"]))
    off = settings_off(own_generation(entry.document)) if entry.document["schema"] == 1 else {}
    return (
        f"`{entry.name}`",
        entry.report.total,
        _names(sorted(set(off) - given)),
        *_passing(entry, lambda trial: trial.recorded),
        *_passing(entry, lambda trial: trial.decided),
    )


def _passing(entry: Entry, count: Callable[[Trial], int]) -> tuple[str, str]:
    """Who passes all scripts; who comes nearest to it, and how near."""
    total = entry.report.total
    most = max((n for n in map(count, entry.others) if n < total), default=0)
    nearest = [trial.generation for trial in entry.others if count(trial) == most]
    return _names(_alike(entry, count)), f"{_names(nearest)}: {most} of {total}" if most else NONE


def _alike(entry: Entry, count: Callable[[Trial], int]) -> list[str]:
    return [trial.generation for trial in entry.others if count(trial) == entry.report.total]


def _names(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{len(names)} others"
    return ", ".join(f"`{name}`" for name in names) or NONE


def _narrow(entries: Iterable[Entry]) -> Iterable[str]:
    """Whom a single script tells from the file's own generation."""
    pairs = [
        f"`{trial.generation}` from `{own_generation(entry.document)}`"
        for entry in entries
        for trial in entry.others
        if entry.report.total - trial.recorded == 1
    ]
    if pairs:
        yield f"One script alone tells {', '.join(pairs)}."


def _reasons(entries: Iterable[Entry]) -> list[str]:
    """A line for each group of generations of which one passes all scripts of another."""
    groups: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        for count in (lambda trial: trial.recorded), (lambda trial: trial.decided):
            alike = _alike(entry, count)
            if alike:
                groups.setdefault(tuple(sorted([own_generation(entry.document), *alike])), entry)
    return [f"- {_names(group)}{_reason(group, entry)}" for group, entry in groups.items()]


def _reason(group: tuple[str, ...], entry: Entry) -> str:
    schema = entry.document["schema"]
    one = all(is_one_code(schema, group[0], other) for other in group[1:])
    known = REASONS.get(" ".join(group), "Why is not known.")
    return f" ({'one code' if one else 'apart'} in the engine): {known}"


def _untested(entries: Sequence[Entry]) -> Iterable[str]:
    """Generations of the engine without a file here."""
    seen = {own_generation(entry.document) for entry in entries}
    missing = [name for names in GENERATIONS.values() for name in names if name not in seen]
    if missing:
        yield f"The engine has, without vectors here: {', '.join(f'`{n}`' for n in missing)}."


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


def main() -> None:
    """Write the page for the folder named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of vector files")
    try:
        text = page(parser.parse_args().folder)
    except UserError as error:
        parser.error(str(error))
    (FOLDER / "conformance.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
