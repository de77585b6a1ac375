"""PENDING: Linux 2.4.7.4 ... 2.4.13 (SPEC 4.4).

Halves as in HALVES, but freed slots collect on a list of their direction. When `batch` of them have come
together all go back at once, and as many sleepers are woken.
"""

from engine.core.jit import kernel


@kernel
def take(pool, direction):
    """A slot of the own half."""
    if pool.free[direction] == 0:
        return False
    pool.free[direction] -= 1
    return True


@kernel
def put_back(pool, direction):
    """Collect; wake a batch of sleepers when a batch of slots goes back."""
    pool.pending[direction] += 1
    if pool.pending[direction] < pool.batch:
        return 0
    pool.free[direction] += pool.pending[direction]
    pool.pending[direction] = 0
    return pool.batch
