"""How kernels compile, decided once."""

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core.compiler import Compiler
from numba.np import arrayobj


class KernelCompiler(Compiler):
    """Numba's compiler, but that a negative index does not count from the end.

    No kernel has one, and asking each index for its sign was a fifth of the cost of a run. A run with
    NUMBA_BOUNDSCHECK=1 raises IndexError at a negative index, as at one beyond the end.
    """

    def compile_extra(self, func: Callable) -> Any:
        """Compile a function, and what it calls that is not compiled yet."""
        wraps_around = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _index_as_it_is
        try:
            return super().compile_extra(func)
        finally:
            arrayobj.fix_integer_index = wraps_around


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Stands for `fix_integer_index` of numba, under whose lock all compilation happens."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


# Cached on disk; without fastmath, so that equal seeds give equal results; division follows numpy's
# error model, which spares a check for zero each time; nothing calls kernels from C. No kernel makes
# an array, so none counts references: doing so was a third of the cost of a run.
OPTIONS: dict[str, Any] = {
    "cache": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
    "pipeline_class": KernelCompiler,
}


def kernel(function: Callable) -> Callable:
    """Compile a function in nopython mode."""
    return _once_for_all_literals(njit(**OPTIONS)(function))


def inline_kernel(function: Callable) -> Callable:
    """Compile as `kernel` does and have LLVM inline every call.

    For helpers of a few lines and for functions called from one place. A call costs about 5 ns, because
    numba hands on a status and a pointer to the result.
    """
    return _once_for_all_literals(njit(**OPTIONS, forceinline=True)(function))


def spliced_kernel(function: Callable) -> Callable:
    """Have numba copy a function into its caller before that is compiled.

    For functions called from one place that stand above much other code. Numba optimises, with each
    function it compiles, all that this one calls once more; what is spliced spares its level.
    """
    return _once_for_all_literals(njit(**OPTIONS, inline="always")(function))


def _once_for_all_literals(dispatcher: Any) -> Callable:
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
