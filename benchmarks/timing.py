"""Processor time of one core, as medians of rounds that take turns."""

import os
import resource
import subprocess
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from statistics import median
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def interleaved(tasks: Mapping[Key, Callable[[], int]], rounds: int) -> dict[Key, float]:
    """Median over the rounds of what each task returns.

    Every round does every task once, so that a slow spell of the machine hits all of them and the
    ratios hold. A round before the first warms up and does not count.
    """
    seen: dict[Key, list[int]] = {key: [] for key in tasks}
    for turn in range(rounds + 1):
        for key, task in tasks.items():
            value = task()
            if turn > 0:
                seen[key].append(value)
    return {key: median(values) for key, values in seen.items()}


def cpu_ns(task: Callable[[], object]) -> int:
    """Processor time of this process during `task`, in ns."""
    start = time.process_time_ns()
    task()
    return time.process_time_ns() - start


def child_cpu_s(command: Sequence[str], **environment: str) -> float:
    """Processor time of a command and all its children, in s; raises if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
