"""Opening reads a name and an inode, once for all that share the pages; making and unlinking dirties both."""

import numpy as np
import pytest

from engine.build import Machine

from .machines import finished, settings_of

FEW = {"many": {"count": 40, "kib": 8}}
NEW = {"many": {"count": 40, "kib": 8, "created": True}}
OPEN = {"open": {"files": "many"}}


def run(program: list, files: dict, **values) -> Machine:
    return finished(settings_of(program, files=files, **values))


def described(machine: Machine) -> tuple[list[int], list[int]]:
    """The pages of inodes and those of names."""
    return np.unique(machine.files.inode_page).tolist(), np.unique(
        machine.files.names_page
    ).tolist()


@pytest.mark.parametrize(("opened", "reads"), [(1, 2), (32, 2), (33, 3), (80, 3)])
def test_open_reads_name_and_inode_once_for_all_that_share_them(opened: int, reads: int) -> None:
    machine = run([{"repeat": {"rounds": opened, "do": [OPEN]}}], FEW)
    inodes, names = described(machine)
    assert (len(inodes), len(names)) == (2, 1)
    assert (
        machine.state.block_devices[0].measures.buffers
        == machine.state.block_devices[0].measures.completed
        == reads
    )
    cached = np.flatnonzero(machine.pages.state)
    assert cached.tolist() == sorted([*inodes[: reads - 1], *names])
    assert not machine.pages.dirty.any()


def test_one_read_waits_for_the_other() -> None:
    """The inode is not known before the name is: never two requests at once."""
    state = run([OPEN], FEW).state
    assert (
        state.block_devices[0].measures.completed,
        state.block_devices[0].measures.length_max,
    ) == (2, 1)
    assert state.measures.page_waits == 2
    assert state.measures.reads["count"] == 0


def test_threads_that_open_at_once_share_the_read() -> None:
    """Of a shared set: who comes second waits for the same page."""
    shared = {"many": {"count": 20, "kib": 8}}
    opens = {"repeat": {"rounds": 20, "do": [OPEN]}}
    settings = settings_of([opens], shared=shared, threads=5, size_mib=5)
    assert finished(settings).state.block_devices[0].measures.completed == 2


def test_what_was_evicted_is_read_again() -> None:
    """3 MiB of files go through 2 MiB of memory."""
    files = {"many": {"count": 3, "mib": 1}, "big": {"mib": 3}}
    program = [OPEN, {"open": {"files": "big"}}, "read", OPEN]
    machine = run(program, files, ram_mib=26)
    assert machine.state.measures.reads["count"] == 3 * 256
    in_cache = run(program, files, ram_mib=64).state.block_devices[0].measures.completed
    assert machine.state.block_devices[0].measures.completed == in_cache + 2


@pytest.mark.parametrize(
    ("program", "files", "inode", "name"),
    [
        ([OPEN, "write"], NEW, True, True),  # a file is made
        ([OPEN, "write"], FEW, True, False),  # written to
        ([OPEN, {"write": {"calls": 1, "pattern": "append"}}], FEW, True, False),
        ([OPEN, "unlink"], FEW, True, True),
        ([OPEN, "unlink"], NEW, False, False),  # there is nothing
        ([OPEN, "read"], FEW, False, False),
    ],
)
def test_who_dirties_what(program: list, files: dict, inode: bool, name: bool) -> None:
    machine = run(program, files)
    dirty = machine.pages.dirty
    assert dirty[machine.files.inode_page[0]] == inode
    assert dirty[machine.files.names_page[0]] == name
    assert not dirty[machine.files.inode_page[32]]


def test_a_file_that_was_never_opened_is_known_but_its_inode_is_not() -> None:
    """Threads begin with their first file open; to write to it they need its inode all the same."""
    machine = run([{"write": {"calls": 1}}], FEW)
    assert machine.state.block_devices[0].measures.completed == 1
    assert machine.pages.dirty[machine.files.inode_page[0]]


def test_dirty_inodes_go_with_kupdate() -> None:
    machine = run([OPEN, "unlink", {"pause": {"ms": 41_000}}], FEW)
    assert not machine.pages.dirty.any()
    assert machine.state.block_devices[0].measures.completed == 2 + 2  # two read, two written


def test_fsync_writes_the_inode_too() -> None:
    machine = run([OPEN, "write", "fsync"], NEW)
    dirty = machine.pages.dirty
    assert not dirty[machine.files.inode_page[0]]
    assert dirty[machine.files.names_page[0]]  # nobody asked for that


def test_single_files_cost_nothing_to_open() -> None:
    machine = finished(settings_of(["write"], created=True, size_mib=6))
    assert machine.state.block_devices[0].measures.buffers == 0
    assert machine.pages.dirty.all()
