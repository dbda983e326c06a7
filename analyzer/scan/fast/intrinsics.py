"""The `instructions` as the compiler writes them. Imports numba: needed to compile, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from analyzer.scan.fast import instructions

if TYPE_CHECKING:
    from collections.abc import Callable

_BYTE, _WORD, _REAL = ir.IntType(8), ir.IntType(64), ir.DoubleType()
_SIXTY_FOUR = ir.VectorType(_BYTE, 64)


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
def _hits(_context: object, base: object, index: object, wanted: object) -> Any:  # noqa: ARG001 - as above
    def code(_: object, builder: Any, __: object, given: Any) -> Any:
        one = builder.insert_element(_SIXTY_FOUR(ir.Undefined), builder.trunc(given[2], _BYTE), ir.IntType(32)(0))
        alike = builder.shuffle_vector(one, _SIXTY_FOUR(ir.Undefined), ir.VectorType(ir.IntType(32), 64)([0] * 64))
        return builder.bitcast(builder.icmp_unsigned("==", _sixty_four(builder, given), alike), _WORD)

    return types.uint64(types.int64, types.int64, types.int64), code


@intrinsic
def _beyond_ascii(_context: object, base: object, index: object) -> Any:  # noqa: ARG001 - as above
    def code(_: object, builder: Any, __: object, given: Any) -> Any:
        below = builder.icmp_signed("<", _sixty_four(builder, given), _SIXTY_FOUR([0] * 64))
        return builder.bitcast(below, _WORD)

    return types.uint64(types.int64, types.int64), code


def _sixty_four(builder: Any, given: Any) -> Any:
    return builder.load(_pointer(builder, given, _SIXTY_FOUR, 1), align=1, typ=_SIXTY_FOUR)


@intrinsic
def _lowest(_context: object, _word: object) -> Any:
    def code(_: object, builder: Any, __: object, given: Any) -> Any:
        return builder.cttz(given[0], ir.IntType(1)(0))

    return types.int64(types.uint64), code


def _pointer(builder: Any, given: Any, element: ir.Type, size: int) -> Any:
    offset = builder.mul(given[1], _WORD(size))
    return builder.inttoptr(builder.add(given[0], offset), element.as_pointer())


INTRINSICS: dict[Callable[..., Any], Any] = {
    instructions.lowest: _lowest,
    instructions.hits: _hits,
    instructions.beyond_ascii: _beyond_ascii,
    instructions.byte: _reads(_BYTE, 1, types.int64),
    instructions.word: _reads(_WORD, 1, types.uint64),
    instructions.whole: _reads(_WORD, 8, types.int64),
    instructions.real: _reads(_REAL, 8, types.float64),
    instructions.put_byte: _writes(_BYTE, 1, types.int64),
    instructions.put_whole: _writes(_WORD, 8, types.int64),
    instructions.put_real: _writes(_REAL, 8, types.float64),
}
