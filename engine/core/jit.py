"""How kernels compile, decided once."""

from collections.abc import Callable

from numba import njit, types


def kernel(function: Callable) -> Callable:
    """Compile in nopython mode, cached on disk, without fastmath: equal seeds give equal results.

    Division follows numpy's error model, which spares a check for zero at every division.
    """
    return _once_for_all_literals(
        njit(cache=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    )


def inline_kernel(function: Callable) -> Callable:
    """Compile as `kernel` does and have LLVM inline every call: for helpers of a few lines."""
    return _once_for_all_literals(
        njit(cache=True, error_model="numpy", no_cfunc_wrapper=True, forceinline=True)(function)
    )


def _once_for_all_literals(dispatcher: Callable) -> Callable:
    """Have numba take a literal argument for its type.

    Left alone it compiles a function, and all that this one calls, anew for every literal number it
    is called with.
    """
    resolve = getattr(dispatcher, "get_call_template", None)  # absent with NUMBA_DISABLE_JIT
    if resolve is not None:
        dispatcher.get_call_template = lambda args, kws: resolve(
            tuple(map(types.unliteral, args)), kws
        )
    return dispatcher
