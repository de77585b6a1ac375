"""The write-back cache alone: when a write is done, what the media do behind it, and what comes first."""

from itertools import pairwise

import numpy as np
import pytest

from engine.core.devices import on_media_ns, serve
from engine.core.devices.geometry import arc_ns, locate
from engine.core.devices.records import CACHED_RUNS, NONE
from engine.core.devices.write_cache import write_back
from engine.devices import load_device

WRITE, READ = True, False
REQUEST_SECTORS = 256  # 128 KiB
CAPACITY_KIB = 1024
LATER_NS = 10**9  # until all is on the media
FAR = [10_000_000 + number * 2_000_000 for number in range(CACHED_RUNS + 1)]


class Drive:
    """The IDE disk of 2001 with a write cache, asked for one request at a time."""

    def __init__(self, write_cache_kib=CAPACITY_KIB):
        device = load_device("ide_40gb_2001", write_cache_kib=write_cache_kib)
        self.device, self.tables = device.record, device.tables
        self.cache, self.counters = self.device.write_cache, self.device.counters
        self.now_ns = 0

    def ask(self, sector, nr_sectors, is_write):
        """Time of the request, ns; it comes when the last one is done."""
        began_ns = self.now_ns
        arguments = (began_ns, began_ns, sector, nr_sectors, is_write)
        self.now_ns = int(serve(self.device, self.tables, *arguments))
        return self.now_ns - began_ns

    def stream(self, requests, is_write, gap_ns=0):
        """Times of sequential requests from sector 0 on."""
        times = []
        for number in range(requests):
            times.append(self.ask(number * REQUEST_SECTORS, REQUEST_SECTORS, is_write))
            self.now_ns += gap_ns
        return times

    def wait(self, time_ns=LATER_NS):
        self.now_ns += time_ns
        write_back(self.device, self.tables, self.now_ns)

    def cached(self):
        """The runs, oldest first: (sector, sectors)."""
        runs = zip(self.cache.run_sector, self.cache.run_length, strict=True)
        return [(int(sector), int(length)) for sector, length in runs][: self.cache.runs]

    def bus_ns(self, nr_sectors):
        """What a write costs that is done when the drive has its data."""
        mechanics = self.device.mechanics
        return mechanics.write_overhead_ns[0] + nr_sectors * mechanics.write_bus_ns


@pytest.fixture
def drive():
    return Drive()


def test_a_write_is_done_when_the_drive_has_its_data(drive):
    drive.now_ns = 5 * LATER_NS
    for sector in FAR[:CACHED_RUNS]:
        assert drive.ask(sector, 8, WRITE) == drive.bus_ns(8)
    assert (drive.counters.sectors, drive.cached()[-1]) == (CACHED_RUNS * 8, (FAR[15], 8))


def test_the_media_begin_with_no_data_before_the_drive_has_them(drive):
    drive.now_ns = LATER_NS
    drive.ask(FAR[0], 8, WRITE)
    assert drive.cache.media_ns == drive.now_ns
    assert drive.counters.transfer_ns == 0


def test_a_sequential_stream_is_written_as_fast_as_it_is_read():
    written, read, through = Drive(), Drive(), Drive(write_cache_kib=0)
    times = through.stream(1000, WRITE, gap_ns=200_000)
    assert min(times[1:]) > through.device.mechanics.revolution_ns
    written.stream(1000, WRITE, gap_ns=200_000)
    read.stream(1000, READ, gap_ns=200_000)
    while written.cache.runs:
        written.wait(1_000_000)
    assert written.cache.media_ns == pytest.approx(read.now_ns, rel=0.005)
    assert written.counters.rotation_ns < 0.02 * written.cache.media_ns


def test_a_full_cache_makes_a_write_wait_for_room_and_no_longer(drive):
    fits = CAPACITY_KIB * 2 // REQUEST_SECTORS
    drive.device.cylinder = drive.device.mechanics.zones[0].first_cylinder + 20_000  # far away
    times = drive.stream(fits + 1, WRITE)
    assert set(times[:-1]) == {drive.bus_ns(REQUEST_SECTORS)}
    assert times[-1] > 2 * drive.bus_ns(REQUEST_SECTORS)
    track_sectors = int(drive.device.mechanics.zones[0].sectors_per_track)
    assert 2 * CAPACITY_KIB - track_sectors < drive.cache.sectors <= 2 * CAPACITY_KIB


