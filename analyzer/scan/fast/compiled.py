"""Functions over plain memory that are compiled to machine code when they are first called, and kept for later runs.

They take numbers and addresses alone: for arrays the compiler would count references at every call, which costs more
than all that is done with them. Whoever calls one holds on to the arrays, and answers for what is read and written.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from zlib import crc32

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy as np
    from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

_COMPILED = ("compiled.py", "layout.py", "texts.py", "kernel.py")
_BYTE, _WORD, _REAL = ir.IntType(8), ir.IntType(64), ir.DoubleType()


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function as machine code that other threads can run beside.

    What was compiled is kept beside the module, or in the user's folder for caches; where neither can be written, each
    run compiles anew. It is found again as long as none of these modules changes: machine code holds that of the
    functions that it calls.
    """
    function.__qualname__ += f"_{_sources():08x}"  # a part of the name under which it is kept
    with suppress(RuntimeError):  # numba's word for there being no place to keep it
        quick: Callable[P, R] = njit(nogil=True, cache=True)(function)
        return quick
    again: Callable[P, R] = njit(nogil=True)(function)
    return again


@cache
def _sources() -> int:
    """A checksum of the modules that are compiled."""
    found = 0
    for name in _COMPILED:
        found = crc32(Path(__file__).with_name(name).read_bytes(), found)
    return found


def addresses(arrays: Iterable[NDArray[Any]]) -> Any:
    """The addresses of several arrays, to be handed on as arguments."""
    return [address(array) for array in arrays]


def address(array: NDArray[Any]) -> int:
    """Where the array's first element lies; the array must lie in one piece."""
    if not array.flags.c_contiguous:
        raise ValueError("the array has gaps")
    return int(array.ctypes.data)


def _reads(element: ir.Type, size: int, result: types.Type) -> Any:
    """A function of an address and an index that reads the element there, wherever it lies."""

    def typed(_context: object, base: object, index: object) -> Any:  # noqa: ARG001 - numba goes by the names
        def code(_: object, builder: Any, __: object, given: Any) -> Any:
            read = builder.load(_pointer(builder, given, element, size), align=1, typ=element)
            return builder.zext(read, _WORD) if element is _BYTE else read

        return result(types.int64, types.int64), code

    return intrinsic(typed)


def _writes(element: ir.Type, size: int, value_type: types.Type) -> Any:
    """A function of an address, an index and a value that writes the element there."""

    def typed(_context: object, base: object, index: object, value: object) -> Any:  # noqa: ARG001 - the same
        def code(context: Any, builder: Any, __: object, given: Any) -> Any:
            value = builder.trunc(given[2], _BYTE) if element is _BYTE else given[2]
            builder.store(value, _pointer(builder, given, element, size), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, value_type), code

    return intrinsic(typed)


@intrinsic
def _lowest(_context: object, _word: object) -> Any:
    def code(_: object, builder: Any, __: object, given: Any) -> Any:
        return builder.cttz(given[0], ir.IntType(1)(0))

    return types.int64(types.uint64), code


def _pointer(builder: Any, given: Any, element: ir.Type, size: int) -> Any:
    offset = builder.mul(given[1], _WORD(size))
    return builder.inttoptr(builder.add(given[0], offset), element.as_pointer())


lowest: Callable[[np.uint64], int] = cast("Any", _lowest)  # how many bits stand below the lowest that is set
byte: Callable[[int, int], int] = _reads(_BYTE, 1, types.int64)
word: Callable[[int, int], np.uint64] = _reads(_WORD, 1, types.uint64)  # eight bytes from any of them on
whole: Callable[[int, int], int] = _reads(_WORD, 8, types.int64)
real: Callable[[int, int], float] = _reads(_REAL, 8, types.float64)
put_byte: Callable[[int, int, int], None] = _writes(_BYTE, 1, types.int64)
put_whole: Callable[[int, int, int], None] = _writes(_WORD, 8, types.int64)
put_real: Callable[[int, int, float], None] = _writes(_REAL, 8, types.float64)
