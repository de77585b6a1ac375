"""Read-ahead against the twin's, page by page, for any file, window and pattern."""

from hypothesis import given, settings
from hypothesis import strategies as st
from reference.readahead import ReadAhead258
from reference.scripts import run_readahead_script, run_reader

from engine.conformance.readahead import Player
from engine.core import readahead
from engine.core.records import PAGE_BYTES, READAHEAD, new_record

GENERATION = "ra_2.4.18"
LENGTHS = st.one_of(
    st.sampled_from([PAGE_BYTES, 4 * PAGE_BYTES, PAGE_BYTES // 2, 1, 100]),
    st.integers(1, 6 * PAGE_BYTES),
)


@st.composite
def scripts(draw) -> dict:
    """Reads of one file: mostly on from where the last one ended, now and then from elsewhere."""
    file_size = draw(st.integers(1, 60 * PAGE_BYTES))
    if draw(st.booleans()):
        file_size = -(-file_size // PAGE_BYTES) * PAGE_BYTES
    position, reads = 0, []
    for jump, to, nr_bytes in draw(
        st.lists(st.tuples(st.integers(0, 7), st.integers(0, file_size - 1), LENGTHS), max_size=30)
    ):
        position = to if jump == 0 else max(0, position - nr_bytes) if jump == 1 else position
        reads.append([position, nr_bytes])
        position = min(position + nr_bytes, file_size)
    params = {
        "file_size": file_size,
        "max_readahead_pages": draw(st.sampled_from([0, 1, 3, 7, 31, 127])),
        "min_readahead_pages": draw(st.sampled_from([0, 3])),
        "completion": draw(st.sampled_from(["instant", "fifo", "all"])),
    }
    return {"params": params, "reads": reads}


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_reads_do_what_the_twin_does(script):
    player = Player(GENERATION, script["params"])
    results = [player.step(number, read) for number, read in enumerate(script["reads"])]
    assert results == run_readahead_script(GENERATION, script)


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_reads_in_two_windows_do_what_the_twin_does(script):
    player = Player(GENERATION, script["params"])
    player.ahead.version = readahead.ReadAhead.V2_5_8
    results = [player.step(number, read) for number, read in enumerate(script["reads"])]
    assert results == run_reader(ReadAhead258, script)


@settings(max_examples=200, deadline=None)
@given(
    page=st.integers(0, 60),
    end=st.integers(0, 60),
    batch=st.integers(0, 32),
    window=st.integers(0, 64),
    next_window=st.integers(0, 31),
)
def test_quiet_pages_open_no_window(page, end, batch, window, next_window):
    """A sequential reader who finds these pages there is in sequence at each and asks for nothing."""
    ahead = new_record(READAHEAD)
    ahead.end, ahead.batch, ahead.window, ahead.next_window = end, batch, window, next_window
    for quiet in range(page, page + readahead.quiet_pages(ahead, page)):
        readahead.begin_read(ahead, quiet * PAGE_BYTES, PAGE_BYTES, 3, 31)
        assert ahead.in_sequence
        assert not readahead.wants_window(ahead, quiet, False, 10**6)
