"""The order of the queue as a plain list, and the rules its blocks must keep."""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numba import njit

from engine.core import order
from engine.core.blocks import MERGE_BELOW, MINOR_SHIFT, NO_KEY, NO_SEQUENCE, key_of
from engine.core.jit import KernelCompiler, kernel
from engine.core.limits import REQUEST_LIMIT
from engine.core.queue_records import BLOCK_LIMIT, BLOCK_SLOTS
from engine.core.records import NONE

ANSWERS = 3


class Rule(IntEnum):
    """What can be wrong with the blocks and their directory."""

    NOTHING = 0
    DIRECTORY = 1  # it names every block once, and a block knows where it stands
    COUNTS = 2  # no empty block, and together they hold what the queue is long
    SPARSE = 3  # neighbours hold more than MERGE_BELOW together
    REQUESTS = 4  # each stands once, where it says, under its own key
    LOWEST = 5  # no request of the block has fewer passovers left
    WRITES = 6  # of the block
    ASCENDING = 7  # a block that says so rises strictly
    GAPS = 8  # no pair of neighbours has a gap outside the bounds of its block


def broken_rule(queue: np.record) -> str:
    """Name of the first rule the order breaks, and the position in the directory; empty if none."""
    rule, position = first_breach(queue)
    return "" if rule == Rule.NOTHING else f"{Rule(rule).name} at {position}"


@njit(cache=True, pipeline_class=KernelCompiler)  # makes arrays, which no kernel does
def first_breach(queue):
    """The first rule the order breaks, and the directory's position where it does."""
    if (np.sort(queue.block_at) != np.arange(BLOCK_LIMIT)).any():
        return Rule.DIRECTORY, 0
    stands = np.zeros(REQUEST_LIMIT, np.bool_)
    length = 0
    for position in range(queue.nr_blocks):
        rule = _breach_in_directory(queue, position)
        if rule == Rule.NOTHING:
            rule = _breach_in_block(queue, position, stands)
        if rule == Rule.NOTHING and not _gaps_covered(queue, position):
            rule = Rule.GAPS
        if rule != Rule.NOTHING:
            return rule, position
        length += queue.blocks[queue.block_at[position]].count
    return Rule.NOTHING if length == queue.length else Rule.COUNTS, 0


@kernel
def _breach_in_directory(queue, position):
    block = queue.blocks[queue.block_at[position]]
    if block.position != position:
        return Rule.DIRECTORY
    if not 1 <= block.count <= BLOCK_SLOTS:
        return Rule.COUNTS
    if position + 1 < queue.nr_blocks:
        following = queue.blocks[queue.block_at[position + 1]]
        if block.count + following.count <= MERGE_BELOW:
            return Rule.SPARSE
    return Rule.NOTHING


@kernel
def _breach_in_block(queue, position, stands):
    """Recompute what the directory says of a block; notes in `stands` whom it holds."""
    block = queue.blocks[queue.block_at[position]]
    lowest = np.int64(NO_SEQUENCE)
    writes = 0
    for slot in range(block.count):
        request = block.request[slot]
        entry = queue.requests[request]
        known = block.key[slot] == key_of(np.int64(entry.minor), entry.sector)
        here = entry.block == queue.block_at[position]
        here = here and order.place_of(queue, request) == position * BLOCK_SLOTS + slot
        if stands[request] or not here or not known:
            return Rule.REQUESTS
        stands[request] = True
        lowest = min(lowest, np.int64(block.sequence[slot]) - queue.charged[position])
        writes += entry.is_write
        if block.ascending and slot > 0 and block.key[slot - 1] >= block.key[slot]:
            return Rule.ASCENDING
    if lowest < queue.lowest[position]:
        return Rule.LOWEST
    return Rule.NOTHING if writes == queue.writes[position] else Rule.WRITES


