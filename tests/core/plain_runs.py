"""Small runs in plain Python, as a program of its own: numba decides when it loads whether to compile.

`python -m core.plain_runs HOW` prints outcomes by name of the point, as JSON. HOW is one of `WAYS`.
"""

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any

import numpy as np

from engine import simulate
from engine.build import Machine
from engine.core import loop, reader, submission
from engine.core.checks import Breach, find_breach, find_page_breach
from engine.core.kinds import PageState, Role
from engine.resolve import resolve
from engine.row import row_of
from engine.simulate import simulate_state

from .order_model import broken_rule

# Few slots, so that threads sleep for them, and few passovers, so that requests expire.
IDE = {"machine": "k6-2", "queue_size": 24, "read_latency": 60}
SCSI = {"machine": "quad_xeon", "queue_size": 10, "queue_depth": 4, "read_latency": 60}
FILES = {"threads": 8, "size_mib": 8, "allocation_chunk_kib": 64}
SEQUENTIAL = {"workload": "tiobench_sequential_read", **FILES}
RANDOM = {"workload": "tiobench_random_read", "operations": 200, **FILES}

POINTS = {
    "g24e ide": {"kernel": "2.4.18", **IDE, **SEQUENTIAL},
    "g24f scsi": {"kernel": "2.4.18-ac-rmap12", **SCSI, **SEQUENTIAL},
    "g25a ide": {"kernel": "2.5.7", **IDE, **SEQUENTIAL},
    "random scsi": {"kernel": "2.4.19", **SCSI, **RANDOM},
}
SMALL = {**SEQUENTIAL, "threads": 4, "size_mib": 4}
POINTS |= {
    "global pool ide": {"kernel": "2.2.17", **IDE, **SMALL, "queue_size": 12},
    "global pool scsi": {"kernel": "2.4.0-test1", **SCSI, **SMALL},
    "stealing pool": {"kernel": "2.4.0", **SCSI, **SMALL, "queue_size": 6},
    "pending pool": {"kernel": "2.4.18", "pool": "pending", **IDE, **SMALL, "queue_size": 12},
    "sectors": {"kernel": "2.4.22", **IDE, **SMALL, "max_queue_sectors": 256},
    "spinning": {"kernel": "2.4.22-pre5", **IDE, **SMALL, "queue_size": 6},
    "deadline ide": {"kernel": "2.5.39", **IDE, **SMALL},
    "deadline scsi": {"kernel": "2.5.39", **SCSI, **SMALL},
}
# A cache of 2 MiB under files of 4 MiB: pages go again, and writers reach every limit.
TINY = {"size_mib": 4, "threads": 2, "operations": 32, "ram_mib": 18, "system_mib": 16}
BESIDE = {"workload": "readers_beside_a_writer", **TINY, "writer_mib": 4}
POINTS |= {
    "g24g beside a writer": {"kernel": "2.4.20", **IDE, **BESIDE, "read_latency": 2},
    "g24f beside two writers": {"kernel": "2.4.18-ac-rmap12", **SCSI, **BESIDE, "writers": 2},
}
PHASES = {"workload": "tiobench", **TINY}
POINTS |= {
    "phases of 2.4.18": {"kernel": "2.4.18", **IDE, **PHASES},
    "phases of 2.4.19": {"kernel": "2.4.19", **SCSI, **PHASES, "measured": "random_write"},
    "phases of 2.2.17": {"kernel": "2.2.17", **SCSI, **PHASES, "measured": "read"},
    "phases of 2.4.0-test7": {"kernel": "2.4.0-test7", **IDE, **PHASES, "measured": "write"},
    "memory": {
        "kernel": "2.4.18",
        **IDE,
        "workload": "mtest01_beside_mp3",
        "ram_mib": 18,
        "system_mib": 16,
        "writer_mib": 5,
        "operations": 2,
    },
    "2.4.0 beside a writer": {"kernel": "2.4.0", **IDE, **BESIDE},
}
MAPPED = {"block_map": "indirect"}
POINTS |= {
    "map of ext2": {"kernel": "2.4.20", **IDE, **PHASES, **MAPPED, "measured": "read"},
    "map of ext3": {
        "kernel": "2.4.19",
        **SCSI,
        **PHASES,
        **MAPPED,
        "filesystem": "ext3",
        "ram_mib": 24,
    },
}
PREEMPTING = {"wakeup": "preempt", "slice_ms": 60}
POINTS |= {
    "woken preempt ide": {"kernel": "2.4.18", **IDE, **BESIDE, **PREEMPTING},
    "woken preempt scsi": {"kernel": "2.4.18", **SCSI, **PHASES, **PREEMPTING, "preempt": "kernel"},
}
LARGE_CALLS = {"block_kib": 64, "readahead_pages": 127}
CONTIGUOUS = {"allocation_chunk_kib": 0, "queue_size": 12}
SMALL_POINTS = {
    "g24e scsi": {"kernel": "2.4.19", **SCSI, **SMALL},
    "g24f ide": {"kernel": "2.4.19-pre5-read_latency2", **IDE, **SMALL, **LARGE_CALLS},
    "g25a scsi": {"kernel": "2.5.7", **SCSI, **SMALL, **CONTIGUOUS},
    "g22a ide": {"kernel": "2.2.14", **IDE, **SMALL},
    "g22d scsi": {"kernel": "2.2.26", **SCSI, **SMALL, "queue_size": 6},
    "g24d ide": {"kernel": "2.4.0", **IDE, **SMALL},
    "g24h scsi": {"kernel": "2.4.20-rmap15a-read_latency2", **SCSI, **SMALL},
    "g24i ide": {"kernel": "2.4.21", **IDE, **SMALL},
    "g24l scsi": {"kernel": "2.4.22", **SCSI, **SMALL, "max_queue_sectors": 256},
    "g25b ide": {"kernel": "2.5.39", **IDE, **SMALL, "queue_size": 10},
    "evicting": {"kernel": "2.4.18", **IDE, **PHASES, "measured": "read"},
    "map": {"kernel": "2.4.18", **IDE, **SMALL, **CONTIGUOUS, **MAPPED},
    "map evicting": {"kernel": "2.4.18", **IDE, **PHASES, **MAPPED, "measured": "read"},
}

