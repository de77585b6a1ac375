"""The page cache against a model in plain lists: who is cached, who is dirty, and who goes first."""

from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import page_cache
from engine.core.kinds import PageState, Role
from engine.core.queue_records import REQUEST
from engine.core.records import FILE, NONE, PAGE, PAGE_BYTES, PAGE_SECTORS, STATE, new_record

BLOCKS = 12
CAPACITY = 5
FILE_PAGES = 4  # of the one file that is emptied now and then: the first blocks
MEMORY = 8  # from this block on they are a process's memory, which is freed now and then
LISTS = ("inactive_pages", "active_pages", "dirty_pages", "swap_pages")
STATES = {"absent": PageState.ABSENT, "locked": PageState.LOCKED, "there": PageState.UPTODATE}


@dataclass
class Model:
    """What the cache should hold. Lists run from the page that goes or is written first.

    `used` and `active` are pages that were read once and twice since they came in; active ones go only
    after they have been inactive again. Of memory, `saved` is what the swap has, and `unsaved` what nothing
    has but the cache.
    """

    state: dict[int, str] = field(default_factory=lambda: dict.fromkeys(range(BLOCKS), "absent"))
    used: set[int] = field(default_factory=set)
    active: set[int] = field(default_factory=set)
    inactive_pages: list[int] = field(default_factory=list)
    active_pages: list[int] = field(default_factory=list)
    dirty: list[int] = field(default_factory=list)
    writing: list[int] = field(default_factory=list)
    saved: set[int] = field(default_factory=set)
    unsaved: set[int] = field(default_factory=set)
    swap_pages: list[int] = field(default_factory=list)

    def lists(self) -> list[list[int]]:
        return [self.inactive_pages, self.active_pages, self.dirty, self.swap_pages]

    def cached(self) -> int:
        return sum(state != "absent" for state in self.state.values())

    def make_room(self) -> bool:
        """The oldest inactive page goes, unsaved memory to be saved; at most twice as many are active."""
        if self.cached() < CAPACITY:
            return True
        while len(self.active_pages) > 2 * len(self.inactive_pages):
            block = self.active_pages.pop(0)
            self.active.remove(block)
            self.used.remove(block)
            self.inactive_pages.append(block)
        while self.inactive_pages and self.inactive_pages[0] in self.unsaved:
            self.swap_pages.append(self.inactive_pages.pop(0))
        if not self.inactive_pages:
            return False
        self.state[self.inactive_pages.pop(0)] = "absent"
        return True

    def clean_list(self, block: int) -> list[int]:
        return self.active_pages if block in self.active else self.inactive_pages

    def is_clean(self, block: int) -> bool:
        return not any(block in pages for pages in (self.dirty, self.swap_pages, self.writing))

    def comes_in(self, block: int, state: str) -> None:
        self.state[block] = state
        self.used.discard(block)
        self.active.discard(block)

    def read(self, block: int) -> None:
        if self.state[block] == "absent" and self.make_room():
            self.comes_in(block, "locked")
        elif self.state[block] == "there":
            self.use(block)

    def use(self, block: int) -> None:
        if block in self.used - self.active:
            if self.is_clean(block):
                self.inactive_pages.remove(block)
                self.active_pages.append(block)
            self.active.add(block)
        self.used.add(block)

    def touch(self, block: int) -> None:
        """Nothing is read but what the swap has; and what it has is old from now on."""
        if self.state[block] == "absent" and block in self.saved:
            return self.read(block)
        if self.state[block] == "locked" or (
            self.state[block] == "absent" and not self.make_room()
        ):
            return None
        if self.state[block] == "absent":
            self.comes_in(block, "there")
            self.inactive_pages.append(block)
        self.saved.discard(block)
        self.unsaved.add(block)
        return self.use(block)

    def has_come(self, block: int) -> None:
        if self.state[block] == "locked":
            self.state[block] = "there"
            self.inactive_pages.append(block)

    def write(self, block: int) -> None:
        if self.state[block] == "locked":
            return
        if self.state[block] == "absent":
            if not self.make_room():
                return
            self.comes_in(block, "there")
        elif self.is_clean(block):
            self.clean_list(block).remove(block)
        if block not in self.dirty:
            self.dirty.append(block)

    def submit_oldest(self, _: int) -> None:
        for block in self.dirty:
            if block not in self.writing:
                self.dirty.remove(block)
                self.writing.append(block)
                return

    def save_oldest(self, _: int) -> None:
        if self.swap_pages:
            block = self.swap_pages.pop(0)
            self.unsaved.remove(block)
            self.saved.add(block)
            self.writing.append(block)

    def is_written(self, block: int) -> None:
        """What is on the swap now, and was not used twice meanwhile, is the first to go."""
        if block in self.writing:
            self.writing.remove(block)
            if block in self.saved - self.active:
                self.inactive_pages.insert(0, block)
            elif block not in self.dirty:
                self.clean_list(block).append(block)

    def drop_file(self, _: int) -> None:
        self.drop(range(FILE_PAGES))

    def free_memory(self, _: int) -> None:
        """The swap has nothing any more; what is on its way counts as memory that is not saved."""
        self.drop(range(MEMORY, BLOCKS))
        self.unsaved &= {block for block in self.unsaved if self.state[block] != "absent"}
        self.unsaved |= {block for block in self.saved if self.state[block] != "absent"}
        self.saved.clear()

    def drop(self, blocks: range) -> None:
        for here in blocks:
            if self.state[here] == "there" and here not in self.writing:
                self.state[here] = "absent"
                lists = self.dirty, self.swap_pages, self.clean_list(here)
                next(pages for pages in lists if here in pages).remove(here)


