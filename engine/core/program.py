"""What a thread does next. One kind of thread a file: `reader`, `writer`."""

from engine.core.jit import inline_kernel
from engine.core.reader import run_reader
from engine.core.records import Step
from engine.core.writer import run_writer


@inline_kernel
def run_thread(state, pages, pieces, number):
    """Run thread `number` from where it stands to its next Step; returns that and its burst in ns."""
    thread = state.threads[number]
    if thread.seeks_slot:
        return Step.SUBMIT, 0
    if thread.writes:
        return run_writer(state, pages, pieces, number)
    return run_reader(state, pages, pieces, number)
