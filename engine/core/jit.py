"""How kernels compile, decided once."""

from collections.abc import Callable

from numba import njit


def kernel(function: Callable) -> Callable:
    """Compile in nopython mode, cached on disk, without fastmath: equal seeds give equal results.

    Division follows numpy's error model, which spares a check for zero at every division.
    """
    return njit(cache=True, error_model="numpy")(function)


def inline_kernel(function: Callable) -> Callable:
    """Compile as `kernel` does and have LLVM inline every call: for helpers of a few lines."""
    return njit(cache=True, error_model="numpy", forceinline=True)(function)
