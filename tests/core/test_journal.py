"""The journal: what a commit writes and in which order, who waits for it, and what is held back until then."""

from dataclasses import replace

import numpy as np
import pytest

from engine.build import Machine
from engine.core import journal, page_cache
from engine.core.kinds import Role, Stage, Step
from engine.core.loop import run as run_loop
from engine.devices import load_device
from engine.layout import JOURNAL_PAGES
from engine.workload import plan_of

from .machines import built, finished, settings_of

NEW = {"many": {"count": 40, "kib": 8, "created": True}}
OPEN = {"open": {"files": "many"}}
FIRST = {"pause": {"ms": 20}}  # kupdate asks for a commit at 10 ms for the first time
MAKE_40 = {"repeat": {"rounds": 40, "do": [OPEN, "write"]}}
JOURNALLED = pytest.mark.parametrize("filesystem", ["ext3", "reiserfs"])


def run(program: list, files: dict | None = None, filesystem: str = "ext3", **values) -> Machine:
    created = {"created": True} if files is None else {"files": files}
    return finished(settings_of(program, filesystem=filesystem, **created, **values))


def at(ms: int, filesystem: str) -> Machine:
    """What there is after so many ms, when two files have been written and the second synchronised."""
    settings = settings_of(["read"], filesystem=filesystem, size_mib=1)
    files = {"a": {"kib": 64, "created": True}, "many": {"count": 2, "kib": 64, "created": True}}
    program = [FIRST, "write", OPEN, "write", "fsync"]
    classes = {
        "clock": {"threads": 1, "program": [{"pause": {"ms": ms}}]},
        "writer": {"threads": 1, "background": True, "files": files, "program": program},
    }
    plan = plan_of("of a test", {"classes": classes}, settings.values)
    return finished(replace(settings, plan=plan))


@JOURNALLED
def test_data_come_before_the_log_and_that_before_the_commit_block(filesystem: str) -> None:
    """Looked at every 2 ms. The log: a descriptor, two files, a page of inodes and one of names."""
    stages = set()
    for ms in range(20, 130, 2):
        state, pages, files, pieces, *_ = at(ms, filesystem)
        head, returned = int(state.journal.head), state.threads[1].stage == Stage.DONE
        synchronised = pieces[files[1].first_piece] + np.arange(16)
        other = pieces[files[0].first_piece] + np.arange(16)
        if head > 0:
            before = [*synchronised, *other] if filesystem == "ext3" else synchronised
            assert not (pages.dirty | pages.writing)[before].any()
        if head == 6:
            assert not pages.writing[:5].any()
        assert returned == (state.journal.committed == 1)
        assert not (returned and pages.writing[:6].any())
        described = [files[1].inode_page, files[1].names_page]
        in_place = state.journal.committed == 0 and pages.writing[described].any()
        assert not in_place
        assert set(pages.role[described]) <= ({Role.METADATA} if returned else {1, Role.HELD_ODD})
        if returned:
            assert pages.dirty[described].all()
            assert pages.dirty[other].all() == (filesystem == "reiserfs")
        stages.add((head, bool(returned)))
    assert {(0, False), (5, False), (6, False), (6, True)} <= stages


def test_a_commit_every_5_s_if_there_is_something_to_commit() -> None:
    for ms, head, committed in ((4900, 0, 0), (5300, 3, 1), (15_300, 3, 1)):
        state, pages, *_ = run([FIRST, "write", {"pause": {"ms": ms}}], size_mib=1)
        assert (state.journal.head, state.journal.committed) == (head, committed)
        assert pages.dirty.any() == (head == 0)


@JOURNALLED
@pytest.mark.parametrize(("kib", "maps"), [(8, 0), (48, 0), (52, 40)])
def test_what_a_commit_writes(filesystem: str, kib: int, maps: int) -> None:
    """A descriptor, the maps of 40 files' blocks, two pages of inodes, one of names, and the commit block."""
    machine = run([FIRST, MAKE_40, "fsync"], {"many": NEW["many"] | {"kib": kib}}, filesystem)
    assert (machine.state.journal.head, machine.state.journal.committed) == (5 + maps, 1)
    data = kib // 4 * (40 if filesystem == "ext3" else 1)  # else those of the last file alone
    reads = machine.state.measures.completed_sectors // 8 - 5 - maps - data
    assert reads == 3
    assert not machine.pages.state[:JOURNAL_PAGES].any()  # the log does not stay in memory


def test_ext2_has_no_journal() -> None:
    state, pages, files, _, _, program = run([FIRST, MAKE_40, "fsync"], NEW, "ext2")
    assert (state.journal.pages, state.journal.head, state.machine.threads) == (0, 0, 1 + 2)
    assert pages.size == 80 + 3
    assert set(pages.role[files.inode_page]) == {Role.METADATA}
    with_journal = run([FIRST, MAKE_40, "fsync"], NEW, "ext3")
    assert (with_journal.state.machine.threads, with_journal.program.size) == (4, program.size + 2)
    assert with_journal.pages.size == JOURNAL_PAGES + 80 + 3


def test_who_has_changed_nothing_waits_for_nothing() -> None:
    state = run(["read", "fsync"], {"old": {"mib": 1}}).state
    assert (state.journal.head, state.journal.committed) == (0, 0)


