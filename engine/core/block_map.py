"""The map of a file's blocks, as ext2 keeps it: the inode tells of 12 pages, each indirect block of 1024 more.

An indirect block lies in the file's own sequence, in front of the pages it tells of, and the
double-indirect block, which tells of all but the first, in front of the second. A `page` counts the data
alone, a `place` all that lies there. A file without a map (`mapped`) has its pages one behind the other.
"""

from engine.core.jit import inline_kernel
from engine.core.limits import DIRECT_PAGES, MAP_PAGES

MAP_SHIFT = MAP_PAGES.bit_length() - 1  # it is a power of two
FAR_PAGE = DIRECT_PAGES + MAP_PAGES  # the first that the double-indirect block is needed for
FAR_PLACE = FAR_PAGE + 1  # of that block, behind one indirect block


@inline_kernel
def map_number(page):
    """Number of the indirect block that tells of a page the inode does not tell of."""
    return (page - DIRECT_PAGES) >> MAP_SHIFT


@inline_kernel
def first_told(page):
    """The first page that the same indirect block tells of."""
    return DIRECT_PAGES + (map_number(page) << MAP_SHIFT)


@inline_kernel
def place_of(file, page):
    """The place of a page of the file."""
    if not file.mapped or page < DIRECT_PAGES:
        return page
    number = map_number(page)
    return page + number + 1 + (number > 0)


@inline_kernel
def pages_together(file, page):
    """Pages from `page` on that lie one behind the other, itself included."""
    in_piece = file.piece_pages - place_of(file, page) % file.piece_pages
    if not file.mapped:
        return in_piece
    end = DIRECT_PAGES if page < DIRECT_PAGES else first_told(page) + MAP_PAGES
    return min(in_piece, end - page)


@inline_kernel
def block_at(file, pieces, place):
    """Which block a place of the file is, in pages from the start of the data."""
    piece = file.first_piece + place // file.piece_pages
    return pieces[piece] + place % file.piece_pages
