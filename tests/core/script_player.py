"""Play whole scripts of queue operations on the engine, compiled, and on the twin.

Both give the same outcome, so that a test compares it as a whole: one row of `RESULT_COLUMNS` numbers an
operation, one row of `DUMP_COLUMNS` numbers for each request of each dump, and the counters at the end.
All generations but the deadline elevator, whose dumps have several lists.
"""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numba import njit
from reference.generations import make_queue
from reference.queue import RequestQueue
from reference.request import NOTHING, Bio, Direction, Settings

from engine.conformance.dumps import dump
from engine.conformance.generations import MOST_SECTORS, QUEUES
from engine.core import order, request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.jit import KernelCompiler, kernel
from engine.core.kinds import Elevator, Outcome
from engine.core.limits import REQUEST_LIMIT
from engine.core.pools import slots_for
from engine.core.pools.records import Pool
from engine.core.queue_records import BIO
from engine.core.records import NONE, STATE, new_record

from .order_model import broken_rule

RESULT_COLUMNS = 4
DUMP_COLUMNS = 7  # serial, direction, minor, sector, sectors, passovers left, segments

OPERATION = np.dtype(
    [
        ("code", np.int64),
        ("direction", np.int64),
        ("sector", np.int64),
        ("nr_sectors", np.int64),
        ("minor", np.int64),
        ("memory", np.int64),
        ("which", np.int64),  # of the requests in the drive completes, modulo their number
        ("run", np.int64),  # so many of the submissions that follow continue this one
    ],
    align=True,
)


class Code(IntEnum):
    """What an operation does."""

    SUBMIT = 0
    UNPLUG = 1
    TAKE = 2
    COMPLETE = 3
    HOLD = 4  # take a slot in hand, as a woken sleeper does; the next submission has it
    DUMP = 5


class Letter(IntEnum):
    """What became of a submission, in the letters of the vectors."""

    N = 0
    B = 1
    F = 2
    X = 3


@dataclass(frozen=True)
class Script:
    """A queue's settings and what is done to it; `operations` is an array of OPERATION."""

    generation: str
    settings: Settings
    max_segments: int
    inserts_after_sleep: bool  # a slot in hand, and no scan
    operations: np.ndarray = field(repr=False)


Outcomes = tuple[np.ndarray, np.ndarray, list[int]]


def play_engine(script: Script) -> Outcomes:
    """Results, dumps and last counters of the engine."""
    state = new_state(script)
    operations, settings = script.operations.view(np.recarray), script.settings
    results = np.zeros((len(operations), RESULT_COLUMNS), np.int64)
    most_rows = np.sum(operations.code == Code.DUMP) * settings.nr_requests
    dumps = np.zeros((most_rows, DUMP_COLUMNS), np.int64)
    rows = _play(state, new_record(BIO), operations, settings.release_at_dispatch, results, dumps)
    block_device = state.block_devices[0]
    assert broken_rule(block_device.queue) == ""
    return results, dumps[:rows], dump(block_device)["aux"]


