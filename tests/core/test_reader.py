"""read(): what happens where memory is short and where several read one file."""

import pytest

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
    assert state.block_devices[0].measures.slot_sleeps > 0
    assert state.block_devices[0].measures.buffers <= (pages.state > 0).sum()


@pytest.mark.parametrize("threads", [1, 4, 12])
def test_a_cache_smaller_than_the_windows_of_its_readers_still_serves_them(threads: int) -> None:
    """One MiB; pages go again before their readers have come round to them."""
    settings = settings_of(["read"], threads=threads, size_mib=12, ram_mib=25)
    state, pages, *_ = finished(settings)
    assert state.measures.reads["count"] == 12 // threads * threads * 256
    assert state.cache.cached <= state.cache.capacity == 256
    assert state.block_devices[0].measures.buffers >= pages.size
