"""What the vectors of schema 1 show of a request queue: neighbours and dumps."""

import numpy as np

from engine.core import order
from engine.core.elevators.g25b import DISPATCH, READS, WRITES, list_of
from engine.core.kinds import Elevator
from engine.core.pools.records import Pool
from engine.core.records import NONE


def serial(queue: np.record, request: int) -> int:
    """Id of a request in the vectors."""
    return int(queue.requests[np.int64(request)].serial)


def neighbours(queue: np.record, request: int) -> list[int]:
    """Ids before and behind `request` in the list that holds it; 0 stands for its ends."""
    place = order.place_of(queue, request)
    ids = []
    for other in (order.previous_place(queue, place), order.next_place(queue, place)):
        near = NONE if other == NONE else order.request_at(queue, other)
        alone = near == NONE or _list(queue, near) != _list(queue, request)
        ids.append(0 if alone else serial(queue, near))
    return ids


def dump(block_device: np.record) -> dict[str, list]:
    """The queue from head to tail, and the counters that the generation shows."""
    queue = block_device.queue
    rows = _rows(queue)
    if queue.elevator != Elevator.G25B:
        return {"q": rows[DISPATCH], "aux": _counters(block_device)}
    return {
        "q": rows[DISPATCH],
        "sr": rows[READS],
        "sw": rows[WRITES],
        "fifo": _fifo(queue),
        "aux": _counters(block_device),
    }


def _list(queue: np.record, request: int) -> int:
    """Which list holds a request; all but the deadline elevator have one."""
    return list_of(queue, request) if queue.elevator == Elevator.G25B else DISPATCH


def _rows(queue: np.record) -> dict[int, list[list[int]]]:
    """The lists, each request as id, direction, minor, sector, sectors, and passovers left or expiry."""
    ids, last_fields = [], []
    place = order.next_place(queue, NONE)
    while place != NONE:
        ids.append(order.request_at(queue, place))
        last_fields.append(int(order.sequence_at(queue, place)))
        place = order.next_place(queue, place)
    requests = queue.requests[np.array(ids, np.int64)]
    lists = [DISPATCH] * len(ids)
    if queue.elevator == Elevator.G25B:
        lists = [list_of(queue, request) for request in ids]
        last_fields = requests["expires_ms"].tolist()
    names = ("serial", "is_write", "minor", "sector", "nr_sectors")
    columns = [requests[name].astype(np.int64).tolist() for name in names]
    rows: dict[int, list[list[int]]] = {DISPATCH: [], READS: [], WRITES: []}
    for number, *row in zip(lists, *columns, last_fields, strict=True):
        rows[number].append(row)
    return rows


def _fifo(queue: np.record) -> list[int]:
    """Ids of the reads by age."""
    ids = []
    request = queue.oldest_read
    while request != NONE:
        ids.append(serial(queue, request))
        request = queue.requests[request].next_read
    return ids


def _counters(block_device: np.record) -> list[int]:
    """`aux`: free slots and what else the generation counts."""
    queue, pool = block_device.queue, block_device.pool
    elevator = queue.elevator
    counted = [queue.clock, queue.total_segments, queue.queued_reads]
    if elevator == Elevator.G24A:
        return [*map(int, counted)]
    if Elevator.G20 <= elevator <= Elevator.G22D:
        return [int(pool.free[0]), int(queue.plugged)]
    if pool.kind >= Pool.SECTORS_PRE5:
        return [*map(int, (pool.free[0], *pool.held, pool.sectors))]
    shown = [*pool.free]
    if Elevator.G24B <= elevator <= Elevator.G24D:
        shown += counted
    if elevator >= Elevator.G25A:
        hint = 0 if queue.last_merge == NONE else serial(queue, queue.last_merge)
        shown += [hint, queue.plugged]
    if elevator == Elevator.G25B:
        shown += [queue.starved, queue.last_sector]
    return [*map(int, shown)]
