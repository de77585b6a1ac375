"""Indirect blocks: where they lie, who reads them first, who changes them, and what becomes of them."""

import numpy as np
import pytest

from engine.build import Machine
from engine.core.block_map import pages_together, place_of
from engine.core.inodes import find_page
from engine.core.kinds import PageState, Role, Step
from engine.core.limits import DIRECT_PAGES
from engine.core.page_cache import begin_write, make_dirty
from engine.core.records import PAGE_SECTORS
from engine.indirect import map_places
from engine.workload import FileSet

from .machines import built, finished, settings_of

FAR_MIB = 4.25  # 1088 pages: two indirect blocks and the double-indirect one
NONE_AHEAD = {"readahead_pages": 0, "readahead_min_pages": 0}


def run(program: list, mib: float = FAR_MIB, **values) -> Machine:
    """One thread with one file of so many MiB, alone on the disk."""
    files = {"file": {"kib": int(mib * 1024), "created": values.pop("created", False)}}
    values = {"block_map": "indirect", "allocation_chunk_kib": 0} | values
    return finished(settings_of(program, files=files, **values))


def of_map(machine: Machine) -> np.ndarray:
    """Which pages are of the map."""
    return np.flatnonzero(machine.pages.role != Role.DATA)


@pytest.mark.parametrize(
    ("pages", "places"),
    [
        (12, []),
        (13, [12]),
        (1036, [12]),
        (1037, [12, 1037, 1038]),
        (2061, [12, 1037, 1038, 2063]),
    ],
)
def test_a_block_of_the_map_lies_in_front_of_what_it_tells_of(pages: int, places: list) -> None:
    assert map_places(pages).tolist() == places
    assert FileSet(1, pages * 4096, mapped=True).places == pages + len(places)


