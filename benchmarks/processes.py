"""Starting the engine cold and warm, and two cores against one."""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

from benchmarks.timing import child_cpu_s
from engine.simulate import simulate

POINT = {
    "kernel": "2.4.19-pre5",
    "machine": "k6-2",
    "workload": "tiobench_sequential_read",
    "threads": 64,
    "size_mib": 4096,
}
POINTS_A_PROCESS = 40


def start_s() -> dict[str, float]:
    """Processor time of processes that start and simulate, in s, by name.

    `cold` compiles all that the default study needs, `warm` finds it compiled; the others are parts of
    a warm start.
    """
    with tempfile.TemporaryDirectory() as folder:
        warm = [sys.executable, "-m", "engine.jobs.warm", "--points", f"{folder}/points"]
        environment = {"NUMBA_CACHE_DIR": f"{folder}/cache"}

        def run(*command: str) -> float:
            return child_cpu_s(command, **environment)

        first = [*warm, "--out", f"{folder}/warm.txt"]
        result = {"cold": run(*first)}
        parts: dict[str, Callable[[], float]] = {
            "warm": lambda: run(*first),
            "import engine.simulate": lambda: run(sys.executable, "-c", "import engine.simulate"),
            "import numba": lambda: run(sys.executable, "-c", "import numba"),
            "python": lambda: run(sys.executable, "-c", "pass"),
        }
        for _ in range(2):  # the first time files are read into memory
            result |= {name: median(part() for _ in range(3)) for name, part in parts.items()}
    return result


def two_cores(rounds: int) -> dict[str, float]:
    """How many times as much two processes do as one: by the clock, and by processor time.

    By the clock other programs on the machine count, too; by processor time only what the two
    processes cost each other.
    """
    one, two = [], []
    simulate(POINT)  # compile, should that not have happened yet
    for _ in range(rounds):
        one.append(_together(1))
        two.append(_together(2))
    wall_1, cpu_1 = (median(values) for values in zip(*one, strict=True))
    wall_2, cpu_2 = (median(values) for values in zip(*two, strict=True))
    return {"clock": 2 * wall_1 / wall_2, "processor time": 2 * cpu_1 / cpu_2}


def _together(processes: int) -> tuple[float, float]:
    """Wall time of the slowest of so many processes, and mean processor time, in s."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(processes)
    results = context.SimpleQueue()
    workers = [context.Process(target=_work, args=(barrier, results)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    times = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    walls, cpus = zip(*times, strict=True)
    return max(walls), sum(cpus) / processes


def _work(barrier, results) -> None:
    """Simulate once, wait for the others, then the points that count."""
    simulate(POINT)
    barrier.wait()
    wall, cpu = time.monotonic(), time.process_time()
    for run in range(POINTS_A_PROCESS):
        simulate(POINT | {"run": run})
    results.put((time.monotonic() - wall, time.process_time() - cpu))
