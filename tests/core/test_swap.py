"""Memory of processes: when it goes to the swap, in what pieces, and how it comes back."""

import pytest

from engine.build import Machine
from engine.core import page_cache, writeback
from engine.core.kinds import Balance, PageState, Role, Stage, Step
from engine.core.records import PAGE_SECTORS
from engine.core.writer import run_writer
from engine.errors import UserError
from engine.resolve import Settings

from .machines import built, finished, settings_of

FREE_MIB = 4  # 1024 pages for the cache
CLUSTER, TOGETHER = page_cache.SWAP_CLUSTER, 8
TOUCH = {"write": {"call_kib": 4}}


def memory_of(program: list, mib: int, **values) -> Settings:
    """Settings in which each thread runs `program` on memory of its own."""
    files = {"memory": {"mib": mib, "memory": True}}
    one = {"kernel": "2.4.18", "ram_mib": 24 + FREE_MIB, "max_sectors": 256}
    return settings_of(program, files=files, **{**one, **values})


def roles(machine: Machine) -> dict[Role, int]:
    """How many pages have which role."""
    return {role: int((machine.pages.role == role).sum()) for role in Role}


def in_pages(machine: Machine) -> float:
    """What the disk has read and written."""
    return machine.state.block_devices[0].measures.completed_sectors / PAGE_SECTORS


def test_with_enough_memory_nothing_is_read_or_written() -> None:
    """Not after 30 s either, when kupdate takes what is dirty, nor a second time."""
    machine = finished(memory_of([TOUCH, TOUCH, {"pause": {"ms": 60_000}}], mib=FREE_MIB - 1))
    assert machine.state.block_devices[0].measures.buffers == 0
    assert roles(machine)[Role.UNSAVED] == 256 * (FREE_MIB - 1)
    assert machine.state.cache.active == 256 * (FREE_MIB - 1)


def test_it_counts_against_no_limit_of_dirty_pages() -> None:
    machine = built(memory_of([TOUCH], mib=FREE_MIB))
    for block in range(1024):
        page_cache.touch(machine.state, machine.pages, block)
    assert writeback.balance(machine.state) == Balance.NOTHING


def test_what_does_not_fit_goes_to_the_swap_in_clusters() -> None:
    """Two MiB more than there are: so much is written, 32 pages a request, and nothing read."""
    machine = finished(memory_of([TOUCH], mib=FREE_MIB + 2))
    measures = machine.state.block_devices[0].measures
    assert in_pages(machine) == measures.completed * CLUSTER
    assert in_pages(machine) == pytest.approx(512, abs=CLUSTER)
    saved = machine.pages.role == Role.SAVED
    assert saved[: saved.sum()].all()  # what was touched first goes first
    assert roles(machine)[Role.UNSAVED] == 256 * (FREE_MIB + 2) - saved.sum()
    assert machine.state.measures.writes.count == 256 * (FREE_MIB + 2)


def test_touched_again_it_comes_back_eight_pages_at_a_time() -> None:
    """More than there is, over and over: each page is read and written once a round."""
    rounds = [{"repeat": {"rounds": 4, "do": [TOUCH]}}]
    machine = finished(memory_of(rounds, mib=FREE_MIB + 2))
    pages, requests = 256 * (FREE_MIB + 2), machine.state.block_devices[0].measures.completed
    assert in_pages(machine) == pytest.approx(2 * 3 * pages + 512, abs=2 * CLUSTER)
    assert requests == pytest.approx(3 * pages / TOGETHER + (3 * pages + 512) / CLUSTER, rel=0.01)


def machine_with_swapped_out(first: int, count: int) -> Machine:
    """A machine whose thread 0 is about to touch page 12 of its memory, of which so much is on the swap."""
    machine = built(memory_of([TOUCH], mib=1))
    machine.pages.role[first : first + count] = Role.SAVED
    thread = machine.state.threads[0]
    thread.step, thread.stage = 1, Stage.PAGE
    thread.page = thread.last_page = 12
    thread.calls_left = 1
    return machine


