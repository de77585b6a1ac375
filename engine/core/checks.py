"""Conservation: what every run must keep true, whatever is simulated."""

from enum import IntEnum

import numpy as np

from engine.core import order, pools
from engine.core.block_devices import page_at
from engine.core.jit import kernel
from engine.core.kinds import PageState, Role
from engine.core.records import NONE, PAGE_SECTORS


class Breach(IntEnum):
    """What a run can get wrong. Anything but NOTHING is a defect of the engine."""

    NOTHING = 0
    STANDSTILL = 1  # threads left, but nothing will ever happen
    BUFFERS = 2  # submitted = merged + made into requests + waiting for a slot
    REQUESTS = 3  # made = completed + joined + queued + in the drive
    SLOTS = 4  # never fewer than 0 or more than all are free
    SLOTS_HELD = (
        5  # not free = held = queued (a busy head is queued, too), or queued and in the drive
    )
    SECTORS = 6  # nothing queued or in the drive: no sectors counted either
    SPINS = 7  # a thread goes round without ever taking time: a mistake of the workload
    CLEAN_PAGES = 8  # their lists are whole, hold what is up to date and clean, as much as counted
    DIRTY_PAGES = 9  # the same of dirty pages
    PAGES_ON_THEIR_WAY = 10  # locked or marked as written; and as many of these as counted
    PAGES = 11  # cached = locked + clean + dirty + held back + to be saved + only being written
    HELD_PAGES = 12  # as DIRTY_PAGES, of those that transactions hold back
    SWAP_PAGES = 13  # and of memory that is to be saved, what is being saved included


@kernel
def find_breach(state):
    """The first rule the state breaks, else NOTHING."""
    for device in range(state.machine.nr_block_devices):
        waiting = 0
        for number in range(state.machine.threads):
            thread = state.threads[number]
            waiting += thread.seeks_slot and thread.bio.device_number == device
        breach = _find_breach_of(state.block_devices[device], waiting)
        if breach != Breach.NOTHING:
            return breach
    return Breach.NOTHING


@kernel
def _find_breach_of(block_device, waiting):
    """As `find_breach`, of one block device, for whose slots `waiting` threads wait."""
    measures, queue, pool = block_device.measures, block_device.queue, block_device.pool
    if measures.buffers != measures.merges + queue.serial + waiting:
        return Breach.BUFFERS
    in_drive = 0 if queue.head_active else block_device.held
    if queue.serial != measures.completed + measures.joins + queue.length + in_drive:
        return Breach.REQUESTS
    for direction in range(2):
        if not 0 <= pool.free[direction] <= pool.slots[direction]:
            return Breach.SLOTS
    held = pool.held[0] + pool.held[1]
    if held != pools.count_out(pool) or held != queue.length + (
        0 if block_device.release_at_dispatch else in_drive
    ):
        return Breach.SLOTS_HELD
    if held == 0 and in_drive == 0 and pool.sectors != 0:
        return Breach.SECTORS
    return Breach.NOTHING


@kernel
def find_page_breach(state, pages):
    """The first rule of the page cache the state breaks, else NOTHING; between two events only.

    It walks the lists and what is on its way, not the absent pages.
    """
    cache = state.cache
    if _count_listed(cache.inactive_pages, pages, False, False) != cache.inactive:
        return Breach.CLEAN_PAGES
    if _count_listed(cache.active_pages, pages, False, True) != cache.active:
        return Breach.CLEAN_PAGES
    if _count_listed(cache.dirty_pages, pages, True, False) != cache.dirty:
        return Breach.DIRTY_PAGES
    held_back = 0
    for turn in range(2):
        held = state.journal.held[turn]
        if _count_listed(held.pages, pages, True, False) != held.count:
            return Breach.HELD_PAGES
        held_back += held.count
    to_save = _count_listed(cache.swap_pages, pages, True, False)
    locked, writing, only_writing, unmarked, saving = _count_on_their_way(state, pages)
    if unmarked > 0 or writing != cache.writing:
        return Breach.PAGES_ON_THEIR_WAY
    if to_save == NONE or to_save + saving != cache.swapping:
        return Breach.SWAP_PAGES
    listed = cache.inactive + cache.active + cache.dirty + held_back + to_save
    if cache.cached != listed + only_writing + locked:
        return Breach.PAGES
    return Breach.NOTHING


@kernel
def _count_listed(the_list, pages, dirty, active):
    """Pages of a list: dirty ones, or clean ones that are active or not.

    NONE if its chain is broken or one of them does not belong there.
    """
    count = 0
    before = NONE
    block = the_list.oldest
    while block != NONE:
        page = pages[block]
        belongs = page.state == PageState.UPTODATE and page.dirty == dirty
        belongs = belongs and (dirty or page.active == active)
        if not belongs or page.previous != before or (page.writing and not dirty):
            return NONE
        count += 1
        before, block = block, np.int64(page.next)
    return count if the_list.newest == before else NONE


@kernel
def _count_on_their_way(state, pages):
    """Pages locked, being written, of these not dirty again, neither locked nor marked, and being saved.

    They are those of all requests, and one for each thread that waits for a slot.
    """
    counts = (0, 0, 0, 0, 0)
    for device in range(state.machine.nr_block_devices):
        block_device = state.block_devices[device]
        queue = block_device.queue
        place = order.next_place(queue, NONE)
        while place != NONE:
            entry = queue.requests[order.request_at(queue, place)]
            counts = _count_pages(block_device, pages, entry, counts)
            place = order.next_place(queue, place)
        for held in range(0 if queue.head_active else block_device.held):
            entry = queue.requests[block_device.in_drive[held]]
            counts = _count_pages(block_device, pages, entry, counts)
    for number in range(state.machine.threads):
        if state.threads[number].seeks_slot:
            bio = state.threads[number].bio
            counts = _count_pages(state.block_devices[bio.device_number], pages, bio, counts)
    return counts


@kernel
def _count_pages(block_device, pages, entry, counts):
    """`counts` and the pages of a request or a buffer."""
    locked, writing, only_writing, unmarked, saving = counts
    first = page_at(block_device, entry.sector)
    for block in range(first, first + entry.nr_sectors // PAGE_SECTORS):
        page = pages[block]
        if not entry.is_write and page.state == PageState.LOCKED:
            locked += 1
        elif entry.is_write and page.writing and page.state == PageState.UPTODATE:
            writing += 1
            only_writing += not page.dirty
            saving += page.role >= Role.UNSAVED
        else:
            unmarked += 1
    return locked, writing, only_writing, unmarked, saving
