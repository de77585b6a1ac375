"""The vocabulary of the simulated machine: every record, once; `kinds` has the enumerations.

A simulation is one record, `STATE`; kernels get it (or a part of it) by reference. Beside it stand the
arrays whose length depends on machine and workload: `pages` (a PAGE for each page of the files, in the
order in which they lie on the disk), `files`, `pieces` (where each piece of a file begins, in pages),
`opens` (an OPEN for each file a thread may have open), `program` and the device's `tables`. `engine.build` and `engine.devices` make them.
"""

import numpy as np

from engine.core.devices import DEVICE
from engine.core.limits import (
    CPU_LIMIT,
    DEPTH_LIMIT,
    DISK_LIMIT,
    FILE_SETS_LIMIT,
    NESTING_LIMIT,
    PART_LIMIT,
    THREAD_LIMIT,
)
from engine.core.pools.records import POOL
from engine.core.queue_records import BIO, QUEUE

HISTOGRAM_BUCKETS = 2560

NONE = -1  # no request, no thread, no place
SECTOR_BYTES = 512
PAGE_SECTORS = 8
PAGE_BYTES = 4096

PAGE = np.dtype(
    [
        ("state", np.uint8),
        ("used", np.bool_),  # since it came or was active
        ("active", np.bool_),  # used twice: it goes only when there are too many such
        ("dirty", np.bool_),
        ("writing", np.bool_),  # on its way to the disk; may be dirty again
        ("role", np.uint8),
        ("waiter", np.int16),  # 1 + the thread that waits for it first; 0: nobody
        ("previous", np.int32),  # neighbours in the list that holds it: clean pages by age
        ("next", np.int32),  # or dirty pages by age; NONE stands for the ends
        ("dirtied_ms", np.int32),
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
        ("memory", np.bool_),  # of a process, its place on the disk being swap
        ("mapped", np.bool_),  # indirect blocks lie among its pages
        ("pages", np.int64),  # the place there is for it on the disk
        ("piece_pages", np.int64),  # pages that lie together there
        ("first_piece", np.int64),  # where in `pieces` those of the file begin
        ("inode_page", np.int64),  # block with its inode, and NONE if that is always known
        ("names_page", np.int64),  # block with its name
        ("transaction", np.int64),  # the last in which it was written to
    ],
    align=True,
)

OPEN = np.dtype(  # a file as a thread has opened it (struct file)
    [
        ("position", np.int64),  # where the next call goes on
        ("readahead", READAHEAD),
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
        ("opens", np.int64),  # OPEN, TURN: first of those its threads have open of the set
        ("measured", np.bool_),  # BARRIER: what is measured begins here
    ],
    align=True,
)

THREAD = np.dtype(
    [
        ("background", np.bool_),  # a run does not wait for it
        ("index", np.int64),  # of the thread in its class
        ("file", np.int64),  # it has open
        ("opened", np.int64),  # which of `opens` that is
        ("cursors", np.int64, (FILE_SETS_LIMIT,)),  # where it goes on in each set of files
        ("burst_left_ns", np.int64),  # of the processor time it wants, when its slice is over
        ("burst_end_ns", np.int64),  # when the burst it is in ends
        ("grain_ns", np.int64),  # after a whole number of these it can be taken off its processor
        ("yields", np.bool_),  # it gives its processor up as soon as it can
        ("nice", np.int64),
        ("slice_left_ns", np.int64),  # in `epoch`
        ("epoch", np.int64),
        ("step", np.int64),  # of its program: the operation it is at
        ("rounds", np.int64, (NESTING_LIMIT,)),  # of each REPEAT it is in
        ("round_began_ns", np.int64),  # the outermost, or its last pause ended
        ("rounds_done", np.int64),  # of outermost loops, since what is measured began,
        ("rounds_ns", np.int64),  # and their time without pauses
        (
            "beat_ns",
            np.int64,
        ),  # when the round before the last pause was due; NONE: before the first
        ("late_ns", np.int64),  # by how much rounds have come after their beat
        ("stage", np.int64),
        ("flush_left", np.int64),  # dirty pages it will still submit
        ("flush_block", np.int64),  # the last of them it has
        ("flush_waits", np.bool_),  # and whether it will wait for that
        ("page", np.int64),  # page of the file it looks at
        ("last_page", np.int64),  # last page of this call
        ("calls_left", np.int64),
        ("position", np.int64),  # where its last call began, in bytes
        ("end_position", np.int64),
        ("transaction", np.int64),  # whose commit it waits for
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
        ("threads", np.int64),
        ("foreground_alive", np.int64),
        ("at_barrier", np.int64),
        ("driver", np.int64),
        ("queue_depth", np.int64),
        ("drive_order", np.int64),
        ("drive_age_ns", np.int64),  # after which a command goes first
        ("release_at_dispatch", np.bool_),  # a slot goes back when the driver takes the request
        ("call_ns", np.int64),  # processor time of a system call
        ("page_ns", np.int64),  # processor time to copy a page
        ("write_page_ns", np.int64),
        ("spins", np.bool_),  # a thread goes round without ever taking time
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

SCHEDULER = np.dtype(
    [
        ("cpus", np.int64),
        ("idle_cpus", np.int64),
        ("running", np.int64, (CPU_LIMIT,)),  # threads on the others
        ("kept", np.int64),  # thread that goes on where its burst ended, or NONE
        ("preempts", np.bool_),  # a woken thread takes a processor away
        ("preempts_kernel", np.bool_),  # ... from one in a system call, too
        ("slice_ns", np.int64),  # processor time of a thread of nice 0 in an epoch,
        ("tick_ns", np.int64),  # ... and in what units that counts
        ("epoch", np.int64),  # ends when all runnable threads have had theirs
        ("woken", np.int64),  # last on the run list, and may take a processor away
        ("run_list", np.int64, (THREAD_LIMIT,)),  # runnable threads, a ring
        ("run_first", np.int64),
        ("run_count", np.int64),
        ("spent_list", np.int64, (THREAD_LIMIT,)),  # runnable, but their slice is over; a ring
        ("spent_first", np.int64),
        ("spent_count", np.int64),
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
        ("swap_pages", LIST),  # pages of memory that bdflush is to save
        ("swapping", np.int64),  # these, and those being saved
    ],
    align=True,
)

HELD = np.dtype([("pages", LIST), ("count", np.int64)], align=True)

JOURNAL = np.dtype(
    [
        ("pages", np.int64),  # of its area, the first of the data; 0: there is no journal
        ("ordered", np.bool_),  # data go to the disk before metadata
        ("kjournald", np.int64),  # thread number
        ("sleeps", np.bool_),  # kjournald does
        ("wanted", np.bool_),  # it is to commit the running transaction
        ("running", np.int64),  # number of the transaction that takes in changes
        ("committed", np.int64),  # of the last one on the disk
        ("files", np.int64),  # written to in the running transaction
        ("held", HELD, (2,)),  # metadata held back, dirty, by the running transaction and the one
        # before it, even numbers first
        ("boundary_ns", np.int64),  # what was submitted up to then goes before the log
        ("head", np.int64),  # page of the area that the next block goes to
        ("since", np.int64),  # the first that is on its way
        ("left", np.int64),  # blocks still to be submitted
        ("seals", np.bool_),  # they are the commit block
        ("waiter", np.int64),  # 1 + first thread that waits for a commit; 0: nobody
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("machine", MACHINE),
        ("scheduler", SCHEDULER),
        ("cache", CACHE),
        ("journal", JOURNAL),
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
