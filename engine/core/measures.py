"""What a run measures, noted where it happens."""

from engine.core.calendar import KIND_SHIFT
from engine.core.histogram import bucket_of
from engine.core.jit import inline_kernel, kernel
from engine.core.kinds import Event, Op, Pattern
from engine.core.records import HISTOGRAM_BUCKETS, NONE

TWO_SECONDS_NS = 2_000_000_000
TEN_SECONDS_NS = 10_000_000_000


@inline_kernel
def note_length(state):
    """Integrate the queue's length over time; before every change of it."""
    measures, length = state.measures, state.queue.length
    measures.length_area += length * (state.machine.now_ns - measures.length_since_ns)
    measures.length_since_ns = state.machine.now_ns
    measures.length_max = max(measures.length_max, length)


@inline_kernel
def note_join(state, gone):
    """A queued request was absorbed by another."""
    state.measures.joins += 1
    owner = state.queue.requests[gone].owner
    if owner != NONE:
        state.threads[owner].outstanding -= 1


@inline_kernel
def note_completion(state, entry):
    """A request left the device."""
    measures, now_ns = state.measures, state.machine.now_ns
    measures.completed += 1
    measures.completed_sectors += entry.nr_sectors
    measures.queue_ns += entry.dispatch_ns - entry.arrival_ns
    measures.device_ns += now_ns - entry.dispatch_ns
    if entry.owner != NONE:
        state.threads[entry.owner].outstanding -= 1


@kernel
def note_calls(state, number, operation, calls, took_ns):
    """`calls` calls of thread `number` have returned, each after `took_ns`, the first to return being
    the one called at `called_ns`."""
    measures, thread = state.measures, state.threads[number]
    thread.calls_left -= calls
    call_bytes = 1 if operation.pattern == Pattern.SKIP else operation.call_bytes
    if operation.kind == Op.WRITE:
        if thread.background:
            _add(measures.background_writes, calls, call_bytes, took_ns)
        else:
            _add(measures.writes, calls, call_bytes, took_ns)
    elif thread.background:
        _add(measures.background_reads, calls, call_bytes, took_ns)
    else:
        if took_ns > measures.reads.max_ns:
            _tell(measures.slowest, thread, number, took_ns)
        _add(measures.reads, calls, call_bytes, took_ns)


@inline_kernel
def note_round(state, thread):
    """A thread has come to the end of its outermost loop."""
    if thread.background:
        state.measures.background_rounds += 1
    else:
        _add(state.measures.rounds, 1, 0, state.machine.now_ns - thread.round_began_ns)
    thread.rounds_done += 1
    thread.rounds_ns += state.machine.now_ns - thread.round_began_ns
    thread.round_began_ns = state.machine.now_ns


@inline_kernel
def note_burst(state, thread, runs_ns):
    """A thread takes up a processor for `runs_ns`."""
    if thread.background:
        state.measures.background_cpu_ns += runs_ns
    else:
        state.measures.cpu_ns += runs_ns


@kernel
def background_rest_ns(state):
    """What is left of the bursts that background threads are in, ns: they were noted in full."""
    machine, rest_ns = state.machine, 0
    for entry in range(machine.nr_events):
        event = machine.event_key[entry] >> KIND_SHIFT
        number = machine.event_key[entry] & ((1 << KIND_SHIFT) - 1)
        if event == Event.BURST_END and state.threads[number].background:
            rest_ns += machine.event_ns[entry] - machine.now_ns
    return rest_ns


@kernel
def begin_phase(state):
    """What was measured so far does not count; what keeps the books goes on.

    Of what is going on, the rest counts: of a request in a disk as busy time alone.
    """
    measures = state.measures
    measures.since_ns = state.machine.now_ns
    measures.merges_before = measures.merges
    measures.completed_before = measures.completed
    _clear(measures.reads)
    _clear(measures.writes)
    _clear(measures.rounds)
    _clear(measures.background_reads)
    _clear(measures.background_writes)
    measures.background_rounds = 0
    measures.cpu_ns = 0
    measures.background_cpu_ns = background_rest_ns(state)
    measures.completed_sectors = 0
    measures.expired = 0
    measures.queue_ns = 0
    measures.device_ns = 0
    measures.length_area = 0
    measures.length_since_ns = state.machine.now_ns
    measures.length_max = state.queue.length
    measures.slot_sleeps = 0
    measures.slot_sleep_max_ns = 0
    measures.page_waits = 0
    measures.page_wait_requests = 0
    for number in range(state.machine.threads):
        state.threads[number].rounds_done = 0
        state.threads[number].rounds_ns = 0
        state.threads[number].late_ns = 0
    for disk in range(state.machine.disks):
        counters = state.disks[disk].counters
        counters.since_ns = measures.since_ns
        counters.busy_ns = max(0, state.disks[disk].write_cache.media_ns - measures.since_ns)
        counters.seek_ns = 0
        counters.rotation_ns = 0
        counters.transfer_ns = 0
        counters.seeks = 0
        counters.seek_cylinders = 0


@kernel
def _clear(measured):
    measured.count = 0
    measured.bytes = 0
    measured.sum_ns = 0
    measured.max_ns = 0
    measured.over_2s = 0
    measured.over_10s = 0
    for bucket in range(HISTOGRAM_BUCKETS):
        measured.histogram[bucket] = 0


@kernel
def _add(measured, calls, call_bytes, took_ns):
    measured.count += calls
    measured.bytes += calls * call_bytes
    measured.sum_ns += calls * took_ns
    measured.max_ns = max(measured.max_ns, took_ns)
    measured.over_2s += calls * (took_ns > TWO_SECONDS_NS)
    measured.over_10s += calls * (took_ns > TEN_SECONDS_NS)
    measured.histogram[bucket_of(took_ns)] += calls


@inline_kernel
def _tell(story, thread, number, took_ns):
    """What happened to the slowest call so far."""
    story.thread = number
    story.page = thread.last_page
    story.called_ns = thread.called_ns
    story.slot_ns = thread.call_slot_ns
    story.slot_from_ns = thread.slot_sleep_ns
    story.slot_to_ns = thread.slot_woken_ns
    story.slot_served = thread.slot_served
    story.page_wait_ns = thread.page_wait_ns
    story.arrival_ns = thread.page_arrival_ns
    story.waiting_ahead = thread.page_ahead
    story.dispatch_ns = thread.page_dispatch_ns
    story.done_ns = thread.called_ns + took_ns