class Cache:
    """The engine's, driven the same way."""

    def __init__(self):
        self.state = new_record(STATE)
        self.pages = np.zeros(BLOCKS, PAGE).view(np.recarray)
        self.pieces = np.array([0])
        self.file = np.zeros(1, FILE).view(np.recarray)[0]
        self.file.pages = self.file.piece_pages = FILE_PAGES
        self.memory = np.zeros(1, FILE).view(np.recarray)[0]
        self.memory.pages = self.memory.piece_pages = BLOCKS
        self.cache = self.state.cache
        self.cache.capacity = CAPACITY
        for name in LISTS:
            self.cache[name].oldest = self.cache[name].newest = NONE

    def read(self, block: int) -> None:
        page = self.pages[block]
        if page.state == PageState.UPTODATE:
            page_cache.use(self.state, self.pages, block)
        elif page.state == PageState.ABSENT and page_cache.has_room(self.state, self.pages):
            page_cache.begin_read(self.state, self.pages, 0, block, 0)

    def has_come(self, block: int) -> None:
        if self.pages[block].state == PageState.LOCKED:
            self.complete(block, False)

    def write(self, block: int) -> None:
        page = self.pages[block]
        if page.state == PageState.LOCKED:
            return
        if page.state == PageState.UPTODATE or page_cache.has_room(self.state, self.pages):
            page_cache.make_dirty(self.state, self.pages, block)

    def touch(self, block: int) -> None:
        page = self.pages[block]
        if page.state == PageState.ABSENT and page.role == Role.SAVED:
            self.read(block)
        elif page.state == PageState.UPTODATE or (
            page.state == PageState.ABSENT and page_cache.has_room(self.state, self.pages)
        ):
            page_cache.touch(self.state, self.pages, block)

    def save_oldest(self, _: int) -> None:
        if self.cache.swap_pages.oldest != NONE:
            page_cache.begin_write(self.state, self.pages, 0, self.cache.swap_pages.oldest)

    def submit_oldest(self, _: int) -> None:
        block = page_cache.oldest_dirty(self.state, self.pages)
        if block != NONE:
            page_cache.begin_write(self.state, self.pages, 0, block)

    def is_written(self, block: int) -> None:
        if self.pages[block].writing:
            self.complete(block, True)

    def drop_file(self, _: int) -> None:
        self.file.bytes = FILE_PAGES * PAGE_BYTES
        page_cache.drop_pages(self.state, self.pages, self.file, self.pieces)

    def free_memory(self, _: int) -> None:
        self.memory.bytes = (BLOCKS - MEMORY) * PAGE_BYTES
        page_cache.drop_pages(self.state, self.pages, self.memory, np.array([MEMORY]))

    def complete(self, block: int, is_write: bool) -> None:
        entry = np.zeros(1, REQUEST).view(np.recarray)[0]
        entry.sector, entry.nr_sectors = block * PAGE_SECTORS, PAGE_SECTORS
        entry.is_write = is_write
        page_cache.complete_pages(self.state, self.pages, self.state.block_devices[0], entry)

    def listed(self, name: str) -> list[int]:
        """A list from its oldest to its newest; walked backwards it is the same."""
        the_list = self.cache[name]
        there, back = [], []
        block = the_list.oldest
        while block != NONE:
            there.append(int(block))
            block = self.pages[block].next
        block = the_list.newest
        while block != NONE:
            back.append(int(block))
            block = self.pages[block].previous
        assert there == back[::-1]
        return there


