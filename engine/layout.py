"""Where files lie on the disk: their pieces, inodes and names, and the journal."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.core.records import FILE, NONE, PAGE_BYTES
from engine.directories import describe
from engine.indirect import map_places
from engine.resolve import PAGE_KIB, PAGES_PER_MIB, Settings
from engine.workload import FileSet

JOURNAL_PAGES = 32 * PAGES_PER_MIB  # of reiserfs, and by mke2fs from 1 GiB on


class Layout(NamedTuple):
    """Where all files lie. A file's pieces stand in `pieces`, in pages from the start of the data, as `map_blocks` do."""

    files: np.recarray
    pieces: np.ndarray
    pages: int  # up to the end of the last file
    first_file: Mapping[tuple[str, str], int]  # by class ("" for shared files) and set
    map_blocks: np.ndarray  # the indirect blocks of all


def has_journal(settings: Settings) -> bool:
    """Whether the file system writes changes to a journal first."""
    return settings["filesystem"] != "ext2"


def lay_out(settings: Settings, rng: np.random.Generator) -> Layout:
    """The files of all sets, one set behind the other, or where their `from_mib` puts them; the journal first.

    Files that the threads of a class have one each of are written at the same time and interleave: in
    every round each gets one piece, in an order of chance. Those of larger sets lie in one piece each,
    one behind the other as they are made, or scattered over a stretch of the disk.
    """
    rows: list[tuple] = []
    pieces: list[np.ndarray] = []
    map_blocks: list[np.ndarray] = []
    first_file, first_piece = {}, 0
    journal_pages = JOURNAL_PAGES if has_journal(settings) else 0
    for extent in settings.plan.extents:
        one, behind = extent.files, journal_pages + extent.first_page
        first_file[extent.owner, extent.label] = len(rows)
        count, file_pages = extent.threads * one.count, one.places
        piece_pages = settings["allocation_chunk_kib"] // PAGE_KIB or file_pages
        piece_pages = max(1, min(piece_pages, file_pages))
        if one.count == 1 and not one.shared:
            starts = _interleave(count, file_pages, piece_pages, rng)
        else:
            piece_pages = max(1, file_pages)
            starts = _one_behind_the_other(one, count, file_pages, rng)
        inode_pages = names_pages = np.full(count, NONE)
        if one.described:
            found = describe(starts[:, 0] // file_pages, file_pages, one.count)
            starts = found.starts.reshape(-1, 1)
            inode_pages, names_pages = behind + found.inode_pages, behind + found.names_pages
        for number in range(count):
            length = one.file_bytes if one.exists else 0
            first = first_piece + number * starts.shape[1]
            described = inode_pages[number], names_pages[number]
            rows.append((length, one.memory, one.mapped, one.pages, piece_pages, first, *described))
        pieces.append((behind + starts).reshape(-1))
        if one.mapped:
            piece, offset = np.divmod(map_places(one.pages), piece_pages)
            map_blocks.append((behind + starts[:, piece] + offset).reshape(-1))
        first_piece += starts.size
    files = np.zeros(max(1, len(rows)), FILE).view(np.recarray)
    files.inode_page = files.names_page = NONE
    places = ("pages", "piece_pages", "first_piece", "inode_page", "names_page")
    for file, row in zip(files, rows, strict=False):
        for name, value in zip(("bytes", "memory", "mapped", *places), row, strict=True):
            file[name] = value
    return Layout(
        files,
        np.concatenate([*pieces, [0]]),
        journal_pages + settings.plan.end_page,
        first_file,
        np.concatenate([*map_blocks, np.empty(0, np.int64)]),
    )


def _one_behind_the_other(
    one: FileSet, count: int, file_pages: int, rng: np.random.Generator
) -> np.ndarray:
    """First page of each file: in the order of their numbers, directory by directory, or scattered. Shape (files, 1)."""
    places = np.arange(count)
    if one.scattered_bytes:
        slots = max(count * file_pages, one.scattered_bytes // PAGE_BYTES) // max(1, file_pages)
        places = rng.choice(slots, count, replace=False)
    return places.reshape(-1, 1) * file_pages


def _interleave(
    threads: int, file_pages: int, piece_pages: int, rng: np.random.Generator
) -> np.ndarray:
    """First page of each piece of each file. Shape (threads, pieces per file)."""
    pieces = -(-file_pages // piece_pages)
    order = rng.permuted(np.tile(np.arange(threads), (pieces, 1)), axis=1)  # [round][turn] = file
    lengths = np.full(pieces, piece_pages)
    lengths[-1:] = file_pages - (pieces - 1) * piece_pages
    round_start = np.concatenate(([0], np.cumsum(lengths[:-1] * threads)))
    start = np.empty((threads, pieces), np.int64)
    turns = np.arange(threads)
    for number in range(pieces):
        start[order[number], number] = round_start[number] + turns * lengths[number]
    return start
