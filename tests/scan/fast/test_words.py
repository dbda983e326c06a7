"""Bytes are compared to the last one, and a number is read only where it is nothing but a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
words = pytest.importorskip("analyzer.scan.fast.words")


def padded(text: bytes) -> object:
    return words.Words(text + words.PAD)


def number(text: str, places: int) -> tuple[float, int] | None:
    """The number of at most eight characters before the comma in `text, …`, and its length."""
    word = padded(f"{text}, more\n".encode()).at(np.zeros(1, np.int64))  # type: ignore[attr-defined]
    length = words.number_length(word, places, ord(","))
    digits, plain = words.parsed(word, length, places)
    ended = f"{text},".encode()[length[0] : length[0] + 1] == b","  # a template compares what stands behind
    return (int(digits[0]) / 10**places, int(length[0])) if plain[0] and ended else None


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "1e5", "nan", "inf", "1.25", " 1", "1 ", "1_0", "0x1", "１"],
)
def test_what_is_no_whole_number_is_not_read(text: str) -> None:
    assert number(text, 0) is None


@pytest.mark.parametrize("text", ["", "1", "1.2", "1.234", ".25", "1..25", "-1.25", "1.2e", "1.25%"])
def test_a_number_of_other_decimals_is_not_read(text: str) -> None:
    assert number(text, 2) is None


@given(st.integers(0, 10**8 - 1))
def test_whole_numbers_are_read(value: int) -> None:
    assert number(str(value), 0) == (float(value), len(str(value)))


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_decimal_numbers_are_read_as_python_reads_them(value: int, places: int) -> None:
    digits = str(value).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}"
    if len(text) <= words.WIDTH:
        assert number(text, places) == (float(text), len(text))


def test_a_number_ends_before_any_byte() -> None:
    word = padded(b"120], more\n").at(np.zeros(1, np.int64))  # type: ignore[attr-defined]
    assert words.number_length(word, 0, ord("]")).tolist() == [3]


@given(st.binary(min_size=1, max_size=40), st.integers(0, 39))
def test_a_text_that_differs_in_one_byte_is_not_the_same(text: bytes, index: int) -> None:
    index %= len(text)
    other = text[:index] + bytes((text[index] ^ 1,)) + text[index + 1 :]
    found = padded(text + b"\n" + other + b"\n").same(np.array([0, len(text) + 1]), text)
    assert found.tolist() == [True, False]


def test_a_byte_is_found_up_to_the_limit() -> None:
    text = b"0123456789abcdef]\n"
    found = padded(text).distance(np.array([0, 9, 16]), ord("]"), 16)
    assert found.tolist() == [16, 7, 0]


def test_flags_are_read_and_other_words_are_not() -> None:
    word = padded(b"True,False,Maybe\n").at(np.array([0, 5, 11]))  # type: ignore[attr-defined]
    value, length, plain = words.flag(word)
    assert plain.tolist() == [True, True, False]
    assert (value.tolist()[:2], length.tolist()[:2]) == ([True, False], [4, 5])


def test_the_bytes_behind_a_text_come_with_it() -> None:
    same, word = padded(b"0123456789 #token: 42, more\n").behind(np.array([11, 12]), b"#token: ")  # type: ignore[attr-defined]
    assert same.tolist() == [True, False]
    assert int(word[0]).to_bytes(8, "little") == b"42, more"


@given(st.binary(min_size=8, max_size=8), st.integers(-3, 12))
def test_an_address_is_made_of_digits_points_and_colons(text: bytes, length: int) -> None:
    word = padded(text + b"\n").at(np.zeros(1, np.int64))
    expected = all(byte in b"0123456789.:" for byte in text[: max(0, length)])
    assert words.numeric(word, np.array([length])).tolist() == [expected]


def test_a_masked_word_holds_its_first_bytes() -> None:
    word = padded(b"abcdefgh\n").at(np.zeros(3, np.int64))
    assert [int(w).to_bytes(8, "little").rstrip(b"\0") for w in words.masked(word, np.array([0, 3, 8]))] == [
        b"",
        b"abc",
        b"abcdefgh",
    ]