DEEDS = ("read", "has_come", "write", "submit_oldest", "is_written")
OF_MEMORY = ("touch", "touch", "touch", "has_come", "save_oldest", "is_written", "is_written")
steps = st.tuples(
    st.sampled_from([*DEEDS, *DEEDS, *DEEDS, "drop_file"]), st.integers(0, MEMORY - 1)
)
steps_of_memory = st.tuples(
    st.sampled_from([*OF_MEMORY, *OF_MEMORY, *OF_MEMORY, "free_memory"]),
    st.integers(MEMORY, BLOCKS - 1),
)


@settings(max_examples=150)
@given(st.lists(steps, max_size=120))
def test_the_cache_does_what_the_model_does(script: list[tuple[str, int]]) -> None:
    follow(script)


@settings(max_examples=150)
@given(st.lists(st.one_of(steps, *2 * [steps_of_memory]), min_size=60, max_size=120))
def test_memory_is_kept_as_in_the_model(script: list[tuple[str, int]]) -> None:
    follow(script)


def follow(script: list[tuple[str, int]]) -> None:
    """Do the same to the model and to the cache, and compare after each deed."""
    model, cache = Model(), Cache()
    for deed, block in script:
        getattr(model, deed)(block)
        getattr(cache, deed)(block)
        for name, pages in zip(LISTS, model.lists(), strict=True):
            assert cache.listed(name) == pages
        assert (cache.cache.inactive, cache.cache.active) == tuple(map(len, model.lists()[:2]))
        counts = cache.cache.cached, cache.cache.dirty, cache.cache.writing
        assert counts == (model.cached(), len(model.dirty), len(model.writing))
        saving = sum(block >= MEMORY for block in model.writing)
        assert cache.cache.swapping == len(model.swap_pages) + saving
        roles = [cache.pages.role == role for role in (Role.SAVED, Role.UNSAVED)]
        assert [set(np.flatnonzero(has)) for has in roles] == [model.saved, model.unsaved]
        assert cache.pages.state.tolist() == [STATES[model.state[b]] for b in range(BLOCKS)]


@settings(max_examples=150)
@given(st.lists(st.one_of(steps, steps_of_memory), min_size=30, max_size=90), st.data())
def test_a_run_of_pages_gets_the_room_they_would_get_one_by_one(script, data) -> None:
    """Pages that go may be those the run comes to next."""
    at_once, singly = Cache(), Cache()
    for cache in (at_once, singly):
        for deed, block in script:
            getattr(cache, deed)(block)
    block = data.draw(st.integers(0, BLOCKS - 2))
    following = data.draw(st.integers(0, BLOCKS - 1 - block))
    if at_once.pages[block].state != PageState.ABSENT:
        return
    for cache, run in ((at_once, following), (singly, 0)):
        if page_cache.has_room(cache.state, cache.pages):
            page_cache.begin_read(cache.state, cache.pages, 0, block, run)
    run = 0
    while (
        singly.pages[block].state == PageState.LOCKED
        and run < following
        and singly.pages[block + run + 1].state == PageState.ABSENT
        and page_cache.has_room(singly.state, singly.pages)
    ):
        singly.cache.cached += 1
        run += 1
    assert at_once.state.threads[0].bio.run == run
    assert at_once.cache == singly.cache
    assert (at_once.pages == singly.pages).all()


def test_pages_come_back_to_those_who_wait_for_them() -> None:
    """Two wait for the page and one for memory; who waits for another page sleeps on."""
    cache = Cache()
    for block in (3, 4):
        cache.read(block)
    for number, block in ((5, 3), (6, 4), (7, 3)):
        page_cache.wait_for(cache.state, cache.pages, number, block)
    page_cache.wait_for_memory(cache.state, 8)
    cache.has_come(3)
    scheduler = cache.state.scheduler
    assert set(scheduler.run_list[: scheduler.run_count].tolist()) == {5, 7, 8}
    cache.has_come(4)
    assert scheduler.run_list[scheduler.run_count - 1] == 6


def test_who_waits_for_memory_gets_that_of_a_file_that_is_gone() -> None:
    cache = Cache()
    for block in range(CAPACITY):
        cache.write(block)
    page_cache.wait_for_memory(cache.state, 8)
    cache.drop_file(0)
    assert cache.state.scheduler.run_list[0] == 8
    assert cache.cache.memory_waiter == 0
