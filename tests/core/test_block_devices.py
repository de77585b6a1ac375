"""Several disks, each with its own request queue, pool, driver and drive."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from engine.build import Machine
from engine.core import block_devices, page_cache
from engine.core.checks import Breach, find_breach, find_page_breach
from engine.core.limits import BLOCK_DEVICE_LIMIT, DISK_LIMIT
from engine.core.records import NONE, PAGE_SECTORS
from engine.errors import UserError
from engine.layout import JOURNAL_PAGES
from engine.resolve import PAGES_PER_MIB, Settings, resolve
from engine.simulate import simulate_state

from .machines import built, finished, settings_of

MIB = 4
ALL_PAGES = MIB * PAGES_PER_MIB
POINT = {"kernel": "2.4.18", "machine": "k6-2", "cpus": 4}


def on_disk(disk: int, program: list, **values: Any) -> Settings:
    """Settings in which each thread runs `program` on a file of 4 MiB on `disk`."""
    created = any("write" in step for step in program)
    files = {"one": {"mib": MIB, "disk": disk, "created": created}}
    return settings_of(program, files=files, **values)


def side_by_side(path: Path, *classes: dict[str, Any], **values: Any) -> Settings:
    """Settings of a workload whose classes have a thread each, or as many as they say."""
    named = {f"class{number}": {"threads": 1, **one} for number, one in enumerate(classes)}
    document = {
        "title": "of a test",
        "classes": named,
        "values": {"threads": 1, "block_kib": 4, "operations": 100},
    }
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return resolve(POINT | {"workload": str(path)} | values)


def reader(disk: int, threads: int = 1) -> dict[str, Any]:
    """A class that reads a file of 4 MiB each at random places."""
    program = [{"read": {"pattern": "random", "calls": "operations"}}]
    return {"threads": threads, "file": {"mib": MIB, "disk": disk}, "program": program}


def sectors(machine: Machine) -> list[int]:
    """What each disk has read and written."""
    used = machine.state.block_devices[: machine.state.machine.nr_block_devices]
    return [int(one.measures.completed_sectors) for one in used]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "two.yaml"


@pytest.mark.parametrize("program", [["read"], ["write", "fsync"]])
def test_a_load_on_disk_1_leaves_disk_0_untouched(program: list) -> None:
    machine = finished(on_disk(1, program))
    untouched, used = machine.state.block_devices[:2]
    assert sectors(machine) == [0, ALL_PAGES * PAGE_SECTORS]
    assert untouched.queue.serial == untouched.disks[0].counters.requests == 0
    assert used.queue.serial > 0
    assert used.disks[0].counters.sectors == ALL_PAGES * PAGE_SECTORS


@pytest.mark.parametrize("program", [["read"], ["write", "fsync"]])
@pytest.mark.parametrize("machine", ["k6-2", "quad_xeon"])
def test_all_disks_are_alike(program: list, machine: str) -> None:
    """A thread takes as long on any of them, a RAID-0 set, too."""
    alone = [finished(on_disk(disk, program, machine=machine)) for disk in range(2)]
    assert alone[0].state.machine.now_ns == alone[1].state.machine.now_ns


def test_each_of_two_readers_is_as_fast_as_alone_on_a_disk_of_its_own(path: Path) -> None:
    both, apart, alone = (
        int(finished(side_by_side(path, *classes)).state.machine.now_ns)
        for classes in ([reader(0), reader(0)], [reader(0), reader(1)], [reader(0)])
    )
    assert apart == pytest.approx(alone, rel=0.1)
    assert both > 1.5 * apart


def test_each_pool_has_its_own_sleepers(path: Path) -> None:
    """Sixteen readers of four slots on disk 1 sleep; the reader of disk 0 finds its own all free."""
    values = {"queue_size": 8, "batch_requests": 1, "operations": 20}
    settings = side_by_side(path, reader(0), reader(1, 16), **values)
    machine = finished(settings)
    free, crowded = machine.state.block_devices[:2]
    assert crowded.measures.slot_sleeps > 0
    assert crowded.measures.slot_sleep_max_ns > 0
    assert free.measures.slot_sleeps == free.measures.slot_sleep_max_ns == 0
    assert free.pool.first.tolist() == [NONE, NONE]


def test_who_waits_for_a_page_unplugs_every_queue(path: Path) -> None:
    """All of them stand in tq_disk (SPEC 2.3)."""
    state, pages, *_ = built(side_by_side(path, reader(0), reader(1), reader(2)))
    queues = state.block_devices["queue"]
    queues["plugged"] = True
    page_cache.wait_for(state, pages, 0, 0)
    assert not queues["plugged"][:3].any()


@pytest.mark.parametrize("disks", [(0, 1), (1, 3), (0, 2, 3)])
def test_a_page_knows_its_disk_and_place(path: Path, disks: tuple[int, ...]) -> None:
    """The first and the last of each disk; disks without files have none."""
    state, pages, *_ = built(side_by_side(path, *map(reader, disks), data_start_mib=3))
    assert state.machine.nr_block_devices == disks[-1] + 1
    assert pages.size == len(disks) * ALL_PAGES
    for rank, disk in enumerate(disks):
        for page in (0, ALL_PAGES - 1):
            block = rank * ALL_PAGES + page
            assert block_devices.device_of(state, block) == disk
            block_device = state.block_devices[disk]
            sector = block_devices.sector_of(block_device, block)
            assert sector == 3 * 2048 + page * PAGE_SECTORS
            assert block_devices.page_at(block_device, sector) == block


def test_dirty_pages_go_to_the_disk_they_lie_on(path: Path) -> None:
    """Whoever submits them: here bdflush and the writers, beyond the limits of a small memory."""
    classes = [
        {"file": {"mib": MIB, "disk": disk, "created": True}, "program": ["write", "fsync"]}
        for disk in (1, 0)
    ]
    machine = finished(side_by_side(path, *classes, ram_mib=34))
    assert sectors(machine) == [ALL_PAGES * PAGE_SECTORS] * 2


def test_swap_may_lie_on_another_disk() -> None:
    touch = [{"write": {"call_kib": 4}}]
    files = {"memory": {"mib": 8, "memory": True, "disk": 1}}
    machine = finished(settings_of(touch, files=files, ram_mib=28))
    assert sectors(machine)[0] == 0
    assert sectors(machine)[1] >= 4 * 2048  # the cache has 4 MiB


def test_the_journal_stays_on_disk_0() -> None:
    machine = finished(on_disk(1, ["write", "fsync"], filesystem="ext3"))
    assert machine.state.block_devices["first_page"][:2].tolist() == [0, JOURNAL_PAGES]
    log, data = sectors(machine)
    assert data == ALL_PAGES * PAGE_SECTORS
    assert 0 < log <= 8 * PAGE_SECTORS  # descriptor, the file's map, and the commit block


@pytest.mark.parametrize("disk", [0, 1])
@pytest.mark.parametrize(
    ("part", "counter", "breach"),
    [
        ("measures", "buffers", Breach.BUFFERS),
        ("measures", "joins", Breach.REQUESTS),
        ("pool", "held", Breach.SLOTS_HELD),
    ],
)
def test_conservation_is_checked_on_every_disk(
    path: Path, disk: int, part: str, counter: str, breach: Breach
) -> None:
    machine = finished(side_by_side(path, reader(0), reader(1)))
    assert Breach(find_page_breach(machine.state, machine.pages)) == Breach.NOTHING
    machine.state.block_devices[disk][part][counter] += 1
    assert Breach(find_breach(machine.state)) == breach


def test_disks_have_numbers_of_their_own_in_the_calendar(path: Path) -> None:
    state = built(side_by_side(path, reader(0), reader(3))).state
    assert state.block_devices["first_disk"].tolist() == [n * DISK_LIMIT for n in range(4)]


def test_there_are_four_disks_at_most(path: Path) -> None:
    with pytest.raises(UserError, match="there is no disk 4; give 0 to 3"):
        side_by_side(path, reader(BLOCK_DEVICE_LIMIT))


def test_sets_may_lie_on_the_same_place_of_two_disks_and_not_of_one(path: Path) -> None:
    def placed(disk: int) -> dict[str, Any]:
        return {"file": {"mib": MIB, "from_mib": 9, "disk": disk}, "program": ["read"]}

    settings = side_by_side(path, placed(0), placed(1))
    assert settings.plan.end_pages == [13 * PAGES_PER_MIB] * 2
    with pytest.raises(UserError, match="lie on the same place"):
        side_by_side(path, placed(1), placed(1))


def test_each_disk_ends_where_it_ends(path: Path) -> None:
    """Two files that only fit because they lie on a disk each, and one that does not."""

    def placed(from_mib: int, disk: int) -> dict[str, Any]:
        place = {"mib": MIB, "from_mib": from_mib, "disk": disk}
        return {"file": place, "program": [{"read": {"calls": 1}}]}

    simulate_state(side_by_side(path, placed(12_000, 0), placed(12_000, 1)))
    with pytest.raises(UserError, match="the files end 90004 MiB into the disk"):
        simulate_state(side_by_side(path, placed(0, 0), placed(90_000, 1)))


def test_an_unused_disk_takes_no_memory() -> None:
    """Nothing is written to its record when a machine is built."""
    state = built(on_disk(0, ["read"])).state
    assert state.machine.nr_block_devices == 1
    assert not np.frombuffer(state.block_devices[1:].tobytes(), np.uint8).any()
