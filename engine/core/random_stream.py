"""Random numbers: one splitmix64 stream a thread (Steele, Lea, Flood 2014), so that order does not matter."""

import numpy as np

from engine.core.jit import inline_kernel, kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_TOP_32 = np.uint64(32)


@inline_kernel
def peek_below(thread, limit):
    """What `next_below` will say."""
    mixed = np.uint64(thread.random + _GAMMA)
    mixed = (mixed ^ (mixed >> _SHIFT_1)) * _MIX_1
    mixed = (mixed ^ (mixed >> _SHIFT_2)) * _MIX_2
    mixed ^= mixed >> _SHIFT_3
    return (np.int64(mixed >> _TOP_32) * limit) >> 32


@kernel
def next_below(thread, limit):
    """A whole number from 0 to `limit` - 1, `limit` below 2**31; advances `thread.random`.

    Takes the upper 32 bits of the stream, so the bias is below `limit` / 2**32.
    """
    number = peek_below(thread, limit)
    thread.random = np.uint64(thread.random + _GAMMA)
    return number
