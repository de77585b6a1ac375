"""Bringing a record into the processor's caches before it is needed.

The pages of some gigabytes have tens of megabytes of records, and a random read goes to any of them. Where
it will go is known while the thread still waits for the read before; asked for then, the record is there
in time. Nothing else follows from it: no decision, no result.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def prefetch(records: Any, index: int) -> None:
    """Ask for `records[index]`, which need not exist; returns at once. Does nothing in plain Python."""


def _instruction(typing_context, records, index):
    """LLVM's instruction of that name: for reading, to be kept, data."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        at = context.cast(builder, arguments[1], signature.args[1], types.intp)
        place = cgutils.get_item_pointer(context, builder, signature.args[0], array, [at])
        number = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number]),
            "llvm.prefetch.p0",
        )
        place = builder.bitcast(place, cgutils.voidptr_t)
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(records, index), generate


_prefetch: Any = intrinsic(_instruction)


@overload(prefetch)
def _overloaded(records, index):
    def implementation(records, index):
        _prefetch(records, index)

    return implementation
