"""Memory is read and written at any address, to the byte, and only arrays in one piece have one."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")

byte, word, whole, real, lowest = compiled.byte, compiled.word, compiled.whole, compiled.real, compiled.lowest
put_byte, put_whole, put_real = compiled.put_byte, compiled.put_whole, compiled.put_real


@compiled.compiled
def read(at: int, place: int, index: int) -> tuple[int, object, int, float]:
    """The byte and the word at a place, and the element of this number of those that begin there."""
    return byte(at, place), word(at, place), whole(at + place, index), real(at + place, index)


@compiled.compiled
def write(at: int, index: int, number: int) -> None:
    put_byte(at, index, number)


@compiled.compiled
def write_whole(at: int, index: int, number: int) -> None:
    put_whole(at, index, number)


@compiled.compiled
def write_real(at: int, index: int, number: float) -> None:
    put_real(at, index, number)


@compiled.compiled
def low(of: object) -> int:
    return lowest(of)


@pytest.mark.parametrize("gaps", [lambda: np.arange(10)[::2], lambda: np.zeros((4, 3)).T, lambda: np.arange(9)[::-1]])
def test_an_array_with_gaps_has_no_address(gaps: object) -> None:
    with pytest.raises(ValueError, match="gaps"):
        compiled.address(gaps())  # type: ignore[operator]


def test_a_part_in_one_piece_has_the_address_of_its_first_element() -> None:
    whole_array = np.arange(10, dtype=np.int64)
    assert compiled.address(whole_array[3:]) == compiled.address(whole_array) + 3 * 8


@given(st.binary(min_size=40, max_size=40), st.integers(0, 15), st.integers(0, 2))
def test_elements_are_read_wherever_they_lie(text: bytes, place: int, index: int) -> None:
    array = np.frombuffer(text, np.uint8)
    one, eight, number, fraction = read(compiled.address(array), place, index)
    assert (one, int(eight)) == (text[place], int.from_bytes(text[place : place + 8], "little"))
    at = place + 8 * index
    assert number == struct.unpack_from("<q", text, at)[0]
    assert np.isnan(fraction) or struct.pack("<d", fraction) == text[at : at + 8]


def test_an_element_before_an_address_is_read() -> None:
    array = np.array([7, 8, 9], np.int64)
    assert read(compiled.address(array) + 16, 0, -2)[2] == 7


@given(st.binary(min_size=40, max_size=40), st.integers(0, 7), st.integers(0, 3), st.integers(-(2**63), 2**63 - 1))
def test_a_number_is_written_where_it_goes_and_nowhere_else(text: bytes, odd: int, index: int, number: int) -> None:
    array = np.frombuffer(bytearray(text), np.uint8)
    write_whole(compiled.address(array) + odd, index, number)
    at = odd + 8 * index
    assert array.tobytes() == text[:at] + struct.pack("<q", number) + text[at + 8 :]


@given(st.binary(min_size=40, max_size=40), st.integers(0, 7), st.integers(0, 3), st.floats(allow_nan=False))
def test_a_fraction_is_written_where_it_goes_and_nowhere_else(text: bytes, odd: int, index: int, number: float) -> None:
    array = np.frombuffer(bytearray(text), np.uint8)
    write_real(compiled.address(array) + odd, index, number)
    at = odd + 8 * index
    assert array.tobytes() == text[:at] + struct.pack("<d", number) + text[at + 8 :]


@given(st.binary(min_size=9, max_size=9), st.integers(0, 8), st.integers(0, 255))
def test_a_byte_is_written_alone(text: bytes, index: int, number: int) -> None:
    array = np.frombuffer(bytearray(text), np.uint8)
    write(compiled.address(array), index, number)
    assert array.tobytes() == text[:index] + bytes([number]) + text[index + 1 :]


@given(st.integers(1, 2**64 - 1))
def test_the_lowest_bit_that_is_set_is_found(number: int) -> None:
    assert low(np.uint64(number)) == bin(number)[::-1].index("1")


def test_where_nothing_can_be_kept_a_function_is_compiled_anew() -> None:
    kept = []

    def without_a_place(*, nogil: bool, cache: bool = False) -> object:
        kept.append(cache)
        if cache:
            raise RuntimeError("no locator available")
        return lambda function: (function, nogil)

    def function() -> None: ...

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "njit", without_a_place)
        assert compiled.compiled(function) == (function, True)
    assert kept == [True, False]
