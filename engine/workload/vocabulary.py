"""The words of a workload file, once: what they mean, and what may stand behind them.

docs/workloads.md and every sentence about a mistake come from these tables.
"""

from dataclasses import dataclass
from typing import Any

from engine.workload.plan import OWN


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
    "nice": "a whole number from -20 to 19",
    "names": "names with a mapping each",
    "texts": "a list, such as [contest_no_load, my_load.yaml]",
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
    Key("include", "texts", "Other workloads, by name or by path from where this file lies. Their sets of files, classes and values are this file's, too.", []),
    Key("files", "names", "Sets of files that all classes share.", {}),
    Key("classes", "names", "Classes of threads.", required=True),
    Key("values", "names", "Parameters a sweep or a flag may set, `threads` among them, with the values they have otherwise.", {}),
))  # fmt: skip
VALUE = Word("value", "A parameter's value, written plainly or with its source.", (
    Key("value", "value", "The value.", required=True),
    Key("source", "text", "Whence it comes.", ""),
    Key("confidence", "choice", "How sure it is.", "verified", choices=("verified", "mail", "inferred", "unknown")),
))  # fmt: skip
CLASS = Word("class", "Threads that run the same program. They begin with the first file of their first set open.", (
    Key("threads", "number", "How many.", required=True, least=0),
    Key("background", "flag", "The run does not wait for them, and what they do is measured apart.", False),
    Key("nice", "nice", "Nice level: the higher, the shorter their slice of a processor (11 ticks at -20, 6 at 0, 1 at 19) and, with `wakeup: preempt`, the later their turn.", 0),
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
    Word("pause", "Sleep.", (
        *_TIME,
        Key("ahead", "number", "Keep a beat of `ms` in place of sleeping so long, and be so many rounds ahead of it at most: a player whose buffer holds so many. A round that is not done by its beat shifts all that follow; by how much in all is `late_s` of its class."),
    ), either=("random", "ahead")),
    Word("phase", "Wait for all foreground threads, then begin a phase of that name (`measured` says which one counts). Foreground classes have the same phases, in no loop.", (
        Key("", "text", "Its name.", required=True),
    )),
    Word("repeat", "A loop. Without `rounds` and `seconds` it ends with the run, which only the background may do.", (
        Key("do", "steps", "The steps of the loop.", required=True),
        Key("rounds", "calls", "How often they are done."),
        Key("seconds", "number", "They are done again until so many seconds of the run, or of the phase measured, are over."),
    ), either=("rounds", "seconds")),
)}  # fmt: skip


def wanted(key: Key) -> str:
    """What would be right for a key, in words."""
    if key.kind == "choice":
        return "one of " + ", ".join(key.choices)
    if key.kind in NUMBERS:
        least = f"a whole number of at least {key.least}"
        name = "the name of a parameter, or `share of` or `2/3 of` one"
        return f"{least}, {name}{', or all' if key.kind == 'calls' else ''}"
    return KINDS[key.kind]
