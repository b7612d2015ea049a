"""From a Python function to LLVM's language, ready to become an object file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from five211.fast.machine import ENTRY, TYPES


def entry(takes: str, function: Callable[..., Any]) -> str:
    """A function of numbers and pointers, as text; `takes` is like "u64 u8*"."""
    arguments = []
    for word in takes.split():
        kind = from_dtype(np.dtype(TYPES[word.rstrip("*")]))
        arguments.append(types.CPointer(kind) if word.endswith("*") else kind)
    made = CFunc(function, (tuple(arguments), types.int64), {}, {"error_model": "numpy"})
    made.compile()
    return text(made)


def text(made: Any) -> str:
    """A compiled function in LLVM's language, under the name that it is looked for by."""
    return str(made.inspect_llvm().replace(made.native_name, ENTRY))


@intrinsic
def bytes_at(_context: Any, _words: Any, _place: Any) -> Any:
    """The bytes of the words from a place on: quicker to compile than an array's other view."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        words, place = given
        return builder.bitcast(builder.gep(words, [place]), ir.IntType(8).as_pointer())

    return types.CPointer(types.uint8)(types.CPointer(types.uint64), types.uint64), generate


def memory(kind: Any, size: int) -> Any:
    """A little memory to work in, which needs no allocator: so many numbers of a kind."""

    @intrinsic
    def lent(_context: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, _given: Any) -> Any:
            number = context.get_value_type(kind)
            space = cgutils.alloca_once(builder, ir.ArrayType(number, size))
            return builder.bitcast(space, number.as_pointer())

        return types.CPointer(kind)(), generate

    return lent
