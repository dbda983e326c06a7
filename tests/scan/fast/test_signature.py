"""Machine code is given the numbers that a function's annotations name, and no others, and gives what they say."""

from __future__ import annotations

from ctypes import ArgumentError
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
kept = pytest.importorskip("analyzer.scan.fast.kept")
layout = pytest.importorskip("analyzer.scan.fast.layout")
signature = pytest.importorskip("analyzer.scan.fast.signature")

if TYPE_CHECKING:
    from collections.abc import Callable


class Pair(NamedTuple):
    first: int
    second: float


class Nest(NamedTuple):
    count: int
    pair: Pair
    last: int


def added(nest: Nest, number: int) -> tuple[int, float]:
    return nest.count + 10 * nest.last + 100 * nest.pair.first + number, nest.pair.second


def halved(number: float) -> float:
    return number / 2.0


def flipped(number: np.uint64) -> np.uint64:
    return ~number


def negative(number: int) -> bool:
    return number < 0


def nothing(number: int) -> None:
    """Gives nothing."""


def divided(number: int, by: int) -> int:
    return number // by


FUNCTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (added, halved, flipped, negative, nothing, divided)
}


@cache
def run() -> dict[str, Callable[..., Any]]:
    found: dict[str, Callable[..., Any]] = compiled.runs(FUNCTIONS, kept.Kept("", b"", ()))
    assert {each.__name__ for each in found.values()} == {"run"}, "machine code, not what numba calls"
    return found


def test_tuples_are_numbers_in_a_row() -> None:
    kinds = [kind.__name__ for kind in signature.signature_of(added).numbers()]
    assert kinds == [kind.__name__ for kind in map(signature._NUMBERS.get, (int, int, float, int, int))]  # noqa: SLF001 - what they are
    assert run()["added"](Nest(1, Pair(2, 0.5), 3), 1000) == (1231, 0.5)


def test_the_tuples_of_the_layout_need_not_be_imported() -> None:
    def function(_place: Place) -> None: ...  # type: ignore[name-defined]  # noqa: F821 - as it is said

    assert signature.signature_of(function).given == (layout.Place,)


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("halved", 3.0, 1.5),
        ("flipped", 0, 2**64 - 1),
        ("flipped", 2**64 - 1, 0),
        ("negative", -1, True),
        ("negative", 1, False),
        ("nothing", 1, None),
        ("divided", (-7, 2), -4),
    ],
)
def test_a_result_is_of_its_kind(name: str, given: Any, result: object) -> None:
    found = run()[name](*(given if isinstance(given, tuple) else (given,)))
    assert (found, type(found)) == (result, type(result))


@pytest.mark.parametrize("given", [(), (1, 2), (Pair(1, 2.0),)])
def test_too_few_numbers_or_too_many_are_refused(given: Any) -> None:
    for name in ("halved", "added"):
        with pytest.raises((TypeError, ArgumentError)):
            run()[name](*given)


@pytest.mark.parametrize("given", ["1", 1.5, None])
def test_what_is_no_number_of_its_kind_is_refused(given: Any) -> None:
    with pytest.raises(ArgumentError):
        run()["negative"](given)


def test_what_goes_wrong_in_the_code_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="went wrong"):
        run()["divided"](1, 0)
    assert run()["divided"](7, 2) == 3, "the next call is another"
