"""Whether a simulated wall agrees with a published one.

Both are known only to the thread counts somebody tested, so both are intervals (last good, first
starving], and they agree where these overlap. The trees of 2002 were tested at powers of two.

A published number has two readings. The mail with the table says that threads *above* the number
starve (`LAST_GOOD`). Later mails of the thread contradict it: the longest wait of every mainline kernel
is at most 1.7 s at 16 threads and at least 137 s at 32, of every ac kernel below 5 s at 64 and at least
200 s at 128, while their walls are given as 32 and 128. There the number itself starves
(`FIRST_STARVING`), which is also what `latency_wall` returns and so the reading that counts.
"""

from collections.abc import Iterable
from enum import Enum
from math import inf

from engine.metrics.wall import Wall


class Reading(Enum):
    """What a published wall says about the thread count it names."""

    FIRST_STARVING = "it starves, the next smaller count tested did not"
    LAST_GOOD = "it is still good, the next larger count tested was not"


def agreement(wall: Wall, published: Iterable[str], reading: Reading) -> str:
    """`yes`, `no`, `not tested` (the sweep ends before it could tell) or `not published`.

    `published` are walls as printed (`32`, or `>128` for none up to 128); one that agrees suffices,
    because the mails themselves differ by a step for one tree.
    """
    verdicts = [_verdict(wall, _published_interval(text, reading)) for text in published]
    if not verdicts:
        return "not published"
    return next(verdict for verdict in ("yes", "not tested", "no") if verdict in verdicts)


def _verdict(wall: Wall, published: tuple[float, float]) -> str:
    above = wall.threads_before or 0
    up_to = wall.threads_after or inf
    if above >= published[1] or up_to <= published[0]:
        return "no"
    one_sided = wall.threads is None
    inside = published[0] <= above and up_to <= published[1]
    return "not tested" if one_sided and not inside else "yes"


def _published_interval(text: str, reading: Reading) -> tuple[float, float]:
    """(above, up to] in threads within which the published wall lies."""
    threads = int(text.lstrip(">"))
    if text.startswith(">"):
        return threads, inf
    if reading is Reading.FIRST_STARVING:
        return threads / 2, threads
    return threads, threads * 2