def test_a_run_too_many_waits_for_the_oldest(drive):
    times = []
    for number in range(3 * CACHED_RUNS):
        times.append(drive.ask(number % 2 * FAR[0] + number * 1000, 8, WRITE))
        assert len(drive.cached()) <= CACHED_RUNS
    assert set(times[:CACHED_RUNS]) == {drive.bus_ns(8)}
    assert times[-1] > drive.bus_ns(8)
    assert len(drive.cached()) == CACHED_RUNS


def test_a_write_larger_than_the_cache_gets_done():
    drive = Drive(write_cache_kib=4)
    drive.ask(0, REQUEST_SECTORS, WRITE)
    assert drive.cache.sectors <= 8


def test_only_what_continues_the_newest_run_lengthens_it(drive):
    for sector in (0, FAR[0], FAR[0] + 8, FAR[1], FAR[0] + 16):  # the first is being written
        drive.ask(sector, 8, WRITE)
    assert drive.cached() == [(FAR[0], 16), (FAR[1], 8), (FAR[0] + 16, 8)]


def test_a_read_that_comes_at_once_goes_before_cached_writes(drive):
    alone = Drive()
    drive.ask(FAR[0], 2000, WRITE)
    alone.now_ns = drive.now_ns
    assert drive.ask(1_000_000, 8, READ) == alone.ask(1_000_000, 8, READ)
    assert drive.cached() == [(FAR[0], 2000)]


def test_a_read_waits_for_the_track_being_written_and_not_for_the_rest(drive):
    drive.ask(FAR[0], 8, WRITE)
    drive.ask(FAR[1], 8, WRITE)
    drive.now_ns += 1
    write_back(drive.device, drive.tables, drive.now_ns)
    on_media_ns = int(drive.cache.media_ns)
    assert drive.cached() == [(FAR[1], 8)]
    drive.ask(FAR[2], 8, READ)
    assert drive.now_ns > on_media_ns + 1_000_000
    assert drive.cached() == [(FAR[1], 8)]
    assert drive.counters.seeks == 2


def test_read_ahead_goes_before_cached_writes_until_its_buffer_is_full(drive):
    drive.ask(FAR[0], 8, WRITE)
    times = [drive.ask(number * 256, 256, READ) for number in range(100)]
    assert drive.cached() == [(FAR[0], 8)]
    assert drive.device.track_buffer.head_sector != NONE
    drive.wait()
    assert drive.cached() == []
    place = locate(drive.device.mechanics, drive.tables, FAR[0])
    assert drive.device.cylinder == place.cylinder
    hit_ns = drive.device.mechanics.hit_overhead_ns[0] + 256 * drive.device.mechanics.read_bus_ns
    assert drive.ask(100 * 256, 256, READ) == hit_ns < max(times[2:])


def until_the_buffer_is_full(sectors):
    """A drive that cached a write far away, has read ahead and begun to write; and since when, ns."""
    drive = Drive()
    drive.ask(FAR[0], sectors, WRITE)
    began_ns = drive.now_ns + drive.ask(0, 8, READ)
    while drive.cached() == [(FAR[0], sectors)]:
        drive.wait(1_000_000)
    return drive, drive.now_ns - began_ns


def test_the_media_are_followed_in_one_go_as_in_steps(drive):
    stepped, time_ns = until_the_buffer_is_full(8)
    drive.ask(FAR[0], 8, WRITE)
    drive.ask(0, 8, READ)
    drive.wait(time_ns)
    assert drive.now_ns == stepped.now_ns < drive.cache.media_ns == stepped.cache.media_ns


def test_read_ahead_goes_on_when_the_head_is_back():
    """Meanwhile the host has what is in the buffer."""
    drive, time_ns = until_the_buffer_is_full(2000)
    assert time_ns > 4096 * drive.device.mechanics.revolution_ns / 668
    on_media_ns = int(drive.cache.media_ns)
    assert drive.ask(8, 8, READ) < 1_000_000
    drive.ask(8 + int(drive.device.track_buffer.sectors), 8, READ)
    assert drive.now_ns > on_media_ns + 1_000_000
    assert drive.cached()


def test_a_write_ends_read_ahead(drive):
    drive.ask(0, 8, READ)
    drive.ask(FAR[0], 8, WRITE)
    drive.wait(1)
    assert drive.cached() == []
    drive.wait()
    assert drive.ask(8, 8, READ) > 1_000_000