@pytest.mark.parametrize(
    ("first", "count", "read"),
    [(0, 256, [8, 9, 10, 11, 13, 14, 15, 12]), (11, 3, [11, 13, 12]), (12, 1, [12]), (0, 12, [])],
)
def test_pages_around_it_that_are_on_the_swap_are_read_first(
    first: int, count: int, read: list[int]
) -> None:
    """Those of the same eight; and memory that nobody has touched needs no reading."""
    machine = machine_with_swapped_out(first, count)
    state, pages, files, pieces, opens, program = machine
    blocks = []
    while (step := run_writer(state, pages, files, pieces, opens, program[1], 0)[0]) == Step.SUBMIT:
        blocks.append(state.threads[0].bio.sector // PAGE_SECTORS)
    assert blocks == read
    assert step == (Step.SLEEP if read else Step.NEXT)
    assert pages[12].role == (Role.SAVED if read else Role.UNSAVED)


def full_of_memory() -> Machine:
    """A machine whose memory is full of a process's, block by block; bdflush sleeps."""
    machine = built(memory_of([TOUCH], mib=FREE_MIB))
    for block in range(1024):
        page_cache.touch(machine.state, machine.pages, block)
    machine.state.cache.bdflush_sleeps = True
    return machine


def saved_by_bdflush(machine: Machine) -> list[int]:
    """The pages that bdflush submits until it sleeps."""
    state, blocks = machine.state, []
    number = int(state.cache.bdflush)
    state.threads[number].stage = Stage.CALL
    while writeback.run_bdflush(state, machine.pages, number)[0] == Step.SUBMIT:
        blocks.append(state.threads[number].bio.sector // PAGE_SECTORS)
    return blocks


def complete_writes(machine: Machine, blocks: list[int]) -> None:
    """As if the disk had written them."""
    for block in blocks:
        device = machine.state.block_devices[0]
        entry = device.queue.requests[0]
        entry.sector, entry.nr_sectors, entry.is_write = block * PAGE_SECTORS, PAGE_SECTORS, True
        page_cache.complete_pages(machine.state, machine.pages, device, entry)


def test_one_cluster_at_a_time_is_on_its_way_to_the_swap() -> None:
    """Who asks for room again waits for that; then its pages are the first to go, and just go."""
    machine = full_of_memory()
    state, pages = machine.state, machine.pages
    assert not page_cache.has_room(state, pages)
    blocks = saved_by_bdflush(machine)
    assert blocks == list(range(CLUSTER))
    assert not page_cache.has_room(state, pages)
    assert saved_by_bdflush(machine) == []
    complete_writes(machine, blocks)
    for block in reversed(blocks):
        assert page_cache.has_room(state, pages)
        assert pages[block].state == PageState.ABSENT
        state.cache.cached += 1  # somebody takes the room
    assert state.cache.swapping == 0
    assert not page_cache.has_room(state, pages)
    assert saved_by_bdflush(machine) == list(range(CLUSTER, 2 * CLUSTER))


def test_what_is_on_the_swap_and_was_not_touched_since_goes_unwritten() -> None:
    """Read back, it is an ordinary clean page; touched, it has to be saved once more."""
    for touched in (False, True):
        machine = full_of_memory()
        state, pages = machine.state, machine.pages
        pages.role = Role.SAVED
        if touched:
            page_cache.touch(state, pages, 0)
            page_cache.use(state, pages, 1)  # so that neither of both is older
        assert page_cache.has_room(state, pages)
        assert saved_by_bdflush(machine) == []
        assert (pages[0].state == PageState.UPTODATE) == touched
        for _ in range(1024 - 3):
            assert page_cache.has_room(state, pages)
            state.cache.cached += 1
        assert pages[0].role == (Role.UNSAVED if touched else Role.SAVED)


def test_what_is_touched_while_it_is_being_saved_stays() -> None:
    machine = full_of_memory()
    assert not page_cache.has_room(machine.state, machine.pages)
    blocks = saved_by_bdflush(machine)
    page_cache.touch(machine.state, machine.pages, 5)
    complete_writes(machine, blocks)
    assert machine.pages[5].role == Role.UNSAVED
    assert machine.pages[5].active
    assert machine.state.cache.swapping == 0
    assert (machine.pages.role[:CLUSTER] == Role.SAVED).sum() == CLUSTER - 1


def test_fsync_saves_all_of_it_once() -> None:
    """As msync() does; what stays in memory and on the disk is not written again."""
    machine = finished(memory_of([TOUCH, "fsync", "fsync"], mib=FREE_MIB - 1))
    assert in_pages(machine) == 256 * (FREE_MIB - 1)
    assert roles(machine)[Role.SAVED] == 256 * (FREE_MIB - 1)
    assert machine.state.cache.cached == 256 * (FREE_MIB - 1)


@pytest.mark.parametrize("mib", [FREE_MIB - 1, FREE_MIB + 2])
def test_memory_that_is_freed_is_as_if_never_touched(mib: int) -> None:
    """A second process with as much reads nothing either; the first may be writing still."""
    once, twice = (
        finished(memory_of([{"repeat": {"rounds": n, "do": [TOUCH, "unlink"]}}], mib=mib))
        for n in (1, 2)
    )
    assert once.state.cache.cached == once.state.cache.writing
    assert in_pages(twice) == pytest.approx(2 * in_pages(once), abs=2 * CLUSTER)
    assert (in_pages(once) == 0) == (mib < FREE_MIB)


@pytest.mark.parametrize("kernel", ["2.0.39", "2.4.0", "2.4.18", "2.4.19", "2.5.39"])
def test_processes_that_touch_more_than_there_is_beside_readers_keep_all_rules(kernel: str) -> None:
    """At random; some pages are used twice, some come back from the swap, some are the file's."""
    random = {"write": {"pattern": "random", "calls": 300, "call_kib": 8}}
    read = {"read": {"pattern": "random", "calls": 50, "call_kib": 16}}
    body = [TOUCH, {"open": {"files": "data"}}, "read", {"open": {"files": "memory"}}, random]
    back = [
        {"open": {"files": "data"}},
        read,
        {"write": {"calls": 20}},
        {"open": {"files": "memory"}},
    ]
    program = [{"repeat": {"rounds": 2, "do": [*body, *back, random, "unlink"]}}]
    files = {"memory": {"mib": 3, "memory": True}, "data": {"mib": 2}}
    machine = finished(settings_of(program, files=files, threads=3, kernel=kernel, ram_mib=30))
    assert in_pages(machine) > 0


def test_threads_that_share_memory_wait_for_each_others_pages() -> None:
    shared = {"memory": {"mib": FREE_MIB + 2, "memory": True}}
    touch = {"write": {"pattern": "random", "calls": 3000, "call_kib": 4}}
    program = [{"open": {"files": "memory"}}, TOUCH, touch]
    one = {"kernel": "2.4.18", "ram_mib": 24 + FREE_MIB, "threads": 4}
    found = roles(finished(settings_of(program, shared=shared, **one)))
    assert found[Role.SAVED] + found[Role.UNSAVED] == 256 * (FREE_MIB + 2)


def test_memory_takes_the_place_of_cached_files() -> None:
    """A file that is read again after a process has filled memory comes from the disk again."""
    files = {"data": {"mib": 2}, "memory": {"mib": FREE_MIB + 1, "memory": True}}
    touch = [{"open": {"files": "memory"}}, TOUCH]
    requests = []
    for between in ([], touch):
        program = ["read", *between, {"open": {"files": "data"}}, "read"]
        machine = finished(settings_of(program, files=files, kernel="2.4.18", ram_mib=28))
        requests.append(in_pages(machine))
    assert requests[0] == 512
    assert requests[1] > 1024


def test_memory_is_not_read() -> None:
    with pytest.raises(UserError, match=r"'memory' is memory, which `write` touches; put that"):
        memory_of(["read"], mib=1)
