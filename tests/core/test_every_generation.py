"""Every elevator, pool and read-ahead does on random scripts what the twin does.

The scripts are those of the vectors' schema, and the same players run them: every result and every
dump counts. Limits on segments are lower than any kernel's, so that merges are refused, too.
"""

from random import Random

import pytest
from reference.generations import POOLS, QUEUES, READ_AHEADS
from reference.scripts import run_script as run_twin

from engine.conformance import elevator, generations, readahead, run_script, wait

from .script_writer import random_buffers

LATENCIES = ((0, 4), (2, 16), (32, 128), (256, 1024), (1024, 16384))


def check(player, generation: str, schema: int | str, script: dict) -> None:
    """Compare the engine's results of `script` with the twin's."""
    script["res"] = run_twin(generation, schema, script)
    assert run_script(player, generation, script) == ""


def queue_script(random: Random, generation: str) -> dict:
    """A script of up to 400 operations on a queue of any settings."""
    shallow = random.random() < 0.7
    buffers = random_buffers(random, random.choice((1, 1, 2, 3)))
    weights = {
        "S": 12,
        "U": random.choice((0.4, 1, 3)) if shallow else 0.1,
        "T": random.choice((1, 4, 12)) if shallow else 0.2,
        "C": random.choice((1, 4, 12)) if shallow else 0.2,
        "A": 0.5 if generation == "g25b" else 0,
        "D": 1,
    }
    arguments = {
        "S": lambda: _submission(next(buffers)),
        "C": lambda: [random.randrange(64)],
        "A": lambda: [random.choice((1, 10, 100, 499, 501))],
    }
    letters = random.choices(list(weights), list(weights.values()), k=random.choice((80, 400)))
    ops = [[letter, *arguments.get(letter, list)()] for letter in [*letters, "D"]]
    return {"name": "random", "params": queue_params(random, generation, shallow), "ops": ops}


def _submission(buffer: tuple[int, int, int, int]) -> list[int]:
    direction, sector, nr_sectors, minor = buffer
    return [direction, sector, nr_sectors, minor]


def queue_params(random: Random, generation: str, shallow: bool) -> dict[str, object]:
    """Any settings of a queue; the largest pools for deep queues."""
    head_active = random.random() < 0.5
    may_release = not head_active and not generation.startswith("g25")
    ages = generation not in ("g20", "g22a")
    lowest, highest = random.choice(LATENCIES)
    return {
        "head_active": int(head_active),
        "release_at_dispatch": int(may_release and random.random() < 0.6),
        "max_sectors": random.choice((16, 64, 128, 255)),
        "nr_requests": random.choice((8, 9, 13, 24, 64)) if shallow else random.choice((128, 256)),
        "read_latency": random.randint(lowest, highest) * ages,
        "write_latency": random.randint(lowest, highest) * ages,
        "max_bomb_segments": random.choice((1, 2, 4, 6, 32)),
        "throttle": random.randint(0, 1),
        "mem": random.choice(("none", "none", "lin", "page")),
    }


