"""Run a script of the recorded vectors against the twin (../shared/kernels/vectors/SCHEMA.md)."""

from dataclasses import fields

from .generations import READ_AHEADS, make_pool, make_queue
from .pools import SlotPool
from .queue import RequestQueue
from .readahead import PageCache, ReadAhead24
from .request import Bio, Direction, Settings
from .sleepers import Task

MEMORY_BASE = 0x10000000


def run_script(generation: str, schema: int | str, script: dict) -> list:
    """Results of one script, in the form its vector file records them.

    `generation` is the `gen` of the file, `schema` its `schema`: 1 or absent for elevators, wait-1
    or ra-1.
    """
    if schema == "wait-1":
        return run_wait_script(generation, script)
    if schema == "ra-1":
        return run_readahead_script(generation, script)
    return run_queue_script(generation, script)


def run_queue_script(generation: str, script: dict) -> list:
    """Drive one queue: submit, unplug, take, complete, advance the clock, dump."""
    known = {field.name for field in fields(Settings)}
    params = {key: value for key, value in script["params"].items() if key in known}
    queue = make_queue(generation.split("_", maxsplit=1)[0], Settings(**params))
    memory_mode = script["params"].get("mem", "none")
    return [
        queue_operation(queue, operation, index, memory_mode)
        for index, operation in enumerate(script["ops"])
    ]


def queue_operation(queue: RequestQueue, operation: list, index: int, memory_mode: str):
    """Carry out operation number `index` of a script; its result."""
    match operation:
        case ["S", direction, sector, nr_sectors, device]:
            memory = memory_address(memory_mode, index, sector)
            return queue.submit(Bio(Direction(direction), sector, nr_sectors, device, memory))
        case ["U"]:
            return int(queue.unplug())
        case ["T"]:
            return queue.take()
        case ["C", which]:
            return queue.complete(which)
        case ["A", ticks]:
            return queue.advance(ticks)
        case ["D"]:
            return queue.dump()
    raise ValueError(f"operation {index}: {operation} is none of S, U, T, C, A, D")


def memory_address(mode: str, index: int, sector: int) -> int:
    """Where the buffer of operation `index` lies; decides which merges need a new segment."""
    if mode == "lin":
        return MEMORY_BASE + sector * 512
    if mode == "page":
        return MEMORY_BASE + (sector // 8) * 8192 + (sector % 8) * 512
    return MEMORY_BASE + index * 0x20000


def run_wait_script(generation: str, script: dict) -> list:
    """Tasks ask for slots, sleep, are woken, run."""
    params = script["params"]
    pool = make_pool(
        generation.split("_", maxsplit=1)[0],
        params["nr_requests"],
        bool(params["throttle"]),
        params["max_queue_sectors"],
    )
    tasks = [Task(number) for number in range(params["ntasks"])]
    held: list[tuple] = []  # slot and sectors, in order of allocation
    results = []
    for operation in script["ops"]:
        done, got = wait_operation(pool, tasks, held, operation)
        results.append([got, *wait_state(pool)] if done else None)
    return results


def wait_operation(
    pool: SlotPool, tasks: list[Task], held: list, operation: list
) -> tuple[bool, list]:
    """Whether the operation could be carried out, and who got a slot by it."""
    match operation:
        case ["R", number, direction, nr_sectors]:
            task = tasks[number]
            if task.waiting_on is not None:
                return False, []
            task.direction, task.nr_sectors = Direction(direction), nr_sectors
            return True, note_slot(task, pool.ask(task), held)
        case ["F", which]:
            if not held:
                return False, []
            slot, nr_sectors = held.pop(which % len(held))
            pool.complete(nr_sectors)
            pool.release(slot)
            return True, []
        case ["X", which]:
            if not pool.run_list:
                return False, []
            return True, note_slot(*pool.run(which), held)
    raise ValueError(f"{operation} is none of R, F, X")


def note_slot(task: Task, slot, held: list) -> list:
    """Keep the slot a task got, if any; the report of it."""
    if slot is None:
        return []
    held.append((slot, task.nr_sectors))
    return [[task.id, int(task.direction)]]


def wait_state(pool: SlotPool) -> list:
    """Free counters, wait queues (woken tasks + 1000), run list."""
    queues = [[task.id + 1000 * task.woken for task in queue.tasks] for queue in pool.wait_queues()]
    return [pool.counters(), queues, [task.id for task in pool.run_list]]


def run_readahead_script(generation: str, script: dict) -> list:
    """One reader of one file, with the read-ahead of a recorded generation."""
    return run_reader(READ_AHEADS[generation], script)


def run_reader(read_ahead: type[ReadAhead24], script: dict) -> list:
    """One reader of one file."""
    params = script["params"]
    cache = PageCache(params["completion"])
    reader = read_ahead(
        params["file_size"], cache, params["max_readahead_pages"], params["min_readahead_pages"]
    )
    results = []
    for position, length in script["reads"]:
        cache.events = []
        reader.read(position, length)
        results.append([cache.events, reader.state()])
    return results
