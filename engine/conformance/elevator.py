"""Player for schema 1: submit, unplug, take, complete and dump on one request queue."""

from typing import Any

from engine.conformance.dumps import dump, neighbours, serial
from engine.conformance.generations import MOST_SECTORS, QUEUES, family
from engine.core import request_pool, request_queue
from engine.core.elevators import ELEVATORS
from engine.core.elevators.g25b import NS_PER_MS
from engine.core.kinds import Outcome
from engine.core.limits import QUEUE_LIMIT
from engine.core.pools import slots_for
from engine.core.pools.records import Pool
from engine.core.queue_records import BIO
from engine.core.records import NONE, STATE, new_record

FIRST_TICK = 100_000  # of the clock, a tick a ms
READ_EXPIRE_MS = 500
OUTSIDE = NONE  # no thread submits: nobody keeps count


def supports(generation: str) -> bool:
    """Whether there is an elevator for it."""
    return family(generation) in QUEUES


def steps(script: dict[str, Any]) -> tuple[list, list]:
    """Operations and their recorded results."""
    return script["ops"], script["res"]


class Player:
    """One request queue under a script's orders."""

    def __init__(self, generation: str, params: dict[str, Any]):
        self.state = new_record(STATE)
        self.block_device = self.state.block_devices[0]
        self.bio = new_record(BIO)
        self.outstanding: list[int] = []  # in the order they were taken
        self.memory = params.get("mem", "none")
        traits = QUEUES[family(generation)]
        self.release_at_dispatch = traits.release_at_dispatch and bool(
            params.get("release_at_dispatch")
        )
        queue, machine = self.block_device.queue, self.state.machine
        machine.now_ns = FIRST_TICK * NS_PER_MS
        queue.elevator = ELEVATORS[family(generation)]
        queue.head_active = bool(params["head_active"])
        queue.max_sectors = params["max_sectors"]
        queue.max_segments = traits.max_segments
        for name in ("read_latency", "write_latency", "max_bomb_segments"):
            queue[name] = params.get(name, 0)
        queue.read_expire_ms = READ_EXPIRE_MS
        request_queue.reset(queue)
        self._reset_pool(traits.pool, params)

    def _reset_pool(self, kind: Pool, params: dict[str, Any]) -> None:
        pool, nr_requests = self.block_device.pool, params["nr_requests"]
        if nr_requests > QUEUE_LIMIT:
            raise ValueError(f"nr_requests {nr_requests}, more than {QUEUE_LIMIT}")
        pool.kind = kind
        pool.throttles = bool(params.get("throttle"))
        pool.most_sectors = MOST_SECTORS
        request_pool.reset(pool, slots_for(kind, nr_requests), min(nr_requests // 4, 32))

    def step(self, number: int, operation: list) -> Any:
        """Carry out one operation; its result in the form of the vectors."""
        letter, *arguments = operation
        if letter == "S":
            return self._submit(number, *arguments)
        if letter == "U":
            was_plugged = bool(self.block_device.queue.plugged)
            request_queue.unplug(self.block_device.queue)
            return int(was_plugged)
        if letter == "T":
            return self._take()
        if letter == "C":
            return self._complete(*arguments)
        if letter == "A":
            self.state.machine.now_ns += arguments[0] * NS_PER_MS
            return int(self.state.machine.now_ns // NS_PER_MS)
        if letter == "D":
            return dump(self.block_device)
        raise ValueError(f"operation {letter!r}")

    def _submit(self, number: int, rw: int, sector: int, nr_sectors: int, minor: int) -> list:
        bio, queue = self.bio, self.block_device.queue
        bio.is_write, bio.sector, bio.nr_sectors, bio.minor = bool(rw), sector, nr_sectors, minor
        bio.memory = self._address(number, sector)
        outcome = request_queue.submit(self.state, self.block_device, bio, OUTSIDE)
        if outcome == Outcome.NO_SLOT:
            return ["X"]
        touched = int(queue.touched)
        if outcome == Outcome.QUEUED:
            return ["N", serial(queue, touched), *neighbours(queue, touched)]
        side = "F" if queue.requests[touched].sector == sector else "B"
        joined = [NONE, NONE]
        if queue.kept != NONE:
            joined = [serial(queue, queue.kept), serial(queue, queue.gone)]
            side = "B" if touched == queue.kept else "F"
        return [side, serial(queue, touched), *joined]

    def _address(self, number: int, sector: int) -> int:
        """Where the buffer lies in memory, by the script's rule (schema 1, `mem`)."""
        if self.memory == "lin":
            return 0x10000000 + sector * 512
        if self.memory == "page":
            return 0x10000000 + sector // 8 * 8192 + sector % 8 * 512
        return 0x10000000 + number * 0x20000

    def _take(self) -> int:
        request = int(request_queue.take(self.state, self.block_device, self.release_at_dispatch))
        if request == NONE:
            return NONE
        self.outstanding.append(request)
        return serial(self.block_device.queue, request)

    def _complete(self, number: int) -> int:
        if not self.outstanding:
            return NONE
        request = self.outstanding.pop(number % len(self.outstanding))
        request_queue.complete(self.state, self.block_device, request, not self.release_at_dispatch)
        return serial(self.block_device.queue, request)
