"""Sets of files that lie far apart on one disk: `from_mib`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from engine.core.kinds import PageState
from engine.errors import UserError
from engine.layout import lay_out
from engine.resolve import PAGES_PER_MIB, resolve
from engine.simulate import simulate
from tests.core.machines import built, finished

POINT = {"kernel": "2.4.18", "machine": "k6-2", "disk": "ide_40gb_2001"}


def workload(path: Path, first: int | None, second: int | None, **values: Any) -> dict[str, Any]:
    """A point with two readers of 4 MiB each; theirs is the place that is given, or none."""
    classes = {
        name: {
            "threads": 1,
            "file": {"mib": 4} | ({} if place is None else {"from_mib": place}),
            "program": [{"repeat": {"rounds": 1, "do": ["read"]}}],
        }
        for name, place in (("a", first), ("b", second))
    }
    document = {"title": "Two readers", "classes": classes, "values": {"threads": 1, "block_kib": 4}}  # fmt: skip
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return POINT | {"workload": str(path)} | values


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.yaml"


@pytest.mark.parametrize(
    ("places", "starts_mib", "end_mib"),
    [
        ((None, None), (0, 4), 8),
        ((None, 100), (0, 100), 104),
        ((100, None), (100, 104), 108),
        ((100, 0), (100, 0), 104),  # the order on the disk need not be that of the file
        ((4, 0), (4, 0), 8),
    ],
)
def test_a_place_begins_where_it_is_told_to_or_behind_the_set_before(
    path: Path, places: tuple, starts_mib: tuple[int, int], end_mib: int
) -> None:
    settings = resolve(workload(path, *places))
    layout = lay_out(settings, np.random.default_rng(0))
    firsts = [layout.pieces[file.first_piece] // PAGES_PER_MIB for file in layout.files]
    assert tuple(firsts) == starts_mib
    assert [layout.pages] == settings.plan.end_pages == [end_mib * PAGES_PER_MIB]
    assert settings.plan.file_bytes == 8 * 2**20


def test_places_do_not_change_chance(path: Path) -> None:
    """The order of pieces is drawn set by set, wherever the sets lie."""
    alike = [
        lay_out(resolve(workload(path, *places)), np.random.default_rng(5)).pieces
        for places in ((None, None), (None, 1000))
    ]
    moved = alike[1] - alike[0]
    assert set(moved[:-1]) == {0, 996 * PAGES_PER_MIB}


def test_nothing_between_two_places_is_ever_read(path: Path) -> None:
    """Neither the read-ahead of the first file nor a merge goes on where no file is."""
    machine = finished(resolve(workload(path, 0, 8)))
    states = machine.pages.state.reshape(-1, 4 * PAGES_PER_MIB)
    assert (states[0] == PageState.UPTODATE).all()
    assert (states[1] == PageState.ABSENT).all()
    assert (states[2] == PageState.UPTODATE).all()
    assert machine.state.block_devices[0].measures.completed_sectors == 2 * 8192


def test_files_far_apart_make_the_arm_travel(path: Path) -> None:
    near = simulate(workload(path, 0, 4))
    far = simulate(workload(path, 0, 30_000))
    assert near["read_mib"] == far["read_mib"] == 8
    assert far["seek_mean_cylinders"] > 1000 * near["seek_mean_cylinders"]
    assert far["duration_s"] > near["duration_s"]


def test_a_gap_costs_no_memory(path: Path) -> None:
    """Its pages are zeros nobody has touched, which the system does not keep."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("memory is read from /proc")
    settings = resolve(workload(path, 0, 200_000))
    before = int(statm.read_text().split()[1])
    machine = built(settings)
    assert machine.pages.nbytes > 10**9
    grown_pages = int(statm.read_text().split()[1]) - before
    assert grown_pages * 4096 < 10**8


def test_places_on_one_another_are_refused(path: Path) -> None:
    with pytest.raises(UserError, match=r"my.yaml: b: file and a: file lie on the same place, the one up to 104.0 MiB and the other from 103.0; give another from_mib$"):  # fmt: skip
        resolve(workload(path, 103, 100))
    resolve(workload(path, 104, 100))


def test_a_place_beyond_the_end_of_the_disk_is_refused(path: Path) -> None:
    with pytest.raises(UserError, match=r"^workload .*my.yaml: the files end 38170 MiB into the disk, but ide_40gb_2001 holds 38166 MiB$"):  # fmt: skip
        simulate(workload(path, 38_166, 0))
    with pytest.raises(UserError, match="its files reach over 300004 MiB; give at most 262144"):
        resolve(workload(path, 300_000, 0))