@pytest.mark.parametrize("chunk_kib", [0, 4, 48, 160])
def test_pages_and_map_fill_the_place_of_each_file(chunk_kib: int) -> None:
    values = {"threads": 2, "size_mib": 12, "allocation_chunk_kib": chunk_kib}
    machine = built(settings_of(["read"], block_map="indirect", **values))
    blocks = [*np.flatnonzero(machine.pages.role == Role.METADATA)]
    assert len(blocks) == 2 * 3
    for file in machine.files:
        places = [place_of(file, page) for page in range(file.pages)]
        assert sorted([*places, *map_places(file.pages)]) == list(range(len(places) + 3))
        found = [
            machine.pieces[file.first_piece + place // file.piece_pages] + place % file.piece_pages
            for place in places
        ]
        runs, page = [], 0
        while page < file.pages:
            runs.append(pages_together(file, page))
            assert (np.diff(found[page : page + runs[-1]]) == 1).all()
            page += runs[-1]
        assert chunk_kib > 0 or runs == [12, 1024, 500]
        blocks += found
    assert sorted(blocks) == list(range(machine.pages.size))


def test_a_page_is_read_after_the_blocks_that_tell_of_it() -> None:
    """Pages by chance: first the map, then the page, one at a time, and then from the cache."""
    program = [{"repeat": {"rounds": 20, "do": [{"read": {"calls": 1, "pattern": "random"}}]}}]
    machine = run(program, **NONE_AHEAD)
    read = np.flatnonzero(machine.pages.state == PageState.UPTODATE)
    assert machine.state.block_devices[0].measures.completed == len(read)
    assert machine.state.block_devices[0].measures.length_max == 1
    assert machine.state.measures.page_waits == len(read)
    assert read[read >= DIRECT_PAGES][0] == of_map(machine)[0]


@pytest.mark.parametrize(("kib", "more"), [(48, 0), (52, 1), (4352, 3)])
def test_a_stream_reads_the_map_once(kib: int, more: int) -> None:
    machine, known = (
        run(["read"], mib=kib / 1024, block_map=name) for name in ("indirect", "known")
    )
    assert (
        machine.state.block_devices[0].measures.buffers
        == known.state.block_devices[0].measures.buffers + more
    )
    assert (machine.pages.state[of_map(machine)] == PageState.UPTODATE).all()
    assert machine.pages.active[of_map(machine)].all()


def test_a_window_waits_for_the_map_and_then_goes_on() -> None:
    """What lies in front of the block is read with it; nothing behind it is asked for before."""
    machine = run(["read"], mib=60 / 1024, kernel="2.4.18", call_us=0, page_us=0)
    known = run(["read"], mib=60 / 1024, kernel="2.4.18", call_us=0, page_us=0, block_map="known")
    waits = machine.state.measures.page_waits - known.state.measures.page_waits
    assert waits == 1
    assert machine.state.machine.now_ns > known.state.machine.now_ns


def test_who_makes_a_file_makes_its_map_and_reads_nothing() -> None:
    machine = run(["write"], created=True)
    assert machine.state.block_devices[0].measures.buffers == 0
    assert len(of_map(machine)) == 3
    assert machine.pages.dirty[of_map(machine)].all()


@pytest.mark.parametrize(
    ("page", "reads", "dirties"),
    [
        (12, None, [12]),  # the first that a block tells of: it is made
        (13, 12, [12]),
        (1036, None, [1037, 1038]),
        (1037, 1037, [1038]),
        (2060, 1037, [1037, 2063]),
        (2061, 1037, [2063]),
    ],
)
def test_who_appends_changes_the_blocks_that_tell_of_the_page(
    page: int, reads: int | None, dirties: list
) -> None:
    """`reads` is the first of those that must be read before, none being cached."""
    files = {"file": {"mib": 9}}
    values = {"block_map": "indirect", "allocation_chunk_kib": 0}
    state, pages, files, pieces, *_ = built(settings_of(["write"], files=files, **values))
    files[0].bytes = page * 4096
    given = (state, pages, files[0], pieces, 0, page, True)
    if reads is not None:
        assert find_page(*given) == Step.SUBMIT
        assert state.threads[0].bio.sector == reads * PAGE_SECTORS
        state.cache.cached -= 1
        pages.state = PageState.ABSENT
        for block in np.flatnonzero(pages.role == Role.METADATA):
            make_dirty(state, pages, block)
            begin_write(state, pages, 0, block)  # cached, and no longer dirty
    assert find_page(*given) == Step.NEXT
    assert np.flatnonzero(pages.dirty).tolist() == dirties


def test_who_writes_over_a_page_reads_the_map_and_leaves_it_as_it_is() -> None:
    machine = run([{"write": {"calls": 20}}])
    assert machine.state.block_devices[0].measures.completed == 1
    assert machine.pages.state[of_map(machine)].tolist() == [PageState.UPTODATE, 0, 0]
    assert not machine.pages.dirty[of_map(machine)].any()


def test_fsync_writes_the_map_too() -> None:
    machine = run(["write", "fsync"], created=True)
    assert not machine.pages.dirty.any()


@pytest.mark.parametrize("filesystem", ["ext2", "ext3"])
def test_unlink_reads_the_map_and_drops_it(filesystem: str) -> None:
    machine = run(["unlink"], filesystem=filesystem)
    assert machine.state.block_devices[0].measures.completed == 3
    assert (machine.pages.state == PageState.ABSENT).all()


@pytest.mark.parametrize("end", [["fsync"], ["unlink"]])
def test_with_a_journal_the_map_belongs_to_the_transaction(end: list) -> None:
    """The log: a descriptor, three blocks of the map and one for the inode of a single file; the seal."""
    values = {"filesystem": "ext3", "write_page_us": 1, "call_us": 0, "created": True}
    machine = run([{"pause": {"ms": 20}}, "write", *end], **values)
    state, pages = machine.state, machine.pages
    assert state.journal.held["count"].sum() == 0
    if end == ["fsync"]:
        assert state.journal.head == 1 + 3 + 1 + 1
        assert pages.dirty[of_map(machine)].all()  # where they belong, later
        assert pages.dirty.sum() == 3
    else:
        assert (pages.state == PageState.ABSENT).all()
        assert (pages.role[of_map(machine)] == Role.METADATA).all()
