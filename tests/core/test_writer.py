"""write() and fsync(): what reaches the disk and when, and what a streaming writer takes from readers."""

from typing import Any

import numpy as np
import pytest

from engine.core.kinds import PageState
from engine.core.records import PAGE_SECTORS
from engine.errors import UserError
from engine.layout import lay_out
from engine.resolve import resolve
from engine.simulate import simulate

from .machines import finished, settings_of

BESIDE = {
    "kernel": "2.4.18",
    "machine": "k6-2",
    "workload": "readers_beside_a_writer",
    "operations": 200,
    "size_mib": 64,
    "ram_mib": 40,  # 16 MiB for pages, so that the writer has to write back before long
}


@pytest.mark.parametrize("kernel", ["2.2.17", "2.4.0", "2.4.18", "2.4.19", "2.4.22", "2.5.39"])
@pytest.mark.parametrize("free_mib", [3, 64])
def test_when_fsync_returns_all_of_the_file_is_on_the_disk(kernel: str, free_mib: int) -> None:
    """Whether it fits in the cache or was written back before."""
    program = ["write", "fsync"]
    settings = settings_of(program, created=True, kernel=kernel, size_mib=6, ram_mib=24 + free_mib)
    state, pages, *_ = finished(settings)
    assert not pages.dirty.any()
    assert not pages.writing.any()
    assert state.measures.completed_sectors == pages.size * PAGE_SECTORS
    assert state.queue.length == 0


def test_fsync_leaves_the_pages_of_other_files_dirty() -> None:
    """Of two files, the second is written and then the first synchronised."""
    files = {"pair": {"count": 2, "mib": 1, "created": True}}
    opened = {"open": {"files": "pair"}}
    program = [opened, "write", opened, "write", opened, "fsync"]
    settings = settings_of(program, files=files)
    _, pages, files, pieces, *_ = finished(settings)
    first, second = (pieces[file.first_piece] for file in files)
    assert not pages.dirty[first : first + 256].any()
    assert pages.dirty[second : second + 256].all()


def test_without_fsync_a_small_file_stays_in_the_cache() -> None:
    state, pages, *_ = finished(settings_of(["write"], created=True, size_mib=6))
    assert pages.dirty.all()
    assert state.measures.buffers == 0


def test_what_was_not_written_back_in_30_s_is_then() -> None:
    """kupdate looks every 5 s: 30 s after the writing it is on its way, at 25 s it is not."""
    for seconds, dirty in ((25, True), (36, False)):
        program = ["write", {"pause": {"ms": 1000 * seconds}}]
        _, pages, *_ = finished(settings_of(program, created=True, size_mib=2))
        assert pages.dirty.all() == pages.dirty.any() == dirty


@pytest.mark.parametrize(
    ("call_bytes", "created", "reads"),
    [(1024, False, True), (4096, False, False), (1024, True, False)],
)
def test_a_page_written_in_part_is_read_first_if_it_holds_data(
    call_bytes: int, created: bool, reads: bool
) -> None:
    pattern = "sequential" if created else "random"
    write = {"write": {"pattern": pattern, "calls": 60, "call_bytes": call_bytes}}
    state, pages, *_ = finished(settings_of([write], created=created, size_mib=4))
    assert state.measures.writes["count"] == 60
    assert state.measures.buffers == (pages.dirty.sum() if reads else 0)
    assert (state.measures.writes.max_ns > 10**6) == reads


def test_a_page_in_the_cache_is_not_read_again() -> None:
    write = {"write": {"pattern": "random", "calls": 60, "call_bytes": 1024}}
    state, pages, *_ = finished(settings_of(["read", write], size_mib=1))
    assert state.measures.buffers == pages.size
    assert 0 < pages.dirty.sum() <= 60


def test_a_write_that_skips_leaves_a_hole_and_is_one_byte() -> None:
    write = {"write": {"pattern": "skip", "calls": 30, "call_bytes": 5000}}
    state, pages, files, *_ = finished(settings_of([write], created=True, size_mib=1))
    assert state.measures.writes.bytes == 30
    assert 30 <= files[0].bytes <= 30 * 5000
    assert 1 < pages.dirty.sum() <= 30