def test_a_read_of_cached_sectors_ends_read_ahead(drive):
    """They pass under the head twice."""
    drive.ask(300, 8, WRITE)
    drive.ask(0, 8, READ)
    drive.now_ns += 5_000_000  # the head has passed them
    assert drive.ask(300, 8, READ) > drive.device.mechanics.revolution_ns


def test_only_what_the_media_do_from_a_phase_on_counts(drive):
    """Cached writes are followed with the next request; by then they may have been written long before."""
    whole = Drive()
    for each in (whole, drive):
        for sector in FAR[:4]:
            each.ask(sector, 8, WRITE)
    while whole.cache.runs:
        whole.wait(100_000)
    drive.counters.since_ns = int(whole.cache.media_ns) - 3_000_000
    counters = drive.counters
    before_ns = on_media_ns(counters)
    drive.wait()
    assert on_media_ns(counters) == before_ns + 3_000_000
    assert counters.seeks < whole.counters.seeks == 4


def test_idle_time_is_not_busy(drive):
    drive.ask(FAR[0], 8, WRITE)
    drive.now_ns += LATER_NS
    drive.ask(FAR[0], 8, READ)
    assert drive.counters.busy_ns < 0.1 * LATER_NS


def test_a_read_of_cached_sectors_waits_until_they_are_on_the_media(drive):
    for sector in FAR[:4]:
        drive.ask(sector, 8, WRITE)
    drive.ask(FAR[1] + 4, 8, READ)
    assert drive.cached() == [(sector, 8) for sector in FAR[2:4]]
    for missed in (FAR[2] - 8, FAR[2] + 8):
        drive.ask(missed, 8, READ)
    assert drive.cached() == [(sector, 8) for sector in FAR[2:4]]


def requests(seed, count=300):
    """Some sequential, some not: sector, sectors."""
    random = np.random.default_rng(seed)
    sector = 0
    for _ in range(count):
        if random.random() < 0.3:
            sector = int(random.integers(0, 70_000_000))
        nr_sectors = int(random.integers(1, 300))
        yield sector, nr_sectors, int(random.integers(0, 8_000_000)), bool(random.random() < 0.6)
        sector += nr_sectors


def test_what_goes_in_is_on_the_media_or_cached(drive):
    """The time of all sectors under the head tells how many were written: arcs add up exactly."""
    mechanics = drive.device.mechanics
    given, given_ns = 0, 0
    for sector, nr_sectors, gap_ns, _ in requests(1):
        drive.now_ns += gap_ns
        drive.ask(sector, nr_sectors, WRITE)
        given += nr_sectors
        given_ns += passing_ns(drive, sector, nr_sectors)
        cached_ns = sum(passing_ns(drive, *run) for run in drive.cached())
        assert drive.cache.sectors == sum(length for _, length in drive.cached())
        assert drive.cache.sectors <= 2 * CAPACITY_KIB
        assert drive.counters.transfer_ns == given_ns - cached_ns
    assert drive.counters.sectors == given
    assert mechanics.revolution_ns < drive.counters.transfer_ns < given_ns
    drive.wait()
    assert (drive.cache.sectors, drive.counters.transfer_ns) == (0, given_ns)


def passing_ns(drive, sector, nr_sectors):
    """How long sectors take to pass under the head, ns."""
    time_ns = 0
    while nr_sectors:
        place = locate(drive.device.mechanics, drive.tables, sector)
        piece = min(nr_sectors, place.contiguous)
        time_ns += arc_ns(drive.device.mechanics.zones[place.zone], place.angle, piece)
        sector, nr_sectors = sector + piece, nr_sectors - piece
    return time_ns


@pytest.mark.parametrize("seed", range(4))
def test_busy_is_the_sum_of_its_parts_and_no_time_counts_twice(drive, seed):
    seen = [(0, 0)]
    for sector, nr_sectors, gap_ns, is_write in requests(seed):
        drive.now_ns += gap_ns
        drive.ask(sector, nr_sectors, is_write)
        counters = drive.counters
        on_media_ns = counters.seek_ns + counters.rotation_ns + counters.transfer_ns
        assert counters.busy_ns == counters.overhead_ns + on_media_ns
        assert counters.overhead_ns >= 0
        seen.append((int(drive.cache.media_ns), int(counters.busy_ns)))
    for (from_ns, busy_before_ns), (until_ns, busy_ns) in pairwise(seen):
        assert 0 <= busy_ns - busy_before_ns <= until_ns - from_ns