def new_state(script: Script) -> np.record:
    """A STATE with the script's empty queue and pool."""
    state, settings = new_record(STATE), script.settings
    block_device, kind = state.block_devices[0], QUEUES[script.generation].pool
    queue, pool = block_device.queue, block_device.pool
    queue.elevator = ELEVATORS[script.generation]
    queue.head_active = settings.head_active
    queue.max_sectors = settings.max_sectors
    queue.max_segments = script.max_segments
    queue.read_latency = settings.read_latency
    queue.write_latency = settings.write_latency
    queue.max_bomb_segments = settings.max_bomb_segments
    queue.inserts_after_sleep = script.inserts_after_sleep
    request_queue.reset(queue)
    pool.kind = kind
    pool.throttles = settings.throttle and kind >= Pool.SECTORS_PRE5
    pool.most_sectors = MOST_SECTORS
    nr_requests = settings.nr_requests
    request_pool.reset(pool, slots_for(kind, nr_requests), min(nr_requests // 4, 32))
    return state


@njit(cache=True, pipeline_class=KernelCompiler)  # makes arrays, which no kernel does
def _play(state, bio, operations, release_at_dispatch, results, dumps):
    """Carry out all operations; returns how many rows of `dumps` it filled."""
    block_device = state.block_devices[0]
    queue, pool = block_device.queue, block_device.pool
    in_drive = np.zeros(REQUEST_LIMIT, np.int64)
    in_hand = np.zeros(2, np.bool_)
    slot_in_hand = np.zeros(2, np.int64)
    held = 0
    rows = 0
    number = 0
    while number < len(operations):
        operation, result = operations[number], results[number]
        direction = operation.direction
        number += 1
        if operation.code == Code.SUBMIT:
            _fill(bio, operation)
            bio.holds_slot = in_hand[direction]
            bio.slot = slot_in_hand[direction]
            in_hand[direction] = False
            _submit(state, block_device, bio, result)
            number += _extend(block_device, bio, results, number)
        elif operation.code == Code.UNPLUG:
            result[0] = queue.plugged
            request_queue.unplug(queue)
        elif operation.code == Code.TAKE:
            request = request_queue.take(state, block_device, release_at_dispatch)
            result[0] = _serial(queue, request)
            if request != NONE:
                in_drive[held] = request
                held += 1
        elif operation.code == Code.COMPLETE:
            result[0] = NONE
            if held > 0:
                slot = operation.which % held
                request = in_drive[slot]
                held -= 1
                for after in range(slot, held):
                    in_drive[after] = in_drive[after + 1]
                result[0] = _serial(queue, request)
                request_queue.complete(state, block_device, request, not release_at_dispatch)
        elif operation.code == Code.HOLD:
            result[0] = not in_hand[direction] and request_pool.take(pool, direction)
            if result[0]:
                in_hand[direction] = True
                slot_in_hand[direction] = pool.slot
        else:
            rows = _dump(queue, result, dumps, rows)
    return rows


@kernel
def _fill(bio, operation):
    bio.is_write = operation.direction == 1
    bio.sector = operation.sector
    bio.nr_sectors = operation.nr_sectors
    bio.minor = operation.minor
    bio.memory = operation.memory
    bio.run = operation.run


@kernel
def _submit(state, block_device, bio, result):
    queue = block_device.queue
    outcome = request_queue.submit(state, block_device, bio, NONE)
    if outcome == Outcome.NO_SLOT:
        result[0] = Letter.X
        return
    result[1] = _serial(queue, queue.touched)
    if outcome == Outcome.QUEUED:
        result[0] = Letter.N
        place = order.place_of(queue, queue.touched)
        result[2] = _neighbour(queue, order.previous_place(queue, place))
        result[3] = _neighbour(queue, order.next_place(queue, place))
        return
    front = queue.requests[queue.touched].sector == bio.sector
    if queue.kept != NONE:
        front = queue.touched == queue.gone
    result[0] = Letter.F if front else Letter.B
    result[2] = _serial(queue, queue.kept)
    result[3] = _serial(queue, queue.gone)


@kernel
def _extend(block_device, bio, results, number):
    """Merge of the following submissions what can be merged at once; returns how many those were."""
    if results[number - 1, 0] == Letter.X:
        return 0
    queue = block_device.queue
    buffers = request_queue.extend(block_device, bio)
    for merged in range(number, number + buffers):
        results[merged, 0] = Letter.B
        results[merged, 1] = _serial(queue, queue.touched)
        results[merged, 2:4] = NONE
    return buffers


@kernel
def _serial(queue, request):
    return NONE if request == NONE else queue.requests[request].serial


@kernel
def _neighbour(queue, place):
    """Serial of the request at `place`; 0 stands for the ends of the queue."""
    return 0 if place == NONE else _serial(queue, order.request_at(queue, place))


@kernel
def _dump(queue, result, dumps, rows):
    """Append the queue from head to tail to `dumps`; returns the rows in use."""
    result[0] = queue.length
    result[1] = queue.plugged
    result[2] = _serial(queue, queue.last_merge) if queue.elevator == Elevator.G25A else NONE
    place = order.next_place(queue, NONE)
    while place != NONE:
        entry, row = queue.requests[order.request_at(queue, place)], dumps[rows]
        row[0], row[1], row[2] = entry.serial, entry.is_write, entry.minor
        row[3], row[4] = entry.sector, entry.nr_sectors
        row[5], row[6] = order.sequence_at(queue, place), entry.segments
        place = order.next_place(queue, place)
        rows += 1
    return rows


def play_twin(script: Script) -> Outcomes:
    """Results, dumps and last counters of the twin."""
    queue = make_queue(script.generation, script.settings)
    queue.MAX_SEGMENTS = script.max_segments
    queue.requests = Neighbourly()
    results: list[list[int]] = []
    dumps: list[list[int]] = []
    in_hand = [None, None]
    for operation in script.operations.tolist():
        result = _twin_operation(queue, operation, in_hand, script.inserts_after_sleep, dumps)
        results.append(result + [0] * (RESULT_COLUMNS - len(result)))
    results_table = np.array(results).reshape(-1, RESULT_COLUMNS)
    return results_table, np.array(dumps).reshape(-1, DUMP_COLUMNS), queue.aux()


def _twin_operation(
    queue: RequestQueue, operation: tuple, in_hand: list, inserts_after_sleep: bool, dumps: list
) -> list:
    code, direction, sector, nr_sectors, minor, memory, which, _ = operation
    if code == Code.SUBMIT:
        bio = Bio(Direction(direction), sector, nr_sectors, minor, memory)
        slot, in_hand[direction] = in_hand[direction], None
        if slot is None:
            result = queue.submit(bio)
        else:
            result = _submit_with_slot(queue, bio, slot, inserts_after_sleep)
        return [Letter[result[0]], *result[1:]]
    if code == Code.UNPLUG:
        return [int(queue.unplug())]
    if code == Code.TAKE:
        return [queue.take()]
    if code == Code.COMPLETE:
        return [queue.complete(which)]
    if code == Code.HOLD:
        slot = None
        if in_hand[direction] is None:
            slot = in_hand[direction] = queue.pool.take(Direction(direction), 0)
        return [int(slot is not None)]
    rows = queue.dump()["q"]
    segments = {request.id: request.segments for request in queue.requests}
    dumps += [[*row, segments[row[0]]] for row in rows]
    hint = getattr(queue, "last_merge", None)
    return [len(rows), int(queue.plugged), hint.id if hint else NONE]


def _submit_with_slot(queue: RequestQueue, bio: Bio, slot, inserts: bool) -> list:
    """Submit for a woken sleeper: who asks the pool gets `slot`, which goes back if nobody does."""
    pool = queue.pool

    def take(direction: Direction, nr_sectors: int):
        pool.merged(nr_sectors)  # only now are its sectors queued
        return slot

    pool.take = take
    straight = inserts and not queue.is_empty()
    result = queue.add_request(bio, NOTHING) if straight else queue.submit(bio)
    del pool.take
    if result[0] != "N":
        pool.release(slot)
    return result


class Neighbourly(list):
    """A list whose `index` first looks next to where it last found something.

    The twin's scans ask for one neighbour after the other; this keeps long queues bearable.
    """

    last = 0

    def index(self, item, *limits):
        """As `list.index`, by identity."""
        for near in (self.last - 1, self.last, self.last + 1):
            if 0 <= near < len(self) and self[near] is item:
                self.last = near
                return near
        self.last = super().index(item, *limits)
        return self.last
