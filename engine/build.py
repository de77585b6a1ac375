"""Build the machine a run begins with: its STATE at time 0, and the arrays beside it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.core import calendar, request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.kinds import Balance, DriveOrder, Driver, Event, Op, Pattern, Role
from engine.core.pools import POOLS, slots_for
from engine.core.readahead import ReadAhead
from engine.core.records import NONE, OPEN, OPERATION, PAGE, STATE, new_record
from engine.layout import JOURNAL_PAGES, Layout, has_journal, lay_out
from engine.resolve import PAGES_PER_MIB, Settings
from engine.workload import Operation, Plan, ThreadClass

SECTORS_PER_MIB = 2048
WHOLE_DISK = 2**40  # sectors
LOW_MEMORY_MIB = 896  # ZONE_NORMAL and below
Numbers = Mapping[tuple[str, str], int]  # by class ("" for shared files) and set of files
TICK_NS = 10_000_000  # HZ = 100, as on a PC up to 2.4
START_SPREAD_NS = 10_000_000  # threads set off within the first 10 ms, in an order of chance


class Machine(NamedTuple):
    """All that `engine.core.loop.run` works on, but for the device's tables."""

    state: np.record
    pages: np.recarray  # PAGE, in the order of the disk
    files: np.recarray  # FILE, those of a set behind one another, thread by thread
    pieces: np.ndarray  # where each piece of each file begins, in pages
    opens: np.recarray  # OPEN: as many as files, then those of threads that open shared files
    program: np.recarray  # OPERATION, those of a class behind one another


def build(settings: Settings, device: np.record, rng: np.random.Generator) -> Machine:
    """The machine at time 0, with the start of every thread on the calendar."""
    state = new_record(STATE)
    for disk in range(settings["disks"]):
        state.disks[disk] = device
    _set_queue(state, settings)
    _set_machine(state, settings)
    _set_scheduler(state.scheduler, settings)
    _set_cache(state, settings)
    _set_journal(state, settings)
    threads = sum(one.threads for one in settings.plan.classes)
    starts_ns = rng.integers(0, START_SPREAD_NS, threads)
    seeds = rng.integers(0, 2**63, threads)
    layout = lay_out(settings, rng)
    first_open, opens = _opens(settings, layout)
    program, first_steps = _program(settings, layout.first_file, first_open)
    _set_threads(state, settings.plan, first_steps, layout.first_file)
    for number in range(threads):
        state.threads[number].random = seeds[number]
        calendar.schedule(state.machine, starts_ns[number], Event.START, number)
    pages = np.zeros(layout.pages, PAGE).view(np.recarray)
    described = layout.files[layout.files.inode_page != NONE]
    for blocks in (described.inode_page, described.names_page, layout.map_blocks):
        pages.role[blocks] = Role.METADATA
    return Machine(state, pages, layout.files, layout.pieces, opens, program)


def _opens(settings: Settings, layout: Layout) -> tuple[Numbers, np.recarray]:
    """What threads have open: by class and set the number of the first, and all, nothing being read yet.

    A file of a thread's own is open once, and has its own number. Those of a shared set are open in each
    thread of each class that opens them.
    """
    plan = settings.plan
    first_open, count = {}, len(layout.files)
    for one in plan.classes:
        for label in dict.fromkeys(step.files for step in one.program if step.files):
            if label in one.files:
                first_open[one.name, label] = layout.first_file[one.name, label]
            else:
                first_open[one.name, label] = count
                count += one.threads * plan.shared[label].count
    opens = np.zeros(count, OPEN).view(np.recarray)
    opens.readahead.version = ReadAhead[settings["readahead"].upper()]
    return first_open, opens


def _program(
    settings: Settings, first_file: Numbers, first_open: Numbers
) -> tuple[np.recarray, list[int]]:
    """The operations of all classes and of the kernel's own threads, and where each of them begins.

    Before each begins one that is never carried out: a thread at `step` goes on to the next.
    """
    plan = settings.plan
    idle = (Op.END, 0, 0, 0, 0, 0, 0, 0, False)
    rows: list[tuple] = []
    first_steps = []
    for one in plan.classes:
        first_steps.append(len(rows))
        base = len(rows) + 1
        rows.append(idle)
        for given in one.program:
            step = given
            if step.files:
                step = _choice(plan, one, step, first_file)
            elif step.kind == "repeat":
                step = replace(step, target=base + step.target)
            elif step.kind == "compute":
                step = replace(step, duration_ns=round(step.duration_ns / settings["cpu_speed"]))
            kind, pattern = Op[step.kind.upper()], Pattern[step.pattern.upper()]
            begins = bool(step.phase) and step.phase == plan.measured
            numbers = (step.call_bytes, step.calls, step.duration_ns, step.target, step.level)
            opens = first_open.get((one.name, step.files), 0)
            rows.append((kind, pattern, *numbers, opens, begins))
        rows.append(idle)
    kjournald = [Op.KJOURNALD] if has_journal(settings) else []
    for kind in (Op.BDFLUSH, Op.KUPDATE, *kjournald):
        first_steps.append(len(rows))
        rows += [idle, (kind, *idle[1:])]
    return np.array(rows, OPERATION).view(np.recarray), first_steps


def _choice(plan: Plan, one: ThreadClass, step: Operation, first_file: Numbers) -> Operation:
    """`open` or `turn` with the numbers of the files it chooses from, and that of the set's cursor."""
    shared = step.files not in one.files
    files = plan.shared[step.files] if shared else one.files[step.files]
    return replace(
        step,
        target=first_file["" if shared else one.name, step.files],
        calls=files.count,
        call_bytes=0 if shared else files.count,
        level=[*one.files, *plan.shared].index(step.files),
    )


