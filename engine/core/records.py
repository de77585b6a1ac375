"""The vocabulary of the simulated machine: every kind and every record, once.

A simulation is one record, `STATE`; kernels get it (or a part of it) by reference. Beside it stand three
arrays whose length depends on the machine: `pages` (a PAGE for each page of the files, in the order in
which they lie on the disk), `pieces` (where each piece of a file begins, in pages) and the device's
`tables`. `engine.build` makes them.
"""

from enum import IntEnum

import numpy as np

from engine.core.devices import DEVICE
from engine.core.limits import (
    DEPTH_LIMIT,
    DISK_LIMIT,
    FILE_SETS_LIMIT,
    NESTING_LIMIT,
    PART_LIMIT,
    REQUEST_LIMIT,
    THREAD_LIMIT,
)
from engine.core.pools.records import POOL

BLOCK_SLOTS = 64  # requests in one block of the queue's order
BLOCK_LIMIT = 576  # neighbours hold over 32 together, so 2 * REQUEST_LIMIT / 32 blocks suffice
HASH_SIZE = 16384
REGIONS = 4096
HISTOGRAM_BUCKETS = 2560

NONE = -1  # no request, no thread, no place
SECTOR_BYTES = 512
PAGE_SECTORS = 8
PAGE_BYTES = 4096


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


class Pattern(IntEnum):
    """Where a thread's next call reads or writes."""

    SEQUENTIAL = 0
    RANDOM = 1
    APPEND = 2
    SKIP = 3  # a byte somewhere within `call_bytes` behind the end


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
    FLUSHED = 9  # has submitted them
    ASLEEP = 10  # has nothing to do until it is woken
    DONE = 11


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


PAGE = np.dtype(
    [
        ("state", np.uint8),
        ("used", np.bool_),  # since it came or was active
        ("active", np.bool_),  # used twice: it goes only when there are too many such
        ("dirty", np.bool_),
        ("writing", np.bool_),  # on its way to the disk; may be dirty again
        ("waiter", np.int16),  # 1 + the thread that waits for it first; 0: nobody
        ("previous", np.int32),  # neighbours in the list that holds it: clean pages by age
        ("next", np.int32),  # or dirty pages by age; NONE stands for the ends
        ("dirtied_ms", np.int32),
    ],
    align=True,
)

BIO = np.dtype(
    [
        ("sector", np.int64),
        ("nr_sectors", np.int64),
        ("memory", np.int64),  # address of the buffer in memory, in bytes
        ("minor", np.int64),  # minor number: which partition of the queue's disk
        ("is_write", np.bool_),
        ("holds_slot", np.bool_),  # its thread slept for a slot and has it in hand
        ("slot", np.int64),  # which one
        ("run", np.int64),  # buffers of the same kind its thread will submit right behind it
        ("extended", np.int64),  # ... and how many of them were merged together with it
    ],
    align=True,
)

REQUEST = np.dtype(
    [
        ("sector", np.int64),
        ("nr_sectors", np.int64),
        ("memory_start", np.int64),  # address of the first byte
        ("memory_end", np.int64),  # address after the last byte
        ("arrival_ns", np.int64),  # queued
        ("dispatch_ns", np.int64),  # handed to the device
        ("serial", np.int64),  # counts requests in order of creation, from 1
        ("waiting_ahead", np.int64),  # requests already queued when it arrived
        ("segments", np.int32),
        ("parts", np.int32),  # of it that disks have still to serve
        ("minor", np.int64),
        ("block", np.int32),  # block of the queue's order that holds it
        ("next_same_start", np.int32),  # chains of the two lookups
        ("next_same_end", np.int32),
        ("owner", np.int32),  # thread whose buffer began it
        ("slot", np.int32),  # of the request pool
        ("expires_ms", np.int64),  # G25B: when a read is late
        ("next_read", np.int32),  # G25B: the FIFO of reads
        ("previous_read", np.int32),
        ("in_fifo", np.bool_),
        ("dispatched", np.bool_),  # G25B: stands in the dispatch list
        ("is_write", np.bool_),
        ("mergeable", np.bool_),  # 2.5: cleared for ever once a merge was refused
        ("started", np.bool_),  # 2.5: the driver works on it
    ],
    align=True,
)