def test_appended_records_fill_the_file_byte_by_byte() -> None:
    write = {"write": {"pattern": "append", "calls": 20, "call_bytes": 4090}}
    state, pages, files, *_ = finished(settings_of([write], created=True, size_mib=1))
    assert state.measures.writes.bytes == files[0].bytes == 20 * 4090
    assert pages.dirty.sum() == -(-20 * 4090 // 4096)


@pytest.mark.parametrize(("reads", "first"), [(1, 0), (5, 8)])
def test_what_was_read_last_is_written_back_in_its_place(reads: int, first: int) -> None:
    """A call is two pages; the reader goes on behind the last one."""
    call = {"call_kib": 8}
    step = [{"read": {"calls": reads} | call}, {"write": {"pattern": "again", "calls": 1} | call}]
    _, pages, *_ = finished(settings_of([{"repeat": {"rounds": 3, "do": step}}], size_mib=1))
    expected = {first + round * 2 * reads + page for round in range(3) for page in (0, 1)}
    assert set(np.flatnonzero(pages.dirty).tolist()) == expected


def test_threads_write_back_what_each_of_them_read_of_a_shared_file() -> None:
    """Nobody writes a page that was not read before, though they share the file's position."""
    step = [
        {"read": {"pattern": "random", "calls": 2}},
        {"write": {"pattern": "again", "calls": 1}},
    ]
    program = [{"open": {"files": "common"}}, {"repeat": {"rounds": 50, "do": step}}]
    alone = {"readahead_pages": 0, "readahead_min_pages": 0, "threads": 4, "size_mib": 4}
    state, pages, *_ = finished(settings_of(program, shared={"common": {"mib": 16}}, **alone))
    there = int((pages.state == PageState.UPTODATE).sum())
    assert state.measures.completed_sectors == there * PAGE_SECTORS
    assert 100 < pages.dirty.sum() <= 200


def test_without_writers_nothing_is_written() -> None:
    row = simulate(BESIDE | {"writers": 0})
    names = [name for name in row if "write_" in name and name != "write_latency"]
    assert {row[name] for name in names} == {0}


def test_a_writer_slows_the_readers_down_and_passovers_bound_by_how_much() -> None:
    alone = simulate(BESIDE | {"writers": 0})["read_p99_ms"]
    few, many = (simulate(BESIDE | {"read_latency": n})["read_p99_ms"] for n in (32, 8192))
    assert 2 * alone < few < many


def test_the_writer_is_at_work_until_the_readers_are_done() -> None:
    row = simulate(BESIDE | {"write_page_us": 20})
    assert row["read_calls"] == 200
    assert row["write_calls"] == 0  # those are of threads a run waits for
    assert row["background_write_mib_s"] * row["duration_s"] > 10
    assert row["background_write_max_ms"] > 100  # it was throttled


def test_a_writer_that_comes_round_finds_its_pages_in_the_cache() -> None:
    """Its file is smaller than what may stay dirty: it never waits, and is never written."""
    row = simulate(BESIDE | {"writer_mib": 1})
    assert row["background_rounds"] > 10
    assert row["background_write_max_ms"] < 100
    assert row["slot_sleeps"] == 0


def test_the_readers_get_the_processor_beside_a_writer_that_never_sleeps() -> None:
    """They wait for a slice at most, and for their page."""
    one, two = (
        simulate(BESIDE | {"writer_mib": 1, "cpus": cpus})["read_mean_ms"] for cpus in (1, 2)
    )
    assert one < two + 2 * 10


def test_writers_files_lie_behind_the_readers() -> None:
    settings = resolve(
        BESIDE | {"writers": 2, "writer_mib": 3, "threads": 3, "allocation_chunk_kib": 0}
    )
    layout = lay_out(settings, np.random.default_rng(0))
    first = layout.pieces[layout.files.first_piece[:5]]
    assert sorted(first[3:].tolist()) == [3 * 21 * 256, 3 * 21 * 256 + 768]
    assert layout.pages == 3 * 21 * 256 + 2 * 768
    assert first[:3].max() < first[3]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"threads": 1000, "size_mib": 2000, "operations": 1000, "writers": 64}, "threads: 1064 of all classes are too many; give at most 1022 together"),
        ({"writers": -1}, "writers: -1 is out of range; give a whole number of threads from 0 to 1021"),
        ({"writer_mib": 0}, "writer_mib: 0 is out of range; give a whole number of MiB from 1 to 65536"),
    ],
)  # fmt: skip
def test_impossible_writers(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=f"^{sentence}$"):
        resolve(BESIDE | values)