def _set_threads(
    state: np.record,
    plan: Plan,
    first_steps: list[int],
    first_file: Numbers,
) -> None:
    """The threads of every class, then the kernel's own, each before its program."""
    machine, cache = state.machine, state.cache
    machine.foreground_alive = plan.foreground
    number = 0
    for one, step in zip(plan.classes, first_steps, strict=False):
        for index in range(one.threads):
            thread = state.threads[number]
            thread.step, thread.index, thread.background = step, index, one.background
            thread.nice = one.nice
            thread.beat_ns = NONE
            if one.files:
                name, files = next(iter(one.files.items()))
                thread.file = first_file[one.name, name] + index * files.count
                thread.opened = thread.file
            number += 1
    cache.bdflush, cache.kupdate, state.journal.kjournald = number, number + 1, number + 2
    for step in first_steps[len(plan.classes) :]:
        state.threads[number].step, state.threads[number].background = step, True
        calendar.schedule(machine, START_SPREAD_NS, Event.START, number)
        number += 1
    machine.threads = number


def _set_cache(state: np.record, settings: Settings) -> None:
    """Memory for pages, and when dirty ones are written back."""
    cache = state.cache
    for name in ("inactive_pages", "active_pages", "dirty_pages", "swap_pages"):
        cache[name].oldest = cache[name].newest = NONE
    free_mib = settings["ram_mib"] - settings["system_mib"]
    cache.capacity = free_mib * PAGES_PER_MIB
    low_mib = min(free_mib, LOW_MEMORY_MIB) if settings["dirty_zone"] == "normal" else free_mib
    cache.soft = Balance[settings["dirty_soft"].upper()]
    cache.hard = Balance[settings["dirty_hard"].upper()]
    for limit in ("soft", "hard", "stop"):
        pages = low_mib * PAGES_PER_MIB * settings[f"dirty_{limit}_pct"] // 100
        cache[f"{limit}_pages"] = pages
    cache.chunk = settings["dirty_chunk"]
    cache.counts_writing = settings["dirty_counts"] == "dirty_and_writing"


def _set_journal(state: np.record, settings: Settings) -> None:
    """An empty journal, if the file system has one; the first transaction has number 1."""
    journal = state.journal
    for held in journal.held:
        held.pages.oldest = held.pages.newest = NONE
    if has_journal(settings):
        journal.pages = JOURNAL_PAGES
        journal.running = 1
        journal.ordered = settings["filesystem"] == "ext3"


def _set_queue(state: np.record, settings: Settings) -> None:
    """Request queue and pool."""
    queue, pool = state.queue, state.pool
    queue.elevator = ELEVATORS[settings["elevator"]]
    queue.head_active = settings["driver"] == "ide"
    for name in (
        "max_sectors",
        "max_segments",
        "read_latency",
        "write_latency",
        "max_bomb_segments",
        "read_expire_ms",
    ):
        queue[name] = settings[name]
    queue.inserts_after_sleep = settings["after_sleep"] == "insert"
    request_queue.reset(queue)
    pool.kind = POOLS[settings["pool"]]
    pool.most_sectors = settings["max_queue_sectors"]
    pool.throttles = settings["pool"].startswith("sectors") and settings["max_queue_sectors"] > 0
    pool.per_direction = settings["wait_queues"] == "per_direction"
    pool.newest_first = settings["wake_order"] == "lifo"
    pool.wake_all = settings["wake_count"] == "all"
    slots = slots_for(POOLS[settings["pool"]], settings["queue_size"])
    request_pool.reset(pool, slots, settings["batch_requests"])


def _set_machine(state: np.record, settings: Settings) -> None:
    """Driver, files, read-ahead and what calls cost."""
    machine = state.machine
    machine.driver = Driver[settings["driver"].upper()]
    machine.release_at_dispatch = (
        settings["driver"] == "scsi" and settings["slot_release"] == "dispatch"
    )
    machine.queue_depth = settings["queue_depth"]
    machine.drive_order = DriveOrder[settings["drive_order"].upper()]
    machine.drive_age_ns = settings["drive_age_ms"] * 1_000_000
    machine.disks = settings["disks"]
    machine.stripe_sectors = settings["stripe_kib"] * 2 if machine.disks > 1 else WHOLE_DISK
    machine.served[:] = NONE
    machine.call_ns = round(settings["call_us"] * 1000)
    machine.page_ns = round(settings["page_us"] * 1000)
    machine.write_page_ns = round(settings["write_page_us"] * 1000)
    machine.data_start_sector = settings["data_start_mib"] * SECTORS_PER_MIB
    machine.readahead_pages = settings["readahead_pages"]
    machine.readahead_min_pages = settings["readahead_min_pages"]


def _set_scheduler(scheduler: np.record, settings: Settings) -> None:
    """Processors, all idle, and what a thread gets of them."""
    scheduler.cpus = scheduler.idle_cpus = settings["cpus"]
    scheduler.kept = NONE
    scheduler.slice_ns = slice_ns = round(settings["slice_ms"] * 1e6)
    scheduler.preempts = settings["wakeup"] == "preempt"
    scheduler.preempts_kernel = settings["preempt"] == "kernel"
    # In turns nobody keeps ticks for the next epoch: no slice, of any nice level, is longer than one.
    scheduler.tick_ns = TICK_NS if scheduler.preempts else 2 * slice_ns
    scheduler.epoch = 1  # the first: all slices are new
