"""The kinds of the simulated machine: every enumeration its records hold, once."""

from enum import IntEnum


class Elevator(IntEnum):
    """Generations of the request queue; `engine.core.elevators` has the table.

    But for NOOP they are numbered in order of time: G20 to G22D are those of Linux 2.0 and 2.2, from
    G25A on those of 2.5.
    """

    NOOP = 0
    G20 = 1
    G22A = 2
    G22B = 3
    G22C = 3  # the code of G22B with another max_bomb_segments
    G22D = 4
    G24A = 5
    G24B = 6
    G24C = 7
    G24D = 8
    G24E = 9
    G24F = 10
    G24G = 11
    G24H = 12
    G24I = 13
    G24J = 14
    G24K = 14  # the elevator of G24J over another pool
    G24L = 14
    G25A = 15
    G25B = 16


class Verdict(IntEnum):
    """What a merge scan found."""

    NEW = 0
    BACK = 1
    FRONT = 2


class Outcome(IntEnum):
    """What became of a submitted buffer."""

    QUEUED = 0
    MERGED = 1
    NO_SLOT = 2


class Driver(IntEnum):
    """How the driver takes requests off the queue."""

    IDE = 0
    SCSI = 1


class DriveOrder(IntEnum):
    """Order in which a drive serves the commands it holds."""

    FCFS = 0
    CLOOK = 1
    SPTF = 2  # shortest positioning time first


class Event(IntEnum):
    """What can happen next. At one instant the lower number comes first."""

    COMPLETION = 0
    BURST_END = 1
    START = 2


class PageState(IntEnum):
    """State of a page of the page cache."""

    ABSENT = 0
    LOCKED = 1  # being read
    UPTODATE = 2


class Role(IntEnum):
    """What is in a page."""

    DATA = 0
    METADATA = 1
    HELD = 2  # metadata that a transaction of even number holds back
    HELD_ODD = 3
    UNSAVED = 4  # memory of a process, what it holds being nowhere on the disk
    SAVED = 5  # memory that is on the swap just as it is


class Pattern(IntEnum):
    """Where a thread's next call reads or writes."""

    SEQUENTIAL = 0
    RANDOM = 1
    APPEND = 2
    SKIP = 3  # a byte somewhere within `call_bytes` behind the end
    AGAIN = 4  # where the thread's last call began


class Op(IntEnum):
    """What one step of a thread's program asks for."""

    END = 0
    READ = 1
    WRITE = 2
    FSYNC = 3
    BARRIER = 4  # wait for all others that take part in the program's phases
    REPEAT = 5  # go back
    COMPUTE = 6  # processor time
    PAUSE = 7  # sleep
    OPEN = 8  # choose a file, and begin at its start
    TURN = 9  # choose a file, and go on where it was left
    UNLINK = 10  # the file is empty, and its pages are gone
    BDFLUSH = 11  # the kernel's own threads
    KUPDATE = 12
    KJOURNALD = 13


class Stage(IntEnum):
    """Where in an operation of its program a thread stands."""

    NEXT = 0  # about to begin the next operation
    CALL = 1  # about to call read() or write()
    PAGE = 2  # about to look for a page in the cache
    LOOK_AHEAD = 3  # the page it needs is being read; about to look ahead from it
    WINDOW = 4  # submitting a read-ahead window
    WAIT = 5  # about to wait for the page
    COPY = 6  # about to copy the page
    BALANCE = 7  # has dirtied a page; is it too many?
    FLUSH = 8  # submitting dirty pages
    ASLEEP = 9  # has nothing to do until it is woken
    DONE = 10
    NAMES = 11  # about to look for the file's name
    INODE = 12  # and for its inode
    LOG = 13  # writing blocks of the journal
    COMMIT = 14  # about to wait for a commit
    MAP = 15  # about to read the map of the blocks of a file that goes


class Balance(IntEnum):
    """What a thread does that dirties a page while too many are dirty (SPEC 7)."""

    NOTHING = 0
    WAKE = 1  # bdflush
    WAKE_AND_WAIT = 2  # for a pass of bdflush
    WRITE = 3  # submit some itself
    WRITE_AND_WAIT = 4  # and wait for a page under I/O, and wake bdflush


class Step(IntEnum):
    """What a running thread needs next."""

    BURST = 0  # processor time
    SUBMIT = 1  # its buffer submitted
    SLEEP = 2  # nothing: it waits for something, or is done
    NEXT = 3  # its next operation