@kernel
def _gaps_covered(queue, position):
    """Whether every gap in the block, and behind its last request, lies within the bounds."""
    low, high = queue.gap_low[position], queue.gap_high[position]
    if low == NONE:
        return high == NO_KEY
    block = queue.blocks[queue.block_at[position]]
    for slot in range(block.count):
        here = block.key[slot]
        if slot + 1 < block.count:
            following = block.key[slot + 1]
        elif position + 1 < queue.nr_blocks:
            following = queue.blocks[queue.block_at[position + 1]].key[0]
        else:
            continue  # nothing lies in between behind the last request
        fold = here >= following or here >> MINOR_SHIFT != following >> MINOR_SHIFT
        if fold or here < low or following > high:
            return False
    return True


class Code(IntEnum):
    """What is done to the order."""

    INSERT = 0
    REMOVE = 1
    CHANGE_SECTOR = 2
    CHANGE_SEQUENCE = 3
    CHARGE = 4
    FIND_GAP = 5
    AT_MOST = 6
    ALL_HAVE = 7


ACTION = np.dtype(
    [
        ("code", np.int64),
        ("index", np.int64),  # from the head; NONE: before it, or nobody
        ("value", np.int64),  # passovers
        ("request", np.int64),
        ("minor", np.int64),
        ("sector", np.int64),
        ("is_write", np.bool_),
    ],
    align=True,
)


@njit(cache=True, pipeline_class=KernelCompiler)
def carry_out(queue, actions, answers, check_every):
    """Do all `actions`; fills `answers` and returns how many went without breaking a rule."""
    for number in range(len(actions)):
        action = actions[number]
        _do(queue, action, answers[number])
        last = number + 1 == len(actions)
        if (last or number % check_every == 0) and first_breach(queue)[0] != Rule.NOTHING:
            return number
    return len(actions)


@kernel
def _do(queue, action, answer):
    place = _place(queue, action.index)
    if action.code == Code.INSERT:
        entry = queue.requests[action.request]
        entry.minor, entry.sector, entry.is_write = action.minor, action.sector, action.is_write
        order.insert_after(queue, place, action.request, action.value)
    elif action.code == Code.REMOVE:
        order.remove(queue, order.request_at(queue, place))
    elif action.code == Code.CHANGE_SECTOR:
        entry = queue.requests[order.request_at(queue, place)]
        entry.sector = action.sector
        order.change_sector(queue, place, action.sector)
    elif action.code == Code.CHANGE_SEQUENCE:
        order.change_sequence(queue, place, action.value)
    elif action.code == Code.CHARGE:
        order.charge_from(queue, place, action.value)
    elif action.code == Code.FIND_GAP:
        found = order.find_gap(queue, action.minor, action.sector, place)
        answer[0] = _index(queue, found)
    elif action.code == Code.ALL_HAVE:
        answer[0] = order.all_have(queue, place, action.value)
    else:
        position = place // BLOCK_SLOTS
        answer[0] = _index(queue, position * BLOCK_SLOTS) + _count(queue, position)
        found = order.position_at_most(queue, action.value, position)
        answer[1] = NONE if found == NONE else _index(queue, found * BLOCK_SLOTS)
        answer[2] = NONE if found == NONE else answer[1] + _count(queue, found)


@kernel
def _count(queue, position):
    return queue.blocks[queue.block_at[position]].count


@kernel
def _place(queue, index):
    """Place of the request at `index` from the head; NONE for NONE."""
    if index == NONE:
        return NONE
    position = 0
    while index >= _count(queue, position):
        index -= _count(queue, position)
        position += 1
    return position * BLOCK_SLOTS + index