BLOCK = np.dtype(
    [
        ("count", np.int64),
        ("position", np.int64),  # where the block stands in the directory
        ("ascending", np.bool_),  # its keys rise strictly
        ("key", np.int64, (BLOCK_SLOTS,)),  # minor and first sector
        ("request", np.int32, (BLOCK_SLOTS,)),
        ("sequence", np.int32, (BLOCK_SLOTS,)),  # passovers left, before the directory's `charged`
    ],
    align=True,
)

QUEUE = np.dtype(
    [
        ("elevator", np.int64),
        ("head_active", np.bool_),  # the request in service stays queued as first element
        ("plugged", np.bool_),
        ("max_sectors", np.int64),
        ("max_segments", np.int64),
        ("read_latency", np.int64),  # passovers
        ("write_latency", np.int64),  # passovers
        ("max_bomb_segments", np.int64),
        ("read_expire_ms", np.int64),  # G25B: after which a read is late
        ("inserts_after_sleep", np.bool_),  # who slept for a slot does not scan once more
        ("budget", np.int64),  # segments the last scan had left at its target
        ("clock", np.int64),  # G24A-C: queueing steps so far
        ("total_segments", np.int64),  # G24A-D: segments and reads queued,
        ("queued_reads", np.int64),  # as these kernels count them
        ("last_merge", np.int64),  # 2.5: request to try first
        ("oldest_read", np.int64),  # G25B: ends of the FIFO of reads
        ("newest_read", np.int64),
        ("last_sector", np.int64),  # G25B: end of the last request handed out
        ("starved", np.int64),  # G25B: how often reads went ahead of waiting writes
        ("in_service", np.int64),  # head_active: the busy head
        ("touched", np.int64),  # what the last submission made or extended,
        ("kept", np.int64),  # and, if two requests were joined by it, which stayed
        ("gone", np.int64),  # and which went
        ("length", np.int64),
        ("serial", np.int64),  # requests ever created
        ("free_head", np.int64),  # unused requests, chained by next_same_start
        ("nr_blocks", np.int64),
        (
            "block_at",
            np.int32,
            (BLOCK_LIMIT,),
        ),  # directory: the blocks in queue order; behind them the unused
        (
            "charged",
            np.int32,
            (BLOCK_LIMIT,),
        ),  # passovers every request of the block has still to pay
        ("lowest", np.int32, (BLOCK_LIMIT,)),  # no request of the block has fewer passovers left
        ("writes", np.int32, (BLOCK_LIMIT,)),  # write requests in the block
        ("gap_low", np.int64, (BLOCK_LIMIT,)),  # a key outside (gap_low, gap_high) lies in between
        ("gap_high", np.int64, (BLOCK_LIMIT,)),  # no two neighbours of the block
        ("start_hash", np.int32, (HASH_SIZE,)),
        ("end_hash", np.int32, (HASH_SIZE,)),
        (
            "edges",
            np.int32,
            (REGIONS,),
        ),  # first and last sectors of requests, by region of the disk
        ("blocks", BLOCK, (BLOCK_LIMIT,)),
        ("requests", REQUEST, (REQUEST_LIMIT,)),
    ],
    align=True,
)

READAHEAD = np.dtype(
    [
        ("version", np.int64),
        ("next_window", np.int64),  # pages the next window asks for (f_ramax)
        ("end", np.int64),  # page after the last one asked for (f_raend)
        ("batch", np.int64),  # length of the last batch (f_ralen)
        ("window", np.int64),  # length of the current pair of windows (f_rawin)
        ("in_sequence", np.bool_),
        ("asynchronous", np.bool_),  # the window being issued is ahead of its time
        ("behind", np.int64),  # window being issued: the `count` pages behind this one
        ("count", np.int64),
        ("issued", np.int64),
    ],
    align=True,
)

FILE = np.dtype(
    [
        ("bytes", np.int64),  # its length
        ("position", np.int64),  # where the next call goes on
        ("readahead", READAHEAD),
        ("pages", np.int64),  # the place there is for it on the disk
        ("piece_pages", np.int64),  # pages that lie together there
        ("first_piece", np.int64),  # where in `pieces` those of the file begin
    ],
    align=True,
)

