"""What a workload comes to: classes of threads with files and programs, every number resolved."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.directories import described_pages
from engine.indirect import map_places

MIB = 2**20
KIB = 2**10
PAGE_BYTES = 4096
ALL = -1  # calls to the end of the file, or rounds without end
OWN = "file"  # the set of a class with one file a thread


@dataclass(frozen=True)
class FileSet:
    """Files of one size. `count` are each thread's own, or, shared, all there are.

    Their place on the disk begins `from_bytes` into the data, or behind the set before them (None);
    that of `memory`, which is no file, is swap.
    """

    count: int
    file_bytes: int
    exists: bool = True
    shared: bool = False
    scattered_bytes: int = 0  # over how much of the disk they lie, in order of chance; 0: together
    from_bytes: int | None = None
    memory: bool = False
    inodes: bool = True  # each has an inode and a name on the disk, if they are several
    mapped: bool = False  # indirect blocks lie among the pages of each

    @property
    def pages(self) -> int:
        """Pages that each of the files has room for."""
        return -(-self.file_bytes // PAGE_BYTES)

    @property
    def places(self) -> int:
        """Pages of the disk that each takes, its indirect blocks included."""
        return self.pages + (map_places(self.pages).size if self.mapped else 0)

    @property
    def described(self) -> bool:
        """Whether their inodes and names are on the disk, too."""
        return self.inodes and self.count > 1 and not self.memory

    def extent_pages(self, threads: int) -> int:
        """Pages of the disk that the files of so many threads take, their inodes and names included."""
        pages = max(threads * self.count * self.places, self.scattered_bytes // PAGE_BYTES)
        return pages + described_pages(threads, self.count) if self.described else pages


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

    @property
    def is_endless(self) -> bool:
        """Whether it is a loop that only the end of the run ends."""
        return self.kind == "repeat" and self.calls == ALL and self.duration_ns == 0

    @property
    def is_beat(self) -> bool:
        """Whether it is a pause that keeps a beat, `calls` rounds ahead at most."""
        return self.kind == "pause" and self.calls > 0


@dataclass(frozen=True)
class ThreadClass:
    """Threads that run the same program. They begin with the first file of their first set open."""

    name: str
    threads: int
    background: bool
    files: Mapping[str, FileSet]
    program: tuple[Operation, ...]
    nice: int = 0

    @property
    def first_set(self) -> str:
        """The set of the file they begin with; empty if they must open one."""
        return next(iter(self.files), "")

    def body(self, repeat: int) -> range:
        """Numbers of the operations in the loop whose `repeat` is number `repeat`."""
        return range(self.program[repeat].target, repeat)

    def steps(self, numbers: range) -> Iterator[int]:
        """Those of `numbers` that stand in no loop among them, a loop being its `repeat`."""
        inside = {
            inner
            for number in numbers
            if self.program[number].kind == "repeat"
            for inner in self.body(number)
        }
        return (number for number in numbers if number not in inside)


class Extent(NamedTuple):
    """Where on the disk a set of files lies, in pages from the start of the data."""

    owner: str  # the class, or "" for files of all
    threads: int  # that have such files each
    label: str
    files: FileSet
    first_page: int
    pages: int

    @property
    def end_page(self) -> int:
        """The page behind the last."""
        return self.first_page + self.pages


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
        """Whether anybody writes; who unlinks writes inodes and names."""
        return any(step.kind in ("write", "unlink") for one in self.classes for step in one.program)

    @property
    def extents(self) -> list[Extent]:
        """Where the sets of files lie: those of the classes, then the shared ones."""
        sets = [
            (one.name, one.threads, *item) for one in self.classes for item in one.files.items()
        ]
        sets += [("", 1, *item) for item in self.shared.items()]
        extents: list[Extent] = []
        behind = 0
        for owner, threads, label, files in sets:
            first = behind if files.from_bytes is None else files.from_bytes // PAGE_BYTES
            pages = files.extent_pages(threads)
            extents.append(Extent(owner, threads, label, files, first, pages))
            behind = first + pages
        return extents

    @property
    def file_bytes(self) -> int:
        """How much of the disk all files take."""
        return sum(extent.pages for extent in self.extents) * PAGE_BYTES

    @property
    def end_page(self) -> int:
        """The page behind the last file, from the start of the data."""
        return max((extent.end_page for extent in self.extents), default=0)
