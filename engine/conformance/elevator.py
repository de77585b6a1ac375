"""Player for schema 1: submit, unplug, take, complete and dump on one request queue."""

from typing import Any

import numpy as np

from engine.core import order, request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.records import BIO, NONE, QUEUE_LIMIT, STATE, Outcome, new_record

MAX_SEGMENTS = 128
OUTSIDE = NONE  # no thread submits: nobody keeps count


def supports(generation: str) -> bool:
    """Whether there is an elevator for it."""
    return _family(generation) in ELEVATORS


def steps(script: dict[str, Any]) -> tuple[list, list]:
    """Operations and their recorded results."""
    return script["ops"], script["res"]


def _family(generation: str) -> str:
    return generation.split("_", maxsplit=1)[0]


class Player:
    """One request queue under a script's orders."""

    def __init__(self, generation: str, params: dict[str, Any]):
        self.state = new_record(STATE)
        self.bio = new_record(BIO)
        self.outstanding: list[int] = []  # in the order they were taken
        self.memory = params.get("mem", "none")
        self.is_25 = _family(generation).startswith("g25")
        self.release_at_dispatch = bool(params.get("release_at_dispatch"))
        queue = self.state.queue
        queue.elevator = ELEVATORS[_family(generation)]
        queue.head_active = bool(params["head_active"])
        queue.max_sectors = params["max_sectors"]
        queue.max_segments = MAX_SEGMENTS
        for name in ("read_latency", "write_latency", "max_bomb_segments"):
            queue[name] = params.get(name, 0)
        request_queue.reset(queue)
        if params["nr_requests"] > QUEUE_LIMIT:
            raise ValueError(f"nr_requests {params['nr_requests']}, more than {QUEUE_LIMIT}")
        slots = params["nr_requests"] // 2
        request_pool.reset(self.state.pool, slots, slots)

    def step(self, number: int, operation: list) -> Any:
        """Carry out one operation; its result in the form of the vectors."""
        letter, *arguments = operation
        if letter == "S":
            return self._submit(number, *arguments)
        if letter == "U":
            was_plugged = bool(self.state.queue.plugged)
            request_queue.unplug(self.state.queue)
            return int(was_plugged)
        if letter == "T":
            return self._take()
        if letter == "C":
            return self._complete(*arguments)
        if letter == "D":
            return self._dump()
        raise ValueError(f"operation {letter!r}")

    def _submit(self, number: int, rw: int, sector: int, nr_sectors: int, minor: int) -> list:
        bio, queue = self.bio, self.state.queue
        bio.is_write, bio.sector, bio.nr_sectors, bio.minor = bool(rw), sector, nr_sectors, minor
        bio.memory = self._address(number, sector)
        outcome = request_queue.submit(self.state, bio, OUTSIDE)
        if outcome == Outcome.NO_SLOT:
            return ["X"]
        if outcome == Outcome.QUEUED:
            place = order.place_of(queue, queue.touched)
            around = order.previous_place(queue, place), order.next_place(queue, place)
            return ["N", self._serial(queue.touched), *map(self._serial_at, around)]
        touched = queue.requests[queue.touched]
        side = "F" if touched.sector == sector else "B"
        joined = [NONE, NONE]
        if queue.kept != NONE:
            joined = [self._serial(queue.kept), self._serial(queue.gone)]
            side = "B" if queue.touched == queue.kept else "F"
        return [side, self._serial(queue.touched), *joined]

    def _address(self, number: int, sector: int) -> int:
        """Where the buffer lies in memory, by the script's rule (schema 1, `mem`)."""
        if self.memory == "lin":
            return 0x10000000 + sector * 512
        if self.memory == "page":
            return 0x10000000 + sector // 8 * 8192 + sector % 8 * 512
        return 0x10000000 + number * 0x20000

    def _take(self) -> int:
        request = int(request_queue.take(self.state, self.release_at_dispatch))
        if request == NONE:
            return NONE
        self.outstanding.append(request)
        return self._serial(request)

    def _complete(self, number: int) -> int:
        if not self.outstanding:
            return NONE
        request = self.outstanding.pop(number % len(self.outstanding))
        request_queue.complete(self.state, request, not self.release_at_dispatch)
        return self._serial(request)

    def _dump(self) -> dict[str, list]:
        queue, pool = self.state.queue, self.state.pool
        aux = [int(pool.free[0]), int(pool.free[1])]
        if self.is_25:
            hint = 0 if queue.last_merge == NONE else self._serial(queue.last_merge)
            aux += [hint, int(queue.plugged)]
        return {"q": self._requests(), "aux": aux}

    def _requests(self) -> list[list[int]]:
        """The queue from head to tail: id, direction, minor, sector, sectors, passovers left."""
        queue, rows = self.state.queue, []
        place = order.next_place(queue, NONE)
        while place != NONE:
            entry = queue.requests[order.request_at(queue, place)]
            fields = (entry.serial, entry.is_write, entry.minor, entry.sector, entry.nr_sectors)
            rows.append([*map(int, fields), int(order.sequence_at(queue, place))])
            place = order.next_place(queue, place)
        return rows

    def _serial(self, request: int) -> int:
        return int(self.state.queue.requests[np.int64(request)].serial)

    def _serial_at(self, place: int) -> int:
        """Id of the request at a place; 0 stands for the ends of the queue."""
        queue = self.state.queue
        return 0 if place == NONE else self._serial(order.request_at(queue, place))
