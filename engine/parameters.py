"""Every value a sweep may set, declared once.

The configuration's schema, the command line's flags, `docs/parameters.md` and the presets' check all
read this table. A parameter of a kernel, machine or workload has its value in that preset; a sweep,
a flag or a study overrides it.
"""

from dataclasses import dataclass
from typing import Any

from engine.errors import UserError

AUTO = "auto"
MOST_THREADS = 1022  # beside bdflush, kupdate and kjournald


@dataclass(frozen=True)
class Parameter:
    """One named value: what it means, its unit and what it may be.

    `auto_rule` says, for a parameter that also takes the word `auto`, whose rule then decides.
    """

    name: str
    section: str  # "kernel", "machine", "workload" or "run": whose preset holds it
    unit: str
    text: str
    kind: type = int
    minimum: float = 0  # of a number; names have neither
    maximum: float = 0
    choices: tuple[str, ...] = ()
    auto_rule: str = ""


ELEVATORS = (
    *("noop", "g20", "g22a", "g22b", "g22c", "g22d", "g24a", "g24b", "g24c", "g24d"),
    *("g24e", "g24f", "g24g", "g24h", "g24i", "g24j", "g24k", "g24l", "g25a", "g25b"),
)
POOLS = (
    *("halves", "stealing", "pending", "global"),
    *("sectors_pre5", "sectors_pre5_axboe", "sectors"),
)
BALANCES = ("nothing", "wake", "wake_and_wait", "write", "write_and_wait")
BLOCK_MAPS = ("known", "indirect")
FILESYSTEMS = ("ext2", "ext3", "reiserfs")
READ_AHEADS = ("v2_0", "v2_2", "v2_4_0", "v2_4_1", "v2_5_8")

_KERNEL = (
    Parameter("elevator", "kernel", "", "Elevator generation.", str, choices=ELEVATORS),
    Parameter("read_latency", "kernel", "passovers", "How often a queued read may be overtaken; g22b, g22c, g24a and g24c count segments.", minimum=0, maximum=2**30),
    Parameter("write_latency", "kernel", "passovers", "How often a queued write may be overtaken; g22b, g22c, g24a and g24c count segments.", minimum=0, maximum=2**30),
    Parameter("max_bomb_segments", "kernel", "write units", "Writes a new read may queue behind (0: no limit; g24f, g24h), or segments of a write while reads wait (g22b, g22c, g24a, g24c).", minimum=0, maximum=2**20),
    Parameter("read_expire_ms", "kernel", "ms", "After how long a queued read goes first (g25b only).", minimum=0, maximum=10**6),
    Parameter("pool", "kernel", "", "How request slots are kept (engine/core/pools).", str, choices=POOLS),
    Parameter("queue_size", "kernel", "requests", "nr_requests: slots of the request pool, both directions together.", minimum=2, maximum=8192, auto_rule="the kernel's own rule, by RAM where it has one"),
    Parameter("batch_requests", "kernel", "requests", "Free slots (of a direction, where each has its own) at which sleepers are woken; pool pending: slots that go back at once.", minimum=1, maximum=4096, auto_rule="the kernel's own rule, from the queue size"),
    Parameter("max_queue_sectors", "kernel", "sectors", "Sectors that may be queued before submitters wait (0: no limit); pools sectors... only.", minimum=0, maximum=2**30),
    Parameter("max_sectors", "kernel", "sectors", "Largest request merging may build.", minimum=8, maximum=2048, auto_rule="the kernel's own value for the machine's driver"),
    Parameter("max_segments", "kernel", "segments", "Memory segments one request may hold.", minimum=1, maximum=256),
    Parameter("readahead", "kernel", "", "Version of file read-ahead, by the first kernel that has it.", str, choices=READ_AHEADS),
    Parameter("readahead_pages", "kernel", "pages", "Largest read-ahead window (max_readahead).", minimum=0, maximum=1023, auto_rule="the kernel's own value for the machine's driver"),
    Parameter("readahead_min_pages", "kernel", "pages", "Smallest read-ahead window (min_readahead).", minimum=0, maximum=1023),
    Parameter("dirty_soft_pct", "kernel", "%", "Share of dirty pages over which writers do `dirty_soft`.", minimum=0, maximum=100),
    Parameter("dirty_soft", "kernel", "", "What a thread does that dirties a page over the soft limit.", str, choices=BALANCES),
    Parameter("dirty_hard_pct", "kernel", "%", "Share of dirty pages over which writers do `dirty_hard`.", minimum=0, maximum=100),
    Parameter("dirty_hard", "kernel", "", "What a thread does that dirties a page over the hard limit.", str, choices=BALANCES),
    Parameter("dirty_stop_pct", "kernel", "%", "Share of dirty pages at which bdflush stops.", minimum=0, maximum=100),
    Parameter("dirty_chunk", "kernel", "pages", "Pages a writer submits itself at a time.", minimum=1, maximum=4096),
    Parameter("dirty_counts", "kernel", "", "What counts against the limits: pages that are dirty, or those being written, too.", str, choices=("dirty", "dirty_and_writing")),
    Parameter("dirty_zone", "kernel", "", "Memory the shares are of: ZONE_NORMAL and below, or all.", str, choices=("normal", "all")),
    Parameter("wait_queues", "kernel", "", "Where tasks without a slot wait.", str, choices=("shared", "per_direction")),
    Parameter("wake_order", "kernel", "", "Which sleeper is woken first: the oldest (fifo) or the newest (lifo).", str, choices=("fifo", "lifo")),
    Parameter("wake_count", "kernel", "", "How many sleepers one release wakes.", str, choices=("one", "all")),
    Parameter("after_sleep", "kernel", "", "What a thread does that slept for a slot: look for a merge once more (rescan), or only insert.", str, choices=("rescan", "insert")),
    Parameter("preempt", "kernel", "", "Where a woken thread may take a processor away at once (`wakeup: preempt`): from a thread in user mode, or from one in the kernel, too.", str, choices=("user", "kernel")),
    Parameter("slot_release", "kernel", "", "When a scsi driver gives a slot back.", str, choices=("dispatch", "completion")),
)  # fmt: skip

