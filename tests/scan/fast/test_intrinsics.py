"""Memory is read and written at any address, to the byte, by machine code as in Python's words."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
pytest.importorskip("numba")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
instructions = pytest.importorskip("analyzer.scan.fast.instructions")
kept = pytest.importorskip("analyzer.scan.fast.kept")

if TYPE_CHECKING:
    from collections.abc import Callable

byte, word, whole, real = instructions.byte, instructions.word, instructions.whole, instructions.real
put_byte, put_whole, put_real = instructions.put_byte, instructions.put_whole, instructions.put_real
lowest, hits, beyond_ascii = instructions.lowest, instructions.hits, instructions.beyond_ascii


def read(at: int, place: int, index: int) -> tuple[int, np.uint64, int, float]:
    """The byte and the word at a place, and the element of this number of those that begin there."""
    return byte(at, place), word(at, place), whole(at + place, index), real(at + place, index)


def write(at: int, index: int, number: int) -> None:
    put_byte(at, index, number)


def write_whole(at: int, index: int, number: int) -> None:
    put_whole(at, index, number)


def write_real(at: int, index: int, number: float) -> None:
    put_real(at, index, number)


def low(of: np.uint64) -> int:
    return lowest(of)


def found(at: int, place: int, wanted: int) -> np.uint64:
    return hits(at, place, wanted)


def tops(at: int, place: int) -> np.uint64:
    return beyond_ascii(at, place)


FUNCTIONS = read, write, write_whole, write_real, low, found, tops
WORDS: dict[str, Callable[..., Any]] = {each.__name__: each for each in FUNCTIONS}


@cache
def machine_code() -> dict[str, Callable[..., Any]]:
    return compiled.runs(WORDS, kept.Kept("", b"", ()))  # type: ignore[no-any-return]


@pytest.fixture(scope="module", params=["python", "machine"])
def by(request: pytest.FixtureRequest) -> dict[str, Callable[..., Any]]:
    return WORDS if request.param == "python" else machine_code()


def laid(text: bytes) -> tuple[Any, int]:
    """An array of bytes, and where it lies."""
    array = np.frombuffer(bytearray(text), np.uint8)
    return array, compiled.address(array)


@given(text=st.binary(min_size=40, max_size=40), place=st.integers(0, 15), index=st.integers(0, 2))
def test_elements_are_read_wherever_they_lie(by: Any, text: bytes, place: int, index: int) -> None:
    _array, at = laid(text)
    one, eight, number, fraction = by["read"](at, place, index)
    assert (one, int(eight)) == (text[place], int.from_bytes(text[place : place + 8], "little"))
    begins = place + 8 * index
    assert number == struct.unpack_from("<q", text, begins)[0]
    assert np.isnan(fraction) or struct.pack("<d", fraction) == text[begins : begins + 8]


def test_an_element_before_an_address_is_read(by: Any) -> None:
    array = np.array([7, 8, 9], np.int64)
    assert by["read"](compiled.address(array) + 16, 0, -2)[2] == 7


@given(
    text=st.binary(min_size=40, max_size=40),
    odd=st.integers(0, 7),
    index=st.integers(0, 3),
    number=st.integers(-(2**63), 2**63 - 1),
)
def test_a_number_is_written_where_it_goes_and_nowhere_else(
    by: Any, text: bytes, odd: int, index: int, number: int
) -> None:
    array, at = laid(text)
    by["write_whole"](at + odd, index, number)
    begins = odd + 8 * index
    assert array.tobytes() == text[:begins] + struct.pack("<q", number) + text[begins + 8 :]


@given(
    text=st.binary(min_size=40, max_size=40),
    odd=st.integers(0, 7),
    index=st.integers(0, 3),
    number=st.floats(allow_nan=False),
)
def test_a_fraction_is_written_where_it_goes_and_nowhere_else(
    by: Any, text: bytes, odd: int, index: int, number: float
) -> None:
    array, at = laid(text)
    by["write_real"](at + odd, index, number)
    begins = odd + 8 * index
    assert array.tobytes() == text[:begins] + struct.pack("<d", number) + text[begins + 8 :]


@given(text=st.binary(min_size=9, max_size=9), index=st.integers(0, 8), number=st.integers(0, 255))
def test_a_byte_is_written_alone(by: Any, text: bytes, index: int, number: int) -> None:
    array, at = laid(text)
    by["write"](at, index, number)
    assert array.tobytes() == text[:index] + bytes([number]) + text[index + 1 :]


@given(number=st.integers(1, 2**64 - 1))
def test_the_lowest_bit_that_is_set_is_found(by: Any, number: int) -> None:
    assert by["low"](number) == bin(number)[::-1].index("1")


FEW_KINDS = st.lists(st.sampled_from([0, 10, 27, 127, 128, 255]), min_size=80, max_size=80).map(bytes)


@given(text=FEW_KINDS, place=st.integers(0, 16), wanted=st.sampled_from([0, 10, 128, 255]))
def test_each_of_64_bytes_that_is_the_wanted_one_is_a_bit(by: Any, text: bytes, place: int, wanted: int) -> None:
    _array, at = laid(text)
    bits = int(by["found"](at, place, wanted))
    assert [bits >> bit & 1 for bit in range(64)] == [int(one == wanted) for one in text[place : place + 64]]


@given(text=FEW_KINDS, place=st.integers(0, 16))
def test_each_of_64_bytes_that_is_not_ascii_is_a_bit(by: Any, text: bytes, place: int) -> None:
    _array, at = laid(text)
    bits = int(by["tops"](at, place))
    assert [bits >> bit & 1 for bit in range(64)] == [int(one > 127) for one in text[place : place + 64]]
