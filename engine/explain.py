"""Why the longest read of a run took so long: the law of the wall with its numbers, and one life story."""

import numpy as np

from engine.core.records import NONE
from engine.resolve import Settings
from engine.row import row_of
from engine.simulate import simulate_state

SECOND_NS = 1e9


def explanation(settings: Settings) -> str:
    """Run `settings` once and tell its law and its slowest read, as lines of text."""
    state = simulate_state(settings)
    row = row_of(settings, state)
    if row["read_calls"] == 0:
        return _without_reads(settings, row)
    return "\n".join([*_law(settings, row), "", *_story(state)])


def _without_reads(settings: Settings, row: dict) -> str:
    """The law is about readers, and the story about a read."""
    return (
        f"{settings['kernel']} on {settings['machine']}, {settings['workload']}, "
        f"{settings['threads']} threads: nothing was read in what is measured; longest write "
        f"{row['write_max_ms'] / 1000:.3f} s, mean {row['write_mean_ms']:.3f} ms."
    )


def _law(settings: Settings, row: dict) -> list[str]:
    """Threads x requests per reader against slots; batch against slots."""
    threads, slots, batch = settings["threads"], settings.read_slots, settings["batch_requests"]
    each = row["requests_per_reader"]
    wanted = threads * each
    lines = [
        f"{settings['kernel']} on {settings['machine']}, {settings['workload']}, {threads} threads: "
        f"longest read {row['read_max_ms'] / 1000:.3f} s, mean {row['read_mean_ms']:.3f} ms.",
        "",
        "The law of the wall",
        f"  A reader has {each:.2f} requests outstanding when it waits for a page.",
        f"  {threads} readers x {each:.2f} = {wanted:.0f} requests wanted; the pool has {slots} read slots.",
    ]
    if row["slot_sleeps"] == 0:
        return [*lines, "  Nobody had to sleep for a slot: no wall here."]
    lines.append(
        f"  {row['slot_sleeps']} sleeps for a slot, the longest {row['slot_sleep_max_ms'] / 1000:.3f} s."
    )
    lines.append(
        f"  Sleepers are woken when {batch} of {slots} read slots are free at once "
        f"(batch / slots = {batch / slots:.2f}); readers that are awake refill each slot first."
    )
    return lines


def _story(state: np.record) -> list[str]:
    """What happened to the slowest call, in order of time."""
    story = state.measures.slowest
    called = int(story.called_ns)

    def at(time_ns: int) -> str:
        return f"  {(time_ns - called) / SECOND_NS:12.6f} s  "

    events = [(called, "read() called"), (int(story.done_ns), "read() returned")]
    if story.slot_ns > 0:
        events += [
            (int(story.slot_from_ns), "no slot for a request it needed: asleep"),
            (int(story.slot_to_ns), f"a slot at last; the disk served {story.slot_served} others"),
        ]
    if story.page_wait_ns != NONE:
        ahead = f"the request for its page was queued, behind {story.waiting_ahead} others"
        events += [
            (int(story.arrival_ns), ahead),
            (int(story.page_wait_ns), "it began to wait for the page"),
            (int(story.dispatch_ns), "the device began with that request"),
        ]
    return [
        f"The slowest read: thread {story.thread}, {int(story.page) * 4} KiB into its file, called "
        f"{called / SECOND_NS:.3f} s after the start",
        *(at(time_ns) + text for time_ns, text in sorted(events, key=lambda event: event[0])),
    ]
