"""Inodes and names lie in groups over the stretch of their set, and on nobody's data."""

import numpy as np
import pytest
from core.machines import settings_of

from engine.directories import (
    GROUP_PAGES,
    INODES_PER_PAGE,
    NAMES_PER_PAGE,
    describe,
    described_pages,
)
from engine.layout import lay_out


@pytest.mark.parametrize(
    ("directories", "count", "file_pages", "spread"),
    [(1, 2, 1, 1), (1, 300, 4, 1), (7, 134, 44, 1), (1, 10, 30720, 1), (3, 225, 5, 9), (2, 40, 64, 200)],
)  # fmt: skip
def test_no_page_has_two_uses(directories: int, count: int, file_pages: int, spread: int) -> None:
    files = directories * count
    slots = np.random.default_rng(0).choice(files * spread, files, replace=False)
    found = describe(slots, file_pages, count)
    data = (found.starts[:, None] + np.arange(file_pages)).ravel()
    inodes, names = np.unique(found.inode_pages), np.unique(found.names_pages)
    used = np.concatenate([data, inodes, names])
    assert np.unique(used).size == used.size
    assert used.min() >= 0
    assert used.max() < files * spread * file_pages + described_pages(directories, count)
    assert inodes.size == directories * -(-count // INODES_PER_PAGE)
    assert names.size == directories * -(-count // NAMES_PER_PAGE)
    assert described_pages(directories, count) == inodes.size + names.size


def test_32_neighbours_share_an_inode_page_and_128_one_of_names() -> None:
    found = describe(np.arange(300), 4, 150)  # two directories
    for pages, each in ((found.inode_pages, 32), (found.names_pages, 128)):
        by_page = [np.flatnonzero(pages == page).tolist() for page in np.unique(pages)]
        starts = [*range(0, 150, each), *range(150, 300, each)]
        ends = [*starts[1:], 300]
        assert sorted(by_page) == [list(range(*pair)) for pair in zip(starts, ends, strict=True)]


def test_a_group_begins_with_the_inodes_of_its_files() -> None:
    """64 files fill a group: two pages of inodes at its begin; 128 names in every other group."""
    file_pages = GROUP_PAGES // 64
    found = describe(np.arange(256), file_pages, 256)
    inodes = np.unique(found.inode_pages)
    assert inodes.tolist() == [
        *(0, 1),
        *(GROUP_PAGES + 3, GROUP_PAGES + 4),
        *(2 * GROUP_PAGES + 5, 2 * GROUP_PAGES + 6),
        *(3 * GROUP_PAGES + 8, 3 * GROUP_PAGES + 9),
    ]
    assert np.unique(found.names_pages).tolist() == [2, 2 * GROUP_PAGES + 7]
    assert found.starts[[0, 64, 128, 192]].tolist() == [
        *(3, GROUP_PAGES + 5, 2 * GROUP_PAGES + 8, 3 * GROUP_PAGES + 10),
    ]


def test_single_files_and_blocks_have_none_and_lie_where_they_lay() -> None:
    files = {"one": {"mib": 1}, "blocks": {"kib": 4, "count": 50, "inodes": False}}
    layout = lay_out(settings_of(["read"], files=files), np.random.default_rng(0))
    assert set(layout.files.inode_page) == set(layout.files.names_page) == {-1}
    assert layout.pages == 256 + 50
    described = files | {"blocks": {"kib": 4, "count": 50}}
    layout = lay_out(settings_of(["read"], files=described), np.random.default_rng(0))
    assert layout.files.inode_page[:33].tolist() == [-1] + 32 * [256]
    assert layout.pages == 256 + 50 + 2 + 1
