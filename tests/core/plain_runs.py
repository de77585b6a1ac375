"""Small runs in plain Python, as a program of its own: numba decides when it loads whether to compile.

`python -m core.plain_runs HOW` prints outcomes by name of the point, as JSON. HOW is one of `WAYS`.
"""

import json
import sys
from collections.abc import Callable
from hashlib import sha256

import numpy as np

from engine.core import loop, reader, submission
from engine.core.checks import Breach, find_breach
from engine.resolve import resolve
from engine.simulate import row_of, simulate_state

from .order_model import broken_rule

# Few slots, so that threads sleep for them, and few passovers, so that requests expire.
IDE = {"machine": "k6-2", "queue_size": 24, "read_latency": 60}
SCSI = {"machine": "quad_xeon", "queue_size": 10, "queue_depth": 4, "read_latency": 60}
FILES = {"threads": 8, "size_mib": 16, "allocation_chunk_kib": 64}
SEQUENTIAL = {"workload": "tiobench_sequential_read", **FILES}
RANDOM = {"workload": "tiobench_random_read", "operations": 200, **FILES}

POINTS = {
    "g24e ide": {"kernel": "2.4.18", **IDE, **SEQUENTIAL},
    "g24f scsi": {"kernel": "2.4.18-ac-rmap12", **SCSI, **SEQUENTIAL},
    "g25a ide": {"kernel": "2.5.7", **IDE, **SEQUENTIAL},
    "random scsi": {"kernel": "2.4.19", **SCSI, **RANDOM},
}
SMALL = {**SEQUENTIAL, "threads": 4, "size_mib": 8}
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
}

Outcome = dict[str, object]


def outcome(point: dict[str, object]) -> Outcome:
    """Row, histogram, story of the slowest read and a digest of every byte of the final state."""
    settings = resolve(point)
    state = simulate_state(settings)
    return {
        "row": row_of(settings, state),
        "histogram": state.measures.histogram.tolist(),
        "slowest": list(state.measures.slowest.tolist()),
        "state": sha256(state.tobytes()).hexdigest(),
    }


def check_every_event() -> None:
    """Have the loop look for breaches after every event, and for more of them."""
    loop.CHECK_EVERY = 1
    loop.find_breach = find_any_breach


def find_any_breach(state: np.record) -> Breach:
    """As `find_breach`; besides, the order's blocks and the calendar's heap must be sound."""
    assert broken_rule(state.queue) == ""
    machine = state.machine
    events = range(machine.nr_events)
    heap = [(machine.event_ns[i], machine.event_key[i]) for i in events]
    assert all(heap[(i - 1) // 2] <= heap[i] for i in events[1:])
    assert all(time_ns >= machine.now_ns for time_ns, _ in heap)
    return find_breach(state)


def take_no_shortcut() -> None:
    """Submit every buffer by itself, and make every call by itself."""
    submission.request_queue.extend = lambda state, bio: 0
    reader._cached_calls = lambda state, pages, pieces, number, burst_ns: 0


WAYS: dict[str, tuple[Callable[[], None], dict[str, dict[str, object]]]] = {
    "every-event-checked": (check_every_event, POINTS),
    "without-shortcuts": (take_no_shortcut, SMALL_POINTS),
}

if __name__ == "__main__":
    prepare, points = WAYS[sys.argv[1]]
    prepare()
    json.dump({name: outcome(point) for name, point in points.items()}, sys.stdout)