OPERATION = np.dtype(
    [
        ("kind", np.int64),
        ("pattern", np.int64),
        ("call_bytes", np.int64),  # READ, WRITE; OPEN, TURN: files each thread has of the set
        ("calls", np.int64),  # of READ and WRITE; rounds of REPEAT, NONE: for ever; OPEN: files
        (
            "duration_ns",
            np.int64,
        ),  # COMPUTE, PAUSE; REPEAT: go on for so long, 0: for `calls` rounds
        ("target", np.int64),  # REPEAT: the step to go on with; OPEN, TURN: first file of the set
        (
            "level",
            np.int64,
        ),  # REPEAT: how many others it is inside of; OPEN, TURN: number of the set
        ("measured", np.bool_),  # BARRIER: what is measured begins here
    ],
    align=True,
)

THREAD = np.dtype(
    [
        ("background", np.bool_),  # a run does not wait for it
        ("index", np.int64),  # of the thread in its class
        ("file", np.int64),  # it has open
        ("cursors", np.int64, (FILE_SETS_LIMIT,)),  # where it goes on in each set of files
        ("burst_left_ns", np.int64),  # of the processor time it wants, when its slice is over
        ("slice_used_ns", np.int64),  # in the epoch it ran in last
        ("epoch", np.int64),
        ("step", np.int64),  # of its program: the operation it is at
        ("rounds", np.int64, (NESTING_LIMIT,)),  # of each REPEAT it is in
        ("round_began_ns", np.int64),  # the outermost, or its last pause ended
        ("stage", np.int64),
        ("flush_left", np.int64),  # dirty pages it will still submit
        ("flush_block", np.int64),  # the last of them it has
        ("flush_waits", np.bool_),  # and whether it will wait for that
        ("page", np.int64),  # page of the file it looks at
        ("last_page", np.int64),  # last page of this call
        ("calls_left", np.int64),
        ("position", np.int64),  # of this write(), in bytes
        ("end_position", np.int64),
        ("bio", BIO),
        ("seeks_slot", np.bool_),  # sleeps for a slot, or has been woken to try again
        ("next_waiter", np.int64),  # 1 + the next thread waiting for the same page; 0: none
        ("outstanding", np.int64),  # own requests queued or in the drive
        ("random", np.uint64),
        ("called_ns", np.int64),
        ("slot_sleep_ns", np.int64),  # when the last sleep for a slot began
        ("spun_ns", np.int64),  # spun for this slot instead of sleeping
        ("call_slot_ns", np.int64),  # slept for slots in this call
        ("slot_woken_ns", np.int64),  # when the last sleep for a slot ended
        ("slot_served", np.int64),  # requests completed: first before, later during the last sleep
        ("page_wait_ns", np.int64),  # when it began to wait for the page
        ("page_arrival_ns", np.int64),  # of the request that brought the page
        ("page_dispatch_ns", np.int64),
        ("page_ahead", np.int64),
        ("finish_ns", np.int64),
        ("calls", np.int64),
    ],
    align=True,
)

STORY = np.dtype(
    [
        ("thread", np.int64),
        ("page", np.int64),
        ("called_ns", np.int64),
        ("slot_ns", np.int64),  # slept for slots, all in all
        ("slot_from_ns", np.int64),  # the last of these sleeps
        ("slot_to_ns", np.int64),
        ("slot_served", np.int64),  # requests the device completed during it
        ("page_wait_ns", np.int64),
        ("arrival_ns", np.int64),
        ("waiting_ahead", np.int64),
        ("dispatch_ns", np.int64),
        ("done_ns", np.int64),
    ],
    align=True,
)

CALLS = np.dtype(
    [
        ("count", np.int64),
        ("bytes", np.int64),
        ("sum_ns", np.int64),
        ("max_ns", np.int64),
        ("over_2s", np.int64),
        ("over_10s", np.int64),
        ("histogram", np.int64, (HISTOGRAM_BUCKETS,)),
    ],
    align=True,
)

