"""How kernels compile, decided once.

Numba as it comes makes machine code of every function, each time with all that this one calls in it, and
so optimises a function as often as it has callers above it. Here a kernel that Python calls is a *whole*:
it takes in the code of all kernels below it, its *parts*, and only that is optimised and made machine code.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from llvmlite.binding import Linkage
from numba import njit, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.np import arrayobj

# Stages of compilation for what no kernel has: closures, `with`, array expressions, literal loops.
NEEDLESS_PASSES = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.NopythonRewrites,
    typed_passes.InlineOverloads,
    typed_passes.DumpParforDiagnostics,
)

# Numba spells out a record's thousand fields each time it puts a name to a type.
types.Record.__repr__ = cache(types.Record.__repr__)  # type: ignore[method-assign]


class Whole(JITCodeLibrary):
    """Machine code of a kernel that Python calls, with all that it calls, directly or not."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Take in a called function, and behind those it calls, which it has in that order itself."""
        for part in (*library._linking_libraries, library):
            super().add_linking_library(part)

    def link_all(self, module: Any) -> None:
        """Link all below; callers first, because LLVM leaves out what nothing calls yet."""
        for library in reversed(dict.fromkeys(self._linking_libraries)):
            module.link_in(JITCodeLibrary._get_module_for_linking(library), preserve=True)

    def finalize(self) -> None:
        """Link, optimise, make machine code."""
        self.link_all(self._final_module)
        self._linking_libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Tell LLVM that nobody else calls the parts, before it optimises.

        It then hands over only what a part needs, drops questions whose answer is always the same (whether
        a call failed), and inlines what is called from one place.
        """
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class Part(Whole):
    """A kernel as those that call it need it: hardly optimised, and no machine code."""

    def finalize(self) -> None:
        """All the rest is done with the whole that takes it in."""
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """A function compiled otherwise would ask for it, but does not take in what is below this one."""
        raise TypeError(f"{self.name}: who calls a kernel needs pipeline_class=KernelCompiler")

    @property
    def codegen(self) -> Any:
        """Who would be told where machine code has its constants."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There are none."""

    def get_pointer_to_function(self, name: str) -> int:
        """A null pointer: there is nothing that could be called."""
        return 0


class KernelCompiler(Compiler):
    """Numba's compiler, but that a negative index does not count from the end.

    No kernel has one, and asking each index for its sign was a fifth of the cost of a run. A run with
    NUMBA_BOUNDSCHECK=1 raises IndexError at a negative index, as at one beyond the end.
    """

    code_class: type[JITCodeLibrary] = Whole

    def define_pipelines(self) -> list:
        """The stages of compilation."""
        (stages,) = super().define_pipelines()
        stages.passes = [one for one in stages.passes if one[0] not in NEEDLESS_PASSES]
        return [stages]

    def compile_extra(self, func: Callable) -> Any:
        """Compile a function, and what it calls that is not compiled yet."""
        code = self.code_class(self.state.targetctx.codegen(), func.__qualname__)
        code.enable_object_caching()
        self.state["library"] = code
        with (
            _standing_in(arrayobj, "fix_integer_index", _index_as_it_is),
            _standing_in(types.Function, "get_call_type", _known_call_type),
        ):
            return super().compile_extra(func)


class PartCompiler(KernelCompiler):
    """The compiler of what only other kernels call."""

    code_class = Part


@contextmanager
def _standing_in(owner: Any, name: str, substitute: Any) -> Iterator[None]:
    """Replace a function of numba, under whose lock all compilation happens."""
    original = getattr(owner, name)
    setattr(owner, name, substitute)
    try:
        yield
    finally:
        setattr(owner, name, original)


def _index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Stands for `fix_integer_index`."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


_resolve = types.Function.get_call_type
_call_types: dict[tuple, Any] = {}


def _known_call_type(function: Any, context: Any, args: tuple, kws: dict) -> Any:
    """Stands for `get_call_type`, which finds out anew at each `+` what that means for two integers."""
    question = (function, args, *kws.items())
    if question not in _call_types:
        _call_types[question] = _resolve(function, context, args, kws)
    return _call_types[question]


# Without fastmath, so that equal seeds give equal results; division follows numpy's error model, which
# spares a check for zero each time; nothing calls kernels from C. No kernel makes an array, so none
# counts references: doing so was a third of the cost of a run.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
WHOLE: dict[str, Any] = {"cache": True, "pipeline_class": KernelCompiler}
PART: dict[str, Any] = {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}


def kernel(function: Callable) -> Callable:
    """Compile a function in nopython mode."""
    return _compiled(function)


def inline_kernel(function: Callable) -> Callable:
    """Compile as `kernel` does and have LLVM inline every call.

    For helpers of a few lines and for functions called from one place. A call costs about 5 ns, because
    numba hands on a status and a pointer to the result.
    """
    return _compiled(function, forceinline=True)


def spliced_kernel(function: Callable) -> Callable:
    """Have numba copy a function into its caller before that is compiled.

    For functions called from one place that stand above much other code.
    """
    return _compiled(function, inline="always")


def _compiled(function: Callable, **how: Any) -> Callable:
    """What Python calls, cached on disk; other kernels get the function's part instead.

    A part takes a literal argument for its type. Left alone numba compiles a function anew for every
    literal number it is called with.
    """
    whole = njit(**OPTIONS, **WHOLE, **how)(function)
    if not hasattr(whole, "get_call_template"):  # with NUMBA_DISABLE_JIT
        return whole
    part = njit(**OPTIONS, **PART, **how)(function)
    whole.get_call_template = lambda args, kws: part.get_call_template(
        tuple(map(types.unliteral, args)), kws
    )
    whole.get_overload = part.get_overload
    return whole