_MACHINE = (
    Parameter("ram_mib", "machine", "MiB", "Memory; some kernels size their pool by it.", minimum=16, maximum=1048576),
    Parameter("system_mib", "machine", "MiB", "Memory that the page cache never gets.", minimum=0, maximum=1048576),
    Parameter("cpus", "machine", "", "Processors.", minimum=1, maximum=64),
    Parameter("cpu_speed", "machine", "", "How fast a processor computes: the milliseconds of `compute` are those of speed 1, a Pentium III of 1133 MHz.", float, 0.001, 1000),
    Parameter("call_us", "machine", "us", "Processor time of one system call.", float, 0, 1e6),
    Parameter("page_us", "machine", "us", "Processor time to read one 4 KiB page: to find it and copy it.", float, 0, 1e6),
    Parameter("write_page_us", "machine", "us", "Processor time to write one 4 KiB page: a block for it, the copy, and its place among the dirty ones.", float, 0.1, 1e6),
    Parameter("slice_ms", "machine", "ms", "Processor time a thread of nice 0 gets in an epoch; when it is over, the thread lets others run.", float, 0.001, 1e6),
    Parameter("wakeup", "machine", "", "What a woken thread does: take its turn, before those whose slice is over (turn); or, as in 2.4, take the processor of one that has fewer ticks of its slice left (preempt).", str, choices=("turn", "preempt")),
    Parameter("disk", "machine", "", "Disk by name, or the path of a disk file.", str),
    Parameter("disks", "machine", "", "Disks of that kind behind one queue, with RAID-0 (scsi only).", minimum=1, maximum=16),
    Parameter("stripe_kib", "machine", "KiB", "Stripe of RAID-0.", minimum=64, maximum=1048576),
    Parameter("bus_mb_s", "machine", "MB/s", "Rate of the bus between host and disk.", float, 0.1, 1e5, auto_rule="the disk file's own bus"),
    Parameter("write_cache_kib", "machine", "KiB", "Writes each disk holds that are done for the host and not on the media yet (0: none; a write is done when it is on the media).", minimum=0, maximum=1048576, auto_rule="half of the disk file's track buffer, 0 where it has none"),
    Parameter("driver", "machine", "", "ide: one command outstanding, its request stays queued; scsi: the slot goes back at dispatch.", str, choices=("ide", "scsi")),
    Parameter("queue_depth", "machine", "commands", "Commands the drive holds (scsi only).", minimum=1, maximum=256),
    Parameter("drive_order", "machine", "", "Order in which a disk serves the commands it holds: first come, first served; one way over the disk; shortest positioning time first.", str, choices=("fcfs", "clook", "sptf")),
    Parameter("drive_age_ms", "machine", "ms", "A command a disk holds for longer goes first, whatever the order.", minimum=0, maximum=10**6),
    Parameter("data_start_mib", "machine", "MiB", "Where the files begin on the disk.", minimum=0, maximum=16777216),
    Parameter("allocation_chunk_kib", "machine", "KiB", "Piece in which files written at the same time interleave (0: contiguous files).", minimum=0, maximum=1048576),
    Parameter("filesystem", "machine", "", "What the files lie on: ext3 (data=ordered) and reiserfs write a journal; not every kernel of its time had them.", str, choices=FILESYSTEMS),
    Parameter("block_map", "machine", "", "Where a file's blocks lie: known, or told by indirect blocks that lie among them, as on ext2 and ext3, and that are read when needed and written when changed.", str, choices=BLOCK_MAPS),
)  # fmt: skip

