"""Random scripts: streams, near neighbours, holes that join requests, backwards, chance, and their mixes."""

from collections.abc import Iterator
from random import Random

import numpy as np
from reference.request import Settings

from engine.conformance.generations import QUEUES

from .script_player import OPERATION, Code, Script

SIZES = (2, 4, 8, 8, 8, 16, 32)
LATENCIES = (lambda r: r.randint(0, 64), lambda r: r.randint(64, 2048), lambda r: 8192)
MEMORY_BASE = 0x10000000

Buffer = tuple[int, int, int, int]  # direction, sector, sectors, minor


def random_script(random: Random, generation: str, length: int) -> Script:
    """A script of about `length` operations on a queue of any settings."""
    nr_requests = random.choice((4, 8, 8, 16, 32, 64, 128, 256))
    buffers = random_buffers(random, random.choice((1, 1, 2, 3)))
    weights = {
        Code.SUBMIT: 12,
        Code.UNPLUG: random.choice((1, 4)),
        Code.TAKE: random.choice((1, 4, 12)),
        Code.COMPLETE: random.choice((1, 4, 12)),
        Code.HOLD: random.choice((0, 1, 4)),
        Code.DUMP: 1,
    }
    return Script(
        generation,
        random_settings(random, generation, nr_requests),
        random.choice((2, 3, 6, 128)),
        may_insert(generation) and random.random() < 0.3,
        operations(random, buffers, weights, length),
    )


def long_script(random: Random, generation: str, nr_requests: int) -> Script:
    """A script that fills the queue, works at its limit, and drains it."""
    buffers = random_buffers(random, random.choice((1, 2)))
    fill = {Code.SUBMIT: 1}
    work = {Code.SUBMIT: 8, Code.UNPLUG: 1, Code.TAKE: 4, Code.COMPLETE: 4, Code.HOLD: 1}
    drain = {Code.SUBMIT: 1, Code.UNPLUG: 1, Code.TAKE: 20, Code.COMPLETE: 20}
    phases = [
        operations(random, buffers, weights, length)
        for weights, length in ((fill, 2 * nr_requests), (work, nr_requests), (drain, nr_requests))
    ]
    settings = random_settings(random, generation, nr_requests)
    inserts = may_insert(generation) and random.random() < 0.3
    return Script(generation, settings, 128, inserts, np.concatenate(phases))


def may_insert(generation: str) -> bool:
    """Whether the place of a request that is not scanned for is settled: no kernel with a bomb asks."""
    return generation not in ("g24f", "g24h")


def random_settings(random: Random, generation: str, nr_requests: int) -> Settings:
    """Any settings for a queue of the generation with that pool."""
    head_active = random.random() < 0.5
    may_release = not head_active and QUEUES[generation].release_at_dispatch
    ages = generation not in ("g20", "g22a")
    return Settings(
        max_sectors=random.choice((16, 64, 128, 255)),
        nr_requests=nr_requests,
        head_active=head_active,
        release_at_dispatch=may_release and random.random() < 0.5,
        read_latency=random.choice(LATENCIES)(random) * ages,
        write_latency=random.choice(LATENCIES)(random) * ages,
        max_bomb_segments=random.choice((0, 1, 4, 6, 32)),
        throttle=random.random() < 0.5,
    )


def operations(
    random: Random, buffers: Iterator[Buffer], weights: dict[Code, int], length: int
) -> np.ndarray:
    """`length` operations or a few more, and a dump; shape (operations,) of OPERATION."""
    rows: list[tuple] = []
    memory = random.choice((apart, apart, contiguous_in_page, contiguous))
    while len(rows) < length:
        (code,) = random.choices(list(weights), list(weights.values()))
        if code == Code.SUBMIT:
            rows += submissions(random, next(buffers), len(rows), memory)
        elif code == Code.HOLD:
            rows.append((code, random.randint(0, 1), 0, 0, 0, 0, 0, 0))
        else:
            rows.append((code, 0, 0, 0, 0, 0, random.randrange(64), 0))
    rows.append((Code.DUMP, 0, 0, 0, 0, 0, 0, 0))
    return np.array(rows, OPERATION)


def submissions(random: Random, buffer: Buffer, number: int, memory) -> list[tuple]:
    """A buffer, and if no two of them touch in memory perhaps a run of others right behind it."""
    direction, sector, nr_sectors, minor = buffer
    run = random.randint(1, 24) if memory is apart and random.random() < 0.07 else 0
    rows = []
    for following in range(run + 1):
        start = sector + following * nr_sectors
        address = memory(number + following, start)
        rows.append((Code.SUBMIT, direction, start, nr_sectors, minor, address, 0, run - following))
    return rows


def apart(number: int, sector: int) -> int:
    """Buffers touch no other in memory."""
    return MEMORY_BASE + number * 0x20000


def contiguous_in_page(number: int, sector: int) -> int:
    """Neighbours on the disk touch in memory within 4 KiB."""
    return MEMORY_BASE + sector // 8 * 8192 + sector % 8 * 512


def contiguous(number: int, sector: int) -> int:
    """Neighbours on the disk touch in memory."""
    return MEMORY_BASE + sector * 512


def random_buffers(random: Random, minors: int) -> Iterator[Buffer]:
    """Buffers without end, from a mix of patterns."""
    write_share = random.choice((0, 0.2, 0.5, 1))
    streams = [
        [int(random.random() < write_share), random.randrange(1 << 20), random.randrange(minors)]
        for _ in range(random.randint(1, 8))
    ]
    holes: list[Buffer] = []
    patterns = [stream, gap, hole, backwards, near, anywhere]
    weights = [random.choice((0, 1, 3, 10)) for _ in patterns]
    weights[0] += not any(weights)
    size = random.choice(SIZES)
    while True:
        (pattern,) = random.choices(patterns, weights)
        nr_sectors = size if random.random() < 0.8 else random.choice(SIZES)
        yield pattern(random, random.choice(streams), nr_sectors, holes)


def stream(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """The next piece of a sequential stream."""
    direction, sector, minor = cursor
    cursor[1] += nr_sectors
    return direction, sector, nr_sectors, minor


def gap(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """As `stream`, but leaves a hole before the piece."""
    direction, sector, minor = cursor
    holes.append((direction, sector, nr_sectors, minor))
    cursor[1] += nr_sectors
    return stream(random, cursor, nr_sectors, holes)


def hole(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """A piece that fills a hole, so that its neighbours join."""
    if not holes:
        return gap(random, cursor, nr_sectors, holes)
    return holes.pop(random.randrange(len(holes)))


def backwards(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """The piece before a stream's last one."""
    direction, sector, minor = cursor
    cursor[1] = max(0, sector - nr_sectors)
    return direction, cursor[1], nr_sectors, minor


def near(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """Somewhere close by, whatever lies there already."""
    direction, sector, minor = cursor
    return direction, max(0, sector + 2 * random.randint(-64, 64)), nr_sectors, minor


def anywhere(random: Random, cursor: list, nr_sectors: int, holes: list) -> Buffer:
    """A place of chance."""
    direction, _, minor = cursor
    return direction, random.randrange(1 << 24), nr_sectors, minor