Outcome = dict[str, object]


def outcome(point: dict[str, object]) -> Outcome:
    """Row, histogram, story of the slowest read and a digest of every byte of the final state."""
    settings = resolve(point)
    state = simulate_state(settings)
    return {
        "row": row_of(settings, state),
        "histogram": state.measures.reads.histogram.tolist(),
        "slowest": list(state.measures.slowest.tolist()),
        "state": sha256(state.tobytes()).hexdigest(),
    }


LISTS_EVERY = 16  # events; they are walked page by page


def check_every_event() -> None:
    """Have the loop look for breaches after every event, and for more of them."""
    build = simulate.build

    def build_watched(*given: Any) -> Machine:
        machine = build(*given)
        events = count()
        loop.find_breach = lambda state: find_any_breach(state, machine.pages, next(events))
        return machine

    loop.CHECK_EVERY = 1
    simulate.build = build_watched


def find_any_breach(state: np.record, pages: np.recarray, event: int) -> Breach:
    """As `find_breach`; besides, the order's blocks, the calendar's heap and the pages must be sound."""
    assert broken_rule(state.queue) == ""
    machine = state.machine
    events = range(machine.nr_events)
    heap = [(machine.event_ns[i], machine.event_key[i]) for i in events]
    assert all(heap[(i - 1) // 2] <= heap[i] for i in events[1:])
    assert all(time_ns >= machine.now_ns for time_ns, _ in heap)
    cache, present = state.cache, pages.state != PageState.ABSENT
    assert cache.cached == present.sum() <= cache.capacity
    ordinary = (pages.role == Role.DATA) | (pages.role == Role.METADATA)
    assert (cache.dirty, cache.writing) == (pages.dirty[ordinary].sum(), pages.writing.sum())
    assert (pages.state[pages.dirty | pages.writing] == PageState.UPTODATE).all()
    breach = find_breach(state)
    if breach == Breach.NOTHING and event % LISTS_EVERY == 0:
        breach = find_page_breach(state, pages)
    return breach


def take_no_shortcut() -> None:
    """Submit every buffer by itself, and make every call by itself."""
    submission.request_queue.extend = lambda state, bio: 0
    reader._cached_calls = lambda *given: 0


WAYS: dict[str, tuple[Callable[[], None], dict[str, dict[str, object]]]] = {
    "every-event-checked": (check_every_event, POINTS),
    "without-shortcuts": (take_no_shortcut, SMALL_POINTS),
}

if __name__ == "__main__":
    prepare, points = WAYS[sys.argv[1]]
    prepare()
    json.dump({name: outcome(point) for name, point in points.items()}, sys.stdout)