@kernel
def _index(queue, place):
    """Index from the head of the request at `place`; NONE for NONE."""
    if place == NONE:
        return NONE
    index = place % BLOCK_SLOTS
    for position in range(place // BLOCK_SLOTS):
        index += _count(queue, position)
    return index


@kernel
def listed(queue, rows):
    """Fill `rows` (length, 5) with request, minor, sector, passovers left and direction, tail first."""
    place = order.last_place(queue)
    number = 0
    while place != NONE:
        request, key = order.request_at(queue, place), order.key_at(queue, place)
        row = rows[number]
        row[0], row[1], row[2] = request, key >> MINOR_SHIFT, key & ((1 << MINOR_SHIFT) - 1)
        row[3], row[4] = order.sequence_at(queue, place), queue.requests[request].is_write
        place = order.previous_place(queue, place)
        number += 1
    return number


@dataclass
class Entry:
    """A request in the list."""

    request: int
    minor: int
    sector: int
    sequence: int
    is_write: bool


@dataclass
class Model:
    """The order as a list from head to tail; keeps what was done to it, for the blocks to repeat."""

    entries: list[Entry] = field(default_factory=list)
    free: list[int] = field(default_factory=lambda: list(range(REQUEST_LIMIT - 1, -1, -1)))
    actions: list[tuple] = field(default_factory=list)
    answers: dict[int, int] = field(default_factory=dict)  # of FIND_GAP, by number of the action
    limits: dict[int, tuple] = field(
        default_factory=dict
    )  # AT_MOST: the limit, everybody's passovers
    bounds: dict[int, bool] = field(default_factory=dict)  # of ALL_HAVE

    def insert(self, index: int, minor: int, sector: int, sequence: int, is_write: bool) -> None:
        """Queue a request directly behind the one at `index`."""
        entry = Entry(self.free.pop(), minor, sector, sequence, is_write)
        self.entries.insert(index + 1, entry)
        self._note(Code.INSERT, index, sequence, entry.request, minor, sector, is_write)

    def remove(self, index: int) -> None:
        """Take the request at `index` out."""
        self.free.append(self.entries.pop(index).request)
        self._note(Code.REMOVE, index)

    def change_sector(self, index: int, sector: int) -> None:
        """Move the start of the request at `index`."""
        self.entries[index].sector = sector
        self._note(Code.CHANGE_SECTOR, index, sector=sector)

    def change_sequence(self, index: int, sequence: int) -> None:
        """Set the passovers of the request at `index`."""
        self.entries[index].sequence = sequence
        self._note(Code.CHANGE_SEQUENCE, index, sequence)

    def charge(self, index: int, passovers: int) -> None:
        """Charge the request at `index` and all behind it; nobody if NONE."""
        for entry in self.entries[index:] if index != NONE else []:
            entry.sequence -= passovers
        self._note(Code.CHARGE, index, passovers)

    def find_gap(self, minor: int, sector: int, end: int) -> None:
        """Ask behind whom `sector` lies in between, nearest the tail and not before `end`."""
        found = [
            i for i in range(end, len(self.entries) - 1) if self._lies_behind(i, minor, sector)
        ]
        self.answers[len(self.actions)] = found[-1] if found else NONE
        self._note(Code.FIND_GAP, end, minor=minor, sector=sector)

    def at_most(self, index: int, limit: int) -> None:
        """Ask for the block nearest the tail, from that of `index` on, with `limit` passovers or fewer."""
        self.limits[len(self.actions)] = limit, [entry.sequence for entry in self.entries]
        self._note(Code.AT_MOST, index, limit)

    def all_have(self, index: int, passovers: int) -> None:
        """Ask whether everybody from `index` on has more than `passovers` left."""
        left = [entry.sequence for entry in self.entries[index:]]
        self.bounds[len(self.actions)] = min(left) > passovers
        self._note(Code.ALL_HAVE, index, passovers)

    def _lies_behind(self, index: int, minor: int, sector: int) -> bool:
        """SPEC 2.5, word for word; `minor` NONE accepts a request of any."""
        a, b = self.entries[index : index + 2]
        if minor not in (NONE, a.minor):
            return False
        if b.minor != a.minor:
            return sector > a.sector
        if a.sector < sector < b.sector:
            return True
        if a.sector < b.sector:
            return False
        return sector > a.sector or sector < b.sector

    def _note(self, code, index, value=0, request=0, minor=0, sector=0, is_write=False) -> None:
        self.actions.append((code, index, value, request, minor, sector, is_write))

    def listed(self) -> list[list[int]]:
        """As the kernel of that name."""
        return [
            [e.request, e.minor, e.sector, e.sequence, int(e.is_write)] for e in self.entries[::-1]
        ]