_WORKLOAD = (
    Parameter("threads", "workload", "threads", "Threads that read, each a file of its own.", minimum=1, maximum=MOST_THREADS),
    Parameter("size_mib", "workload", "MiB", "All files of the threads together.", minimum=1, maximum=65536),
    Parameter("block_kib", "workload", "KiB", "Bytes of one read() or write() call.", minimum=4, maximum=1024),
    Parameter("operations", "workload", "calls", "Calls of all threads together (random reads).", minimum=1, maximum=10**8),
    Parameter("measured", "workload", "", "Phase that is measured; the run ends with it.", str),
    Parameter("writers", "workload", "threads", "Threads beside them that write a file each, over and over, until all have read.", minimum=0, maximum=MOST_THREADS - 1),
    Parameter("writer_mib", "workload", "MiB", "File of each writer.", minimum=1, maximum=65536),
)  # fmt: skip

_RUN = (
    Parameter("kernel", "run", "", "Kernel preset.", str),
    Parameter("machine", "run", "", "Machine preset.", str),
    Parameter("workload", "run", "", "Workload by name, or the path of a workload file (docs/workloads.md).", str),
    Parameter("run", "run", "", "Number of the run; each has its own random streams.", minimum=0, maximum=10**6),
    Parameter("seed", "run", "", "Root of all random streams.", minimum=0, maximum=2**31 - 1),
)  # fmt: skip

PARAMETERS: dict[str, Parameter] = {p.name: p for p in (*_RUN, *_WORKLOAD, *_KERNEL, *_MACHINE)}


def checked(parameter: Parameter, value: Any, where: str) -> Any:
    """`value` as the parameter's own type; raises UserError, naming `where`, if it can't be that.

    Text is converted, because values given on a command line arrive as text.
    """
    wanted = _wanted(parameter)
    if value == AUTO and parameter.auto_rule:
        return AUTO
    if parameter.kind is str:
        if not isinstance(value, str) or (parameter.choices and value not in parameter.choices):
            raise UserError(f"{where}: {value!r} is not {wanted}")
        return value
    number = _number(value)
    if number is None or (parameter.kind is int and number != int(number)):
        raise UserError(f"{where}: {value!r} is not {wanted}")
    if not parameter.minimum <= number <= parameter.maximum:
        raise UserError(f"{where}: {value} is out of range; give {wanted}")
    return parameter.kind(number)


def _number(value: Any) -> float | None:
    """A finite number out of a number or of plain decimal text, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(value) if isinstance(value, str) and value.isdigit() else float(value)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _wanted(parameter: Parameter) -> str:
    """What would be right, in words."""
    if parameter.choices:
        return "one of " + ", ".join(parameter.choices)
    if parameter.kind is str:
        return "a name"
    noun = "a whole number" if parameter.kind is int else "a number"
    unit = f" of {parameter.unit}" if parameter.unit else ""
    auto = " or auto" if parameter.auto_rule else ""
    return f"{noun}{unit} from {parameter.minimum:.10g} to {parameter.maximum:.10g}{auto}"