@pytest.mark.parametrize("max_segments", [None, 2, 5])
@pytest.mark.parametrize("generation", QUEUES)
def test_queues(generation: str, max_segments: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if max_segments is not None:
        monkeypatch.setattr(QUEUES[generation][0], "MAX_SEGMENTS", max_segments)
        traits = generations.QUEUES[generation]._replace(max_segments=max_segments)
        monkeypatch.setitem(generations.QUEUES, generation, traits)
    random = Random(f"{generation} {max_segments}")
    for _ in range(8):
        check(elevator, generation, 1, queue_script(random, generation))


# What chance seldom makes.
PARAMS = {
    "head_active": 1,
    "max_sectors": 128,
    "nr_requests": 64,
    "max_bomb_segments": 3,
    "throttle": 0,
}


def check_rare(generation: str, latency: int, ops: list[list]) -> list:
    """Compare the engine's results of `ops` with the twin's, and return them."""
    params = PARAMS | {"read_latency": latency, "write_latency": latency}
    script: dict = {"name": "rare", "params": params, "ops": [*ops, ["D"]]}
    check(elevator, generation, 1, script)
    return script["res"]


@pytest.mark.parametrize("generation", QUEUES)
def test_rare_neighbours_of_another_device(generation: str) -> None:
    """They neither join a request nor are merged with the one merged last."""
    pieces = ((1000, 0), (1016, 1), (1008, 0), (1016, 2))
    results = check_rare(generation, 1000, [["S", 0, sector, 8, minor] for sector, minor in pieces])
    assert results[2] == ["B", 1, -1, -1]
    assert results[3][:2] == ["N", 3]


@pytest.mark.parametrize("generation", QUEUES)
def test_rare_neighbours_of_another_direction(generation: str) -> None:
    """A read that comes to touch a write does not join it."""
    pieces = ((0, 1000), (1, 1016), (0, 1008))
    results = check_rare(generation, 1000, [["S", is_write, at, 8, 0] for is_write, at in pieces])
    assert results[2] == ["B", 1, -1, -1]


@pytest.mark.parametrize("generation", ["g22b", "g22c"])
def test_rare_merge_that_uses_up_its_budget(generation: str) -> None:
    """What follows the request in service counts twice: here it is half of the budget."""
    ops: list[list] = [["S", 0, sector, 8, 0] for sector in (1000, 2000, 2008, 3000)]
    results = check_rare(generation, 4, [*ops, ["U"], ["T"], ["S", 0, 3008, 8, 0]])
    assert results[6][:2] == ["B", 3]


@pytest.mark.parametrize("generation", ["g24f", "g24h"])
def test_rare_write_of_two_units(generation: str) -> None:
    """A read that belongs at the tail goes behind three units: a write of 64 sectors and a small one."""
    writes = ((1000, 32), (1032, 32), (5000, 8), (9000, 8), (12000, 8))
    ops: list[list] = [["S", 1, sector, nr_sectors, 0] for sector, nr_sectors in writes]
    assert check_rare(generation, 1000, [*ops, ["S", 0, 20000, 8, 0]])[5] == ["N", 5, 2, 3]


@pytest.mark.parametrize(("ticks", "first"), [(500, 2), (501, 1)])
def test_rare_read_at_its_deadline(ticks: int, first: int) -> None:
    """The oldest read, at a higher sector, begins the batch once its deadline has passed."""
    ops: list[list] = [["S", 0, 5000, 8, 0], ["S", 0, 1000, 8, 0], ["A", ticks], ["U"], ["T"]]
    assert check_rare("g25b", 0, ops)[4] == first


def test_rare_read_of_many_full_requests() -> None:
    """A batch pays 16 for the seek and 1 for each of 16 requests that follow on the disk."""
    ops: list[list] = [["S", 0, 1000 + 128 * number, 128, 0] for number in range(30)]
    assert len(check_rare("g25b", 0, [*ops, ["U"], ["T"]])[-1]["q"]) == 17


@pytest.mark.parametrize("generation", POOLS)
def test_pools(generation: str) -> None:
    random = Random(generation)
    for _ in range(10):
        tasks, write_share = random.choice((4, 16, 40)), random.choice((0, 0.3, 0.7))
        ops: list[list] = []
        for letter in random.choices("RFX", (8, 4, 3), k=500):
            task_or_number = random.randrange(tasks if letter == "R" else 1000)
            ops.append([letter, task_or_number])
            if letter == "R":
                ops[-1] += [int(random.random() < write_share), random.choice((2, 8, 32, 128))]
        params = {
            "nr_requests": random.choice((2, 4, 8, 9, 13, 16, 24, 64)),
            "ntasks": tasks,
            "throttle": random.randint(0, 1),
            "max_queue_sectors": random.choice((64, 256, 1024, None)),
        }
        check(wait, generation, "wait-1", {"name": "random", "params": params, "ops": ops})


@pytest.mark.parametrize("generation", READ_AHEADS)
def test_read_aheads(generation: str) -> None:
    random = Random(generation)
    for _ in range(40):
        file_size = random.choice((random.randint(1, 10**6), 4096 * random.randint(1, 250)))
        position, reads = 0, []
        for _ in range(60):
            if random.random() < 0.15:
                position = random.choice((0, random.randrange(file_size)))
            position %= file_size
            nr_bytes = random.choice((1, 512, 2048, 4096, 4096, 16384, 65536))
            reads.append([position, nr_bytes])
            position += nr_bytes
        params = {
            "file_size": file_size,
            "max_readahead_pages": random.choice((0, 1, 3, 18, 31)),
            "min_readahead_pages": random.choice((0, 1, 3)),
            "completion": random.choice(("instant", "fifo", "all")),
        }
        script = {"name": "random", "params": params, "reads": reads}
        check(readahead, generation, "ra-1", script)
