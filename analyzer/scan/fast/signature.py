"""How machine code is called: what a function is given and gives, by its annotations, as numbers in a row.

The code keeps numba's convention: it is given the address for its result, one for what went wrong, and then every
number by itself, those of a tuple in their order; it returns zero unless something went wrong.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, Structure, addressof, byref, c_bool, c_double, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from analyzer.scan.fast import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_NUMBERS = {int: c_int64, float: c_double, np.uint64: c_uint64}
_RESULTS = _NUMBERS | {bool: c_bool, NoneType: c_void_p}


class Signature(NamedTuple):
    """The types of what a function is given, and of what it gives."""

    given: tuple[Any, ...]
    result: Any

    def numbers(self) -> list[Any]:
        """All that it is given, number by number."""
        return [number for kind in self.given for number in _numbers(kind)]

    def call(self, address: int, owner: object) -> Callable[..., Any]:
        """The machine code at an address as a function, beside which other threads run; `owner` is held on to."""
        numbers = self.numbers()
        count, nested = len(numbers), len(numbers) > len(self.given)
        wrong = c_void_p()  # nobody reads it, so all threads have one
        wrong_at = addressof(wrong)
        code = CFUNCTYPE(c_int32, c_void_p, c_void_p, *numbers)(address)
        code.holds = owner, wrong  # type: ignore[attr-defined]
        place, value = _place(self.result)

        def run(*given: Any) -> Any:
            row = _in_a_row([], given) if nested else given
            if len(row) != count:
                raise TypeError(f"takes {count} numbers, not {len(row)}")
            result = place()
            if code(byref(result), wrong_at, *row):
                raise RuntimeError("machine code went wrong")
            return value(result)

        return run


def signature_of(function: Callable[..., Any]) -> Signature:
    """What a function's annotations say; the tuples of `layout` need not be imported where it stands."""
    hints = get_type_hints(function, localns=vars(layout))
    result = hints.pop("return")
    return Signature(tuple(hints.values()), result)


@cache
def _numbers(kind: Any) -> tuple[Any, ...]:
    if hasattr(kind, "_fields"):
        return tuple(number for field in get_type_hints(kind).values() for number in _numbers(field))
    return (_NUMBERS[kind],)


def _place(kind: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Where a result of a kind is written, and what reads it there."""
    if get_origin(kind) is not tuple:
        return _RESULTS[kind], attrgetter("value")
    fields = [(f"_{index}", _NUMBERS[part]) for index, part in enumerate(get_args(kind))]
    return type("Results", (Structure,), {"_fields_": fields}), attrgetter(*(name for name, _ in fields))


def _in_a_row(row: list[Any], values: Iterable[Any]) -> list[Any]:
    for value in values:
        if isinstance(value, tuple):
            _in_a_row(row, value)
        else:
            row.append(value)
    return row
