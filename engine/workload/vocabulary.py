"""The words of a workload file, once: what they mean, what may stand behind them, and how it is read.

docs/workloads.md and every sentence about a mistake come from these tables.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from engine.core.limits import BLOCK_DEVICE_LIMIT
from engine.errors import UserError
from engine.parameters import PARAMETERS
from engine.workload.plan import ALL, OWN

MOST = 10**9  # of whatever is counted
FRACTION = re.compile(r"(\d+)/([1-9]\d*) of ")


@dataclass(frozen=True)
class Key:
    """One thing a word takes; `kind` is one of KINDS or NUMBERS, or `choice`."""

    name: str
    kind: str
    text: str
    default: Any = None
    least: int = 1
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True)
class Word:
    """What a word means and takes; of the keys in `either` at most one is given."""

    name: str
    text: str
    keys: tuple[Key, ...] = ()
    either: tuple[str, ...] = ()


KINDS = {  # what would be right, but for numbers and choices; `wanted` says it of all
    "text": "a text",
    "flag": "true or false",
    "ms": "a number of milliseconds",
    "value": "a value",
    "names": "names with a mapping each",
    "files": "a mapping as for a set of files",
    "steps": "a list of steps, a dash before each",
}
NUMBERS = ("number", "calls")  # the kinds that are resolved to one

_CALL = (
    Key("calls", "calls", "How many calls; `all`: from the begin of the file to its end, for write() to the size it was given.", "all"),
    Key("call_kib", "number", "KiB of one call.", "block_kib"),
    Key("call_bytes", "number", "Bytes of one call, in place of `call_kib`."),
)  # fmt: skip
_CHOICE = (
    Key("files", "text", "Which set of files.", OWN),
    Key("order", "choice", "The next file of the set, after the last the first again, or any.", "next", choices=("next", "random")),
)  # fmt: skip
_TIME = (
    Key("ms", "ms", "How long.", required=True),
    Key("random", "flag", "From nothing to twice as long, by chance.", False),
)
_PATTERN = "Where each call begins: where the last one ended; at a block by chance among those the file has"

WORKLOAD = Word("workload", "The file itself.", (
    Key("title", "text", "What it does, in one sentence.", required=True),
    Key("source", "text", "Whence it comes, and what of it is a guess.", ""),
    Key("files", "names", "Sets of files that all classes share.", {}),
    Key("classes", "names", "Classes of threads.", required=True),
    Key("values", "names", "Parameters a sweep or a flag may set, `threads` among them, with the values they have otherwise.", required=True),
))  # fmt: skip
VALUE = Word("value", "A parameter's value, written plainly or with its source.", (
    Key("value", "value", "The value.", required=True),
    Key("source", "text", "Whence it comes.", ""),
    Key("confidence", "choice", "How sure it is.", "verified", choices=("verified", "mail", "inferred", "unknown")),
))  # fmt: skip
CLASS = Word("class", "Threads that run the same program. They begin with the first file of their first set open.", (
    Key("threads", "number", "How many.", required=True, least=0),
    Key("background", "flag", "The run does not wait for them, and what they do is measured apart.", False),
    Key("file", "files", f"One file for each thread; as a set it is named `{OWN}`. Files of threads are written at the same time and interleave on the disk (`allocation_chunk_kib`)."),
    Key("files", "names", "Sets of files for each thread. Those of a set with more than one lie in one piece each.", {}),
    Key("program", "steps", "What each thread does, step by step.", required=True),
), either=("file", "files"))  # fmt: skip
FILES = Word("files", "A set of files of one size.", (
    Key("mib", "number", "MiB of each file."),
    Key("kib", "number", "KiB of each file, in place of `mib`."),
    Key("count", "number", "How many files: for each thread, or in all if the set is shared.", 1),
    Key("created", "flag", "They are empty at first, and only their place on the disk is kept; else they are there before, and in no cache.", False),
    Key("memory", "flag", "No files but memory of a process, whose place on the disk is swap. `write` touches it, `unlink` frees it, `fsync` is msync(). A page goes to the disk only when its turn to leave the cache comes, and is read from there when it is touched again.", False),
    Key("scattered_mib", "number", "They lie scattered over so many MiB of the disk (sets of several files only); 0: one behind the other.", 0, 0),
    Key("from_mib", "number", "Where their place begins, in MiB from the start of the data (`data_start_mib`), as in a partition of its own; otherwise behind the set before.", None, 0),
    Key("disk", "number", f"Which disk they lie on, 0 to {BLOCK_DEVICE_LIMIT - 1}: each has a request queue of its own and is such as the machine's (`disk`, `disks`). The file system's journal, and the measures of queue and device in the results, are of disk 0.", 0, 0),
    Key("inodes", "flag", "Each has an inode and a name on the disk (sets of several files only); false for files that stand for blocks of inodes and directories.", True),
), either=("mib", "kib"))  # fmt: skip

OPERATIONS = {word.name: word for word in (
    Word("read", "read() the open file.", (
        Key("pattern", "choice", f"{_PATTERN}. After the end comes the begin.", "sequential", choices=("sequential", "random")),
        *_CALL,
    ), either=("call_kib", "call_bytes")),
    Word("write", "write() to the open file. At the size it was given it goes on at the begin.", (
        Key("pattern", "choice", f"{_PATTERN}; at its end; one byte by chance within a call's length behind its end (`skip`); or where the thread's last call began, so that what was read is written back (`again`).", "sequential", choices=("sequential", "random", "append", "skip", "again")),
        *_CALL,
    ), either=("call_kib", "call_bytes")),
    Word("fsync", "Wait until every page of the open file that is dirty has been written, and its inode; with a journal, until all changes of metadata are committed."),
    Word("open", "Open a file of a set, at its begin and with read-ahead as new. Its name and its inode are read, if the set has them and they are not cached.", _CHOICE),
    Word("turn", "Turn to a file of a set, and go on where it was left.", _CHOICE),
    Word("unlink", "Empty the open file: its pages leave the cache, and the dirty ones are never written. Its inode and its name are changed."),
    Word("compute", "Use a processor.", _TIME),
    Word("pause", "Sleep.", _TIME),
    Word("phase", "Wait for all foreground threads, then begin a phase of that name (`measured` says which one counts). Foreground classes have the same phases, in no loop.", (
        Key("", "text", "Its name.", required=True),
    )),
    Word("repeat", "A loop. Without `rounds` and `seconds` it ends with the run, which only the background may do.", (
        Key("do", "steps", "The steps of the loop.", required=True),
        Key("rounds", "calls", "How often they are done."),
        Key("seconds", "number", "They are done again until so many seconds of the run, or of the phase measured, are over."),
    ), either=("rounds", "seconds")),
)}  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """What numbers are resolved with: the values of a point, and the threads that share them."""

    values: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1


def read_entry(where: str, word: Word, given: Any, scope: Scope) -> dict[str, Any]:
    """All keys of `word`: what is `given`, checked and with its numbers resolved, or their defaults.

    A key that is not given and has no default is None. Raises UserError that begins with `where`.
    """
    known = {key.name: key for key in word.keys}
    if given is not None and "" in known:
        given = {"": given}
    entry = {} if given is None else given
    if not isinstance(entry, Mapping):
        takes = f"give a mapping with {', '.join(known)}" if known else "it takes nothing"
        raise UserError(f"{where}: {given!r} is not right; {takes}")
    for name in entry:
        if name not in known:
            raise UserError(f"{where}: no such word {name!r}; {_hint(name, known, 'it takes')}")
    both = [name for name in word.either if name in entry]
    if len(both) > 1:
        raise UserError(f"{where}: {' and '.join(both)} exclude each other; keep one")
    result = {}
    for name, key in known.items():
        if key.required and name not in entry:
            raise UserError(f"{where}: {name or 'what follows'} is missing; give {wanted(key)}")
        value = entry.get(name, key.default)
        if name in entry or (key.kind in NUMBERS and isinstance(value, str)):
            is_other = name in word.either and both and name not in entry
            here = f"{where}: {name}" if name else where
            value = None if is_other else _value(here, key, value, scope)
        result[name] = value
    return result


def wanted(key: Key) -> str:
    """What would be right for a key, in words."""
    if key.kind == "choice":
        return "one of " + ", ".join(key.choices)
    if key.kind in NUMBERS:
        least = f"a whole number of at least {key.least}"
        name = "the name of a parameter, or `share of` or `2/3 of` one"
        return f"{least}, {name}{', or all' if key.kind == 'calls' else ''}"
    return KINDS[key.kind]


def unknown_word(where: str, given: object) -> UserError:
    """The error about a step that is none."""
    return UserError(f"{where}: no such step; {_hint(given, OPERATIONS, 'steps are')}")


def _value(where: str, key: Key, given: Any, scope: Scope) -> Any:
    right = {
        "text": isinstance(given, str) and bool(given),
        "flag": isinstance(given, bool),
        "ms": isinstance(given, int | float) and given is not True and 0 < given <= MOST,
        "choice": given in key.choices if isinstance(given, str) else False,
        "value": isinstance(given, str | int | float),
        "names": isinstance(given, Mapping) and (bool(given) or not key.required),
        "files": isinstance(given, Mapping),
        "steps": isinstance(given, list) and bool(given),
    }
    if key.kind in NUMBERS:
        return _number(where, key, given, scope)
    if not right[key.kind]:
        raise UserError(f"{where}: {given!r} is not right; give {wanted(key)}")
    if key.kind == "names":
        for name in given:
            if not isinstance(name, str):
                raise UserError(f"{where}: {name!r} is no name; put it in quotes, as '{name}'")
    return given


def _number(where: str, key: Key, given: Any, scope: Scope) -> int:
    """A number, the value of a parameter, a share or a fraction of it, or ALL."""
    if _is_whole(given):
        if not key.least <= given <= MOST:
            raise UserError(
                f"{where}: {given} is out of range; give {wanted(key)}, at most {MOST:,}"
            )
        return given
    if given == "all" and key.kind == "calls":
        return ALL
    if not isinstance(given, str):
        raise UserError(f"{where}: {given!r} is no whole number; give {wanted(key)}")
    name, times, parts = _part_of(given, scope)
    value = scope.values.get(name)
    if name in PARAMETERS and name not in scope.values:
        raise UserError(f"{where}: the workload has no {name}; give it a value under `values`")
    if not _is_whole(value):
        numbers = [n for n, v in scope.values.items() if _is_whole(v)]
        near = difflib.get_close_matches(name, numbers, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"give {wanted(key)}"
        raise UserError(f"{where}: {given!r} is no number; {hint}")
    part = value * times // parts
    if part < key.least and given.startswith("share of "):
        raise _share_too_small(name, value, parts)
    if part < key.least:
        least = -(-key.least * parts // times)
        raise UserError(f"{where}: {name} is {value}; give it at least {least}")
    return part


def _part_of(given: str, scope: Scope) -> tuple[str, int, int]:
    """A parameter's name, and how many of how many parts of its value are meant."""
    if given.startswith("share of "):
        return given.removeprefix("share of "), 1, max(1, scope.threads)
    if (found := FRACTION.match(given)) and int(found[1]):
        return given[found.end() :], int(found[1]), int(found[2])
    return given, 1, 1


def _share_too_small(name: str, value: int, threads: int) -> UserError:
    """The error about a parameter whose share among `threads` is nothing."""
    if PARAMETERS[name].unit == "MiB":
        return UserError(
            f"threads: {threads} threads need a file of at least 1 MiB each, but {name} is {value}; "
            f"give at most {value} threads"
        )
    unit = PARAMETERS[name].unit
    return UserError(
        f"{name}: {value} {unit} do not go round {threads} threads; give at least {threads}"
    )


def _is_whole(given: object) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _hint(given: object, known: Iterable[str], all_are: str) -> str:
    near = difflib.get_close_matches(str(given), known, n=1)
    everything = ", ".join(known) or "nothing"
    return f"did you mean {near[0]!r}?" if near else f"{all_are} {everything}"
