"""read(): what happens where memory is short and where several read one file."""

from dataclasses import replace

import pytest

from engine.workload import plan_of

from .machines import finished, settings_of

FEW_SLOTS = {"queue_size": 2, "kernel": "2.4.19"}  # and a driver that keeps them until the end


@pytest.mark.parametrize("pattern", ["sequential", "random"])
def test_who_slept_for_a_slot_reads_no_page_that_came_meanwhile(pattern: str) -> None:
    """Six threads read the same files; pages are read once only, and lists stay whole."""
    opened = {"open": {"files": "few", "order": pattern.replace("sequential", "next")}}
    program = [{"repeat": {"rounds": 2, "do": [opened, {"read": {"call_kib": 4}}]}}]
    shared = {"few": {"count": 3, "kib": 256}}
    settings = settings_of(program, shared=shared, threads=6, size_mib=6, **FEW_SLOTS)
    state, pages, *_ = finished(settings)
    assert state.measures.slot_sleeps > 0
    assert state.measures.buffers <= (pages.state > 0).sum()


@pytest.mark.parametrize("threads", [1, 4, 12])
def test_a_cache_smaller_than_the_windows_of_its_readers_still_serves_them(threads: int) -> None:
    """One MiB; pages go again before their readers have come round to them."""
    settings = settings_of(["read"], threads=threads, size_mib=12, ram_mib=25)
    state, pages, *_ = finished(settings)
    assert state.measures.reads["count"] == 12 // threads * threads * 256
    assert state.cache.cached <= state.cache.capacity == 256
    assert state.measures.buffers >= pages.size


def test_each_thread_reads_on_where_it_was() -> None:
    """Three read the first quarter of one file: the second half stays unread, whatever is read ahead."""
    opened = {"open": {"files": "one"}}
    program = [opened, {"read": {"call_kib": 4, "calls": 128}}]
    settings = settings_of(program, shared={"one": {"mib": 2}}, threads=3, size_mib=3)
    state, pages, files, pieces, opens, _ = finished(settings)
    assert state.measures.reads["count"] == 3 * 128
    assert [opens[state.threads[number].opened].position for number in range(3)] == [2**19] * 3
    start = pieces[files[-1].first_piece]
    assert not pages.state[start + 256 : start + 512].any()


def test_each_thread_looks_ahead_by_itself() -> None:
    """One reads a file through, another jumps about in it: the stream's windows stay as long."""
    settings = settings_of(["read"], size_mib=1)
    files = {"one": {"mib": 8}}
    opened = {"open": {"files": "one"}}
    jumps = {
        "repeat": {"do": [{"read": {"pattern": "random", "calls": 1}}, {"compute": {"ms": 1}}]}
    }
    classes = {
        "stream": {"threads": 1, "program": [opened, {"read": {"calls": 1024}}]},
        "jumps": {"threads": 1, "background": True, "program": [opened, jumps]},
    }
    plan = plan_of("of a test", {"files": files, "classes": classes}, settings.values)
    state, _, _, _, opens, _ = finished(replace(settings, plan=plan))
    stream, other = (opens[state.threads[number].opened] for number in range(2))
    assert stream.readahead.window == 64
    assert other.readahead.window < 64
