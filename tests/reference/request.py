"""The vocabulary of the queue: direction, bio, request, and what a merge scan finds (SPEC 2).

A queue is a list of requests from head (where the driver takes) to tail. Addresses are sectors of
512 bytes, memory addresses are bytes, ages (`sequence`) are passovers or whatever unit the
generation counts in.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

SECTOR_BYTES = 512


class Direction(IntEnum):
    """Which way the data goes."""

    READ = 0
    WRITE = 1


class Side(IntEnum):
    """Where a bio meets a queued request: behind it, before it, or not at all."""

    NONE = 0
    BACK = 1
    FRONT = 2


@dataclass(frozen=True)
class Settings:
    """What a script or a simulated machine chooses; None leaves the generation's own default."""

    max_sectors: int
    nr_requests: int
    head_active: bool = True  # IDE: the request in service stays at the head of the queue
    release_at_dispatch: bool = False  # SCSI: the slot goes back when the driver takes the request
    read_latency: int | None = None
    write_latency: int | None = None
    max_bomb_segments: int | None = None
    throttle: bool = True  # 2.4.22: the pool counts queued sectors


@dataclass(frozen=True)
class Bio:
    """One submitted piece: `nr_sectors` from `sector` on, at `memory` in RAM."""

    direction: Direction
    sector: int
    nr_sectors: int
    device: int = 0
    memory: int = 0

    @property
    def end(self) -> int:
        """First sector behind the bio."""
        return self.sector + self.nr_sectors

    @property
    def memory_end(self) -> int:
        """First byte of memory behind the bio."""
        return self.memory + self.nr_sectors * SECTOR_BYTES


@dataclass(eq=False)
class Request:
    """A unit of work for the driver, built from one or more adjacent bios."""

    id: int
    direction: Direction
    device: int
    sector: int
    nr_sectors: int
    memory: int
    memory_end: int
    sequence: int = 0  # age; a request that used it up is not overtaken any more
    segments: int = 1
    slot: object = None  # what the pool handed out
    started: bool = False  # 2.5: the driver has it
    no_merge: bool = False  # 2.5: once full, always full
    expires: int = 0  # deadline elevator: tick at which a read is late, 0 for writes

    @property
    def end(self) -> int:
        """First sector behind the request."""
        return self.sector + self.nr_sectors


class Found(NamedTuple):
    """What a merge scan found: a target (BACK, FRONT), or none and perhaps a hint."""

    side: Side
    request: Request | None
    budget: int = 0  # what the scan had left at the target, where it counts segments


NOTHING = Found(Side.NONE, None)


def disk_order(piece: Request | Bio) -> tuple[int, int]:
    """Sorting key of a sweep: by device, then by sector."""
    return piece.device, piece.sector


def default(value: int | None, fallback: int) -> int:
    """`value`, or the generation's own number."""
    return fallback if value is None else value


def in_between(requests: list[Request], first: Request, bio: Bio) -> bool:
    """Whether `bio` belongs directly behind request `first` in a one-way sweep (SPEC 2.5).

    The last element is never such a place. Where the sweep folds back (the pair is out of order)
    anything beyond its upper end or below its new start belongs.
    """
    if first is requests[-1]:
        return False
    second = requests[requests.index(first) + 1]
    if second.device != first.device:
        return bio.sector > first.sector
    if first.sector < bio.sector < second.sector:
        return True
    if first.sector < second.sector:
        return False
    return bio.sector > first.sector or bio.sector < second.sector
