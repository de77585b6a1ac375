"""Where inodes and names of a set of files lie: in pages of their own, in groups over its stretch of the disk.

The layout is that of ext2: block groups of 128 MiB, each with its inode table at its begin, and the
names of a directory in the group of its files. Each thread's files, or those of a shared set, are one
directory; inodes of neighbours by number share a page.
"""

from typing import NamedTuple

import numpy as np

GROUP_PAGES = 32768  # ext2 with blocks of 4 KiB: as many blocks as one of them has bits
INODES_PER_PAGE = 32  # ext2: 128 bytes each
NAMES_PER_PAGE = 128  # chosen: 32 bytes each, the 8 of ext2's entry and a name of up to 24


class Described(NamedTuple):
    """The files of a set and the pages that describe them, in pages from the begin of the set."""

    starts: np.ndarray  # first page of each file, behind the tables of its group and those before
    inode_pages: np.ndarray  # of each file
    names_pages: np.ndarray


def described_pages(directories: int, count: int) -> int:
    """Pages of inodes and names of so many directories of `count` files each."""
    return directories * (-(-count // INODES_PER_PAGE) - (-count // NAMES_PER_PAGE))


def describe(slots: np.ndarray, file_pages: int, count: int) -> Described:
    """Make room for inodes and names among files of `file_pages` that lie in places `slots`.

    Files are numbered directory by directory, each of which has `count`. A page of inodes or names lies
    in the group of the first file it describes; a group begins with the first file in it.
    """
    group_slots = max(1, GROUP_PAGES // file_pages)
    groups = slots // group_slots
    directories, numbers = np.divmod(np.arange(slots.size), count)
    inodes = directories * -(-count // INODES_PER_PAGE) + numbers // INODES_PER_PAGE
    names = directories * -(-count // NAMES_PER_PAGE) + numbers // NAMES_PER_PAGE
    page_groups = np.concatenate(
        [groups[np.unique(of, return_index=True)[1]] for of in (inodes, names)]
    )
    order = np.argsort(page_groups, kind="stable")  # in each group inodes, then names
    places = np.empty_like(order)
    places[order] = page_groups[order] * group_slots * file_pages + np.arange(order.size)
    tables_before = np.searchsorted(page_groups[order], groups, side="right")
    return Described(
        starts=slots * file_pages + tables_before,
        inode_pages=places[inodes],
        names_pages=places[inodes.max() + 1 + names],
    )
