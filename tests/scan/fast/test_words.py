"""Bytes are compared to the last one, and a number is read only where it is nothing but a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
words = pytest.importorskip("analyzer.scan.fast.words")


def number(text: str, places: int) -> tuple[float, int] | None:
    """The number at the beginning of `text, …`, and its length."""
    value, length, plain = words.Words(f"{text}, more\n".encode()).number(
        np.zeros(1, np.int64), ord(","), places, np.ones(1, np.bool_)
    )
    return (float(value[0]), int(length[0])) if plain[0] else None


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "1e5", "nan", "inf", "1.25", " 1", "1 ", "1_0", "0x1", "１", "1234567890123456", "12345678a"],
)
def test_what_is_no_whole_number_is_not_read(text: str) -> None:
    assert number(text, 0) is None


@pytest.mark.parametrize(
    "text", ["", "1", "1.2", "1.234", ".25", "1..25", "-1.25", "1.2e", "1.25%", "1,25", "12345678.2e"]
)
def test_a_number_of_other_decimals_is_not_read(text: str) -> None:
    assert number(text, 2) is None


@given(st.integers(0, 10**14))
def test_whole_numbers_are_read(value: int) -> None:
    assert number(str(value), 0) == (float(value), len(str(value)))


@given(st.integers(0, 10**8), st.integers(1, 6))
def test_decimal_numbers_are_read_as_python_reads_them(value: int, places: int) -> None:
    digits = str(value).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}"
    assert number(text, places) == (float(text), len(text))


@given(st.binary(min_size=1, max_size=40), st.integers(0, 39))
def test_a_text_that_differs_in_one_byte_is_not_the_same(text: bytes, index: int) -> None:
    index %= len(text)
    other = text[:index] + bytes((text[index] ^ 1,)) + text[index + 1 :]
    found = words.Words(text + b"\n" + other + b"\n").same(np.array([0, len(text) + 1]), text)
    assert found.tolist() == [True, False]


def test_a_byte_is_found_up_to_the_limit() -> None:
    text = b"0123456789abcdef]\n"
    found = words.Words(text).distance(np.array([0, 9, 16]), ord("]"), 16)
    assert found.tolist() == [16, 7, 0]


def test_flags_are_read_and_other_words_are_not() -> None:
    value, length, plain = words.Words(b"True,False,Maybe\n").flag(np.array([0, 5, 11]))
    assert plain.tolist() == [True, True, False]
    assert (value.tolist()[:2], length.tolist()[:2]) == ([True, False], [4, 5])


@given(st.binary(min_size=8, max_size=8), st.integers(-3, 12))
def test_an_address_is_made_of_digits_points_and_colons(text: bytes, length: int) -> None:
    word = words.Words(text + b"\n").at(np.zeros(1, np.int64))
    expected = all(byte in b"0123456789.:" for byte in text[: max(0, length)])
    assert words.numeric(word, np.array([length])).tolist() == [expected]


def test_a_masked_word_holds_its_first_bytes() -> None:
    word = words.Words(b"abcdefgh\n").at(np.zeros(3, np.int64))
    assert [int(w).to_bytes(8, "little").rstrip(b"\0") for w in words.masked(word, np.array([0, 3, 8]))] == [
        b"",
        b"abc",
        b"abcdefgh",
    ]