def test_unlink_alone_is_committed() -> None:
    old = {"many": {"count": 4, "kib": 8}}
    state = run([FIRST, OPEN, "unlink", {"pause": {"ms": 5300}}], old).state
    assert (state.journal.head, state.journal.committed) == (4, 1)


def test_the_log_is_a_ring() -> None:
    """Ten commits of three blocks each, the second around the end."""
    program = [FIRST, {"repeat": {"rounds": 10, "do": ["write", "fsync"]}}]
    settings = settings_of(program, created=True, size_mib=1, filesystem="ext3")
    machine = built(settings)
    machine.state.journal.head = machine.state.journal.since = JOURNAL_PAGES - 5
    with np.errstate(over="ignore"):
        assert run_loop(*machine, load_device(settings["disk"]).tables) == 0
    assert (machine.state.journal.head, machine.state.journal.committed) == (25, 10)


def test_those_who_synchronise_at_once_share_commits() -> None:
    state = run(["write", "fsync"], None, threads=8, size_mib=8).state
    assert 1 < state.journal.committed < 5


def held(machine: Machine) -> list[int]:
    return [int(one.count) for one in machine.state.journal.held]


def test_a_page_changed_while_it_is_committed_belongs_to_the_next_transaction() -> None:
    machine = built(settings_of([OPEN], files=NEW, filesystem="ext3"))
    state, pages = machine.state, machine.pages
    block = int(machine.files.inode_page[0])
    page_cache.hold_back(state, pages, block)
    page_cache.hold_back(state, pages, block)
    assert (held(machine), pages.role[block], state.cache.dirty) == ([0, 1], Role.HELD_ODD, 0)
    state.journal.running = 2  # the commit begins
    page_cache.hold_back(state, pages, block)
    assert (held(machine), pages.role[block]) == ([1, 0], Role.HELD)
    state.journal.committed = 1
    page_cache.let_go(state, pages)
    assert (held(machine), state.cache.dirty) == ([1, 0], 0)
    state.journal.committed = 2
    page_cache.let_go(state, pages)
    assert (held(machine), state.cache.dirty) == ([0, 0], 1)
    assert pages.role[block] == Role.METADATA
    assert page_cache.oldest_dirty(state, pages) == block


def test_kjournald_leaves_younger_data_alone() -> None:
    """And metadata that were committed before."""
    machine = built(settings_of([OPEN], files=NEW, filesystem="ext3"))
    state, pages, number = machine.state, machine.pages, int(machine.state.journal.kjournald)
    data = int(machine.pieces[machine.files[0].first_piece])
    for ms, block in enumerate((machine.files.inode_page[0], data, data + 1, data + 2)):
        state.machine.now_ns = ms * 10**6
        page_cache.make_dirty(state, pages, block)
    state.machine.now_ns = 2_500_000
    machine.files[0].bytes = 2**20
    journal.note_write(state.journal, machine.files[0])
    journal.ask_for_commit(state)
    state.threads[number].stage = Stage.CALL
    submitted = []
    for _ in range(2):
        assert journal.run_kjournald(state, pages, number) == Step.SUBMIT
        submitted.append(state.threads[number].bio.sector // 8)
    state.machine.now_ns = 10**9
    assert journal.run_kjournald(state, pages, number) == Step.SUBMIT
    assert (submitted, state.threads[number].bio.sector // 8) == ([data, data + 1], 0)
    assert pages.dirty[[machine.files.inode_page[0], data + 2]].all()


def test_kjournald_sleeps_on_until_it_is_asked() -> None:
    machine = built(settings_of([OPEN], files=NEW, filesystem="ext3"))
    state, number = machine.state, int(machine.state.journal.kjournald)
    state.threads[number].stage = Stage.CALL
    machine.files[0].bytes = 2**20
    journal.note_write(state.journal, machine.files[0])
    assert journal.run_kjournald(state, machine.pages, number) == Step.SLEEP
    assert (state.journal.running, state.journal.sleeps) == (1, True)
    journal.ask_for_commit(state)
    assert (state.journal.sleeps, state.scheduler.run_count) == (False, 1)
    assert journal.run_kjournald(state, machine.pages, number) == Step.SUBMIT
    assert state.journal.running == 2


@JOURNALLED
@pytest.mark.parametrize("kernel", ["2.2.17", "2.4.18", "2.4.22", "2.5.39"])
@pytest.mark.parametrize("free_mib", [3, 64])
def test_no_page_is_lost_when_memory_is_short(filesystem: str, kernel: str, free_mib: int) -> None:
    """Three threads make files, read any, synchronise some and unlink all."""
    files = {"many": {"count": 100, "kib": 64, "created": True}}
    look = [{"open": {"files": "many", "order": "random"}}, "read", "fsync"]
    program = [
        {"repeat": {"rounds": 100, "do": [OPEN, "write"]}},
        {"repeat": {"rounds": 50, "do": look}},
        {"repeat": {"rounds": 100, "do": [OPEN, "unlink"]}},
        {"open": {"files": "many"}},
        "write",
        "fsync",
    ]
    values = {"kernel": kernel, "ram_mib": 24 + free_mib, "threads": 3, "size_mib": 3}
    machine = run(program, files, filesystem, **values)
    assert machine.state.journal.committed > 2
    assert not machine.pages.state[:JOURNAL_PAGES].any()
