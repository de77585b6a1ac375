"""Which other generations pass the scripts of a vector file: what the vectors can tell apart."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.conformance import PLAYERS
from engine.conformance.generations import QUEUES, READ_AHEADS, SLEEPS, family
from engine.core.elevators import ELEVATORS

GENERATIONS: dict[int | str, Mapping[str, Any]] = {
    1: QUEUES,
    "wait-1": SLEEPS,
    "ra-1": READ_AHEADS,
}
NOBODY_EXPIRES = 1_000_000  # passovers; what 2.4.0 has
WITHOUT_PLACEMENT = ("g24f", "g24h")  # their max_bomb_segments places reads, 0 turns that off


class Trial(NamedTuple):
    """How many scripts of a file another generation passes."""

    generation: str
    recorded: int  # every result is as recorded
    decided: int  # every decision is, whatever the counters show


def own_generation(document: Mapping[str, Any]) -> str:
    """The name in GENERATIONS of the generation whose results a vector file holds."""
    return family(document["gen"].removeprefix("ra_"))


def trials(document: Mapping[str, Any]) -> list[Trial]:
    """Replay a file's scripts with every other generation of its schema."""
    schema, own = document["schema"], own_generation(document)
    found = []
    for generation in GENERATIONS[schema]:
        if generation != own:
            passed = [_replay(schema, generation, script) for script in document["scripts"]]
            found.append(Trial(generation, *map(sum, zip(*passed, strict=True))))
    return found


def is_one_code(schema: int | str, first: str, second: str) -> bool:
    """Whether the engine has one code and the same constants for two generations."""
    same_code = schema != 1 or ELEVATORS[first] == ELEVATORS[second]
    return same_code and GENERATIONS[schema][first] == GENERATIONS[schema][second]


def settings_off(generation: str) -> dict[str, int]:
    """Settings of a queue with which nobody expires and writes may grow as reads do."""
    bombs = 0 if generation in WITHOUT_PLACEMENT else QUEUES[generation].max_segments
    return {
        "read_latency": NOBODY_EXPIRES,
        "write_latency": NOBODY_EXPIRES,
        "max_bomb_segments": bombs,
    }


def _replay(schema: int | str, generation: str, script: dict[str, Any]) -> tuple[bool, bool]:
    """Whether all results, and all decisions, of a script are those of `generation`.

    Stops at the first decision that is not. Settings that the script does not give are off.
    """
    inputs, results = PLAYERS[schema].steps(script)
    absent = settings_off(generation) if schema == 1 else {}
    play = PLAYERS[schema].Player(generation, absent | script["params"])
    as_recorded = True
    for number, (step, expected) in enumerate(zip(inputs, results, strict=True)):
        actual = play.step(number, step)
        if actual != expected:
            as_recorded = False
            if _decision(schema, actual) != _decision(schema, expected):
                return False, False
    return as_recorded, True


def _decision(schema: int | str, result: Any) -> Any:
    """The part of a result that says what was done, without what was counted meanwhile.

    Of a dump the order of the requests, without their ages; of a step of a pool who got a slot and who
    is runnable; of a read() its pages.
    """
    if schema == "ra-1":
        return result[0]
    if schema == "wait-1":
        return result and [result[0], result[3]]
    if not isinstance(result, dict):
        return result
    return [[row[:-1] for row in result.get(name, [])] for name in ("q", "sr", "sw")]