MEASURES = np.dtype(
    [
        ("since_ns", np.int64),  # when the phase that is measured began,
        ("merges_before", np.int64),  # and what there was then
        ("completed_before", np.int64),
        ("reads", CALLS),  # of foreground threads
        ("writes", CALLS),
        ("rounds", CALLS),  # of the outermost loops of foreground threads, without pauses
        ("background_reads", CALLS),
        ("background_writes", CALLS),
        ("background_rounds", np.int64),
        ("cpu_ns", np.int64),  # processor time of foreground threads
        ("background_cpu_ns", np.int64),
        ("buffers", np.int64),  # submitted to the queue
        ("merges", np.int64),
        ("joins", np.int64),
        ("created", np.int64),  # requests
        ("completed", np.int64),
        ("completed_sectors", np.int64),
        ("expired", np.int64),  # dispatched with no passovers left
        ("queue_ns", np.int64),  # sum of Q2D
        ("device_ns", np.int64),  # sum of D2C
        ("length_area", np.int64),  # queue length integrated over time
        ("length_since_ns", np.int64),
        ("length_max", np.int64),
        ("slot_sleeps", np.int64),
        ("slot_sleep_max_ns", np.int64),
        ("page_waits", np.int64),
        ("page_wait_requests", np.int64),  # own requests outstanding, summed over page waits
        ("slowest", STORY),  # read() call
    ],
    align=True,
)

PART = np.dtype(
    [
        ("request", np.int64),
        ("disk", np.int64),
        ("sector", np.int64),  # of the disk
        ("nr_sectors", np.int64),
    ],
    align=True,
)

MACHINE = np.dtype(
    [
        ("now_ns", np.int64),
        ("cpus", np.int64),
        ("idle_cpus", np.int64),
        ("threads", np.int64),
        ("foreground_alive", np.int64),
        ("at_barrier", np.int64),
        ("driver", np.int64),
        ("queue_depth", np.int64),
        ("drive_order", np.int64),
        ("release_at_dispatch", np.bool_),  # a slot goes back when the driver takes the request
        ("call_ns", np.int64),  # processor time of a system call
        ("page_ns", np.int64),  # processor time to copy a page
        ("spins", np.bool_),  # a thread goes round without ever taking time
        ("slice_ns", np.int64),  # processor time of a thread in an epoch,
        ("epoch", np.int64),  # which ends when all runnable threads have had theirs
        ("data_start_sector", np.int64),
        ("readahead_pages", np.int64),
        ("readahead_min_pages", np.int64),
        ("held", np.int64),  # commands in the drive
        ("disks", np.int64),
        ("stripe_sectors", np.int64),
        ("nr_parts", np.int64),  # of commands, each for one disk, in order of arrival
        ("parts", PART, (PART_LIMIT,)),
        ("served", np.int64, (DISK_LIMIT,)),  # the part each disk works on, or NONE
        ("drive_sector", np.int64, (DISK_LIMIT,)),  # where its last part began
        ("in_drive", np.int64, (DEPTH_LIMIT,)),  # in order of arrival
        ("nr_events", np.int64),
        ("event_ns", np.int64, (THREAD_LIMIT + 2,)),
        ("event_key", np.int64, (THREAD_LIMIT + 2,)),
    ],
    align=True,
)

LIST = np.dtype([("oldest", np.int64), ("newest", np.int64)], align=True)

CACHE = np.dtype(
    [
        ("capacity", np.int64),  # pages
        ("cached", np.int64),  # pages that are not absent
        ("dirty", np.int64),
        ("writing", np.int64),
        ("counts_writing", np.bool_),  # as dirty, against the limits
        ("soft_pages", np.int64),
        ("soft", np.int64),  # Balance over the soft limit
        ("hard_pages", np.int64),
        ("hard", np.int64),
        ("stop_pages", np.int64),  # where bdflush stops
        ("chunk", np.int64),  # pages submitted at a time
        ("bdflush", np.int64),  # thread numbers
        ("kupdate", np.int64),
        ("bdflush_sleeps", np.bool_),
        ("flush_waiter", np.int64),  # 1 + first thread that waits for a pass of bdflush; 0: nobody
        ("memory_waiter", np.int64),  # 1 + first thread that waits for a page to be free
        ("inactive_pages", LIST),
        ("active_pages", LIST),
        ("inactive", np.int64),  # clean pages in either
        ("active", np.int64),
        ("dirty_pages", LIST),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("machine", MACHINE),
        ("cache", CACHE),
        ("queue", QUEUE),
        ("pool", POOL),
        ("disks", DEVICE, (DISK_LIMIT,)),
        ("measures", MEASURES),
        ("threads", THREAD, (THREAD_LIMIT,)),
    ],
    align=True,
)


def new_record(dtype: np.dtype) -> np.record:
    """A zeroed record whose fields are attributes, jitted or not."""
    return np.zeros(1, dtype).view(np.recarray)[0]
