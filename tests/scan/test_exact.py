"""What a line is: it ends at a line feed, counts as `sed -n` counts, and no byte is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.scan import MAX_TEXT, Line, lines
from analyzer.scan.exact import line_of


class Dribble:
    """A stream that gives a few bytes at a time."""

    damage = ""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = data
        self._size = size

    def read(self, size: int, /) -> bytes:
        size = min(size, self._size)
        data, self._data = self._data[:size], self._data[size:]
        return data

    def close(self) -> None:
        self._data = b""


def scan(data: bytes) -> list[Line]:
    return list(lines(InMemory(data).open()))


def texts(data: bytes) -> list[str]:
    return [line.text for line in scan(data)]


def test_only_a_line_feed_ends_a_line() -> None:
    assert texts("a\x0bb\x0cc\x1cd\x85e\u2028f\rg\n".encode()) == ["a\x0bb\x0cc\x1cd\x85e\u2028f\rg"]


def test_a_carriage_return_before_the_line_end_is_dropped_and_one_inside_stays() -> None:
    assert texts(b"0%|  | 0/23\r4%|# | 1/23\r\nnext\r\n") == ["0%|  | 0/23\r4%|# | 1/23", "next"]


def test_lines_are_numbered_as_sed_numbers_them() -> None:
    assert [(line.number, line.text) for line in scan(b"one\n\nthree")] == [(1, "one"), (2, ""), (3, "three")]


def test_an_empty_stream_has_no_line() -> None:
    assert scan(b"") == []


def test_undecodable_bytes_are_counted_and_kept() -> None:
    assert scan(b"ok\nb\xffad\xfe\n")[1] == Line(2, 3, 9, "b�ad�", 2)


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_marked_and_wide_text_is_decoded(codec: str) -> None:
    assert texts("Kühl\r\nzwei ਊ Ā\n".encode(codec)) == ["Kühl", "zwei ਊ Ā"]


def test_a_line_feed_byte_inside_a_wide_character_ends_no_line() -> None:
    text = "a\u0a0ab\u000ac"  # U+0A0A holds the byte 0x0A twice
    assert texts((text + " and more ascii words").encode("utf-16-le")) == ["a\u0a0ab", "c and more ascii words"]


def test_a_long_line_is_cut_for_its_text_and_keeps_its_span() -> None:
    data = b"x" * (MAX_TEXT + 10) + b"\nnext\n"
    first, second = scan(data)
    assert (len(first.text), first.cut, first.end) == (MAX_TEXT, True, MAX_TEXT + 11)
    assert (second.text, second.start, second.cut) == ("next", MAX_TEXT + 11, False)


def test_a_line_longer_than_any_buffer_is_one_line() -> None:
    data = b"y" * (40 * MAX_TEXT) + b"\nnext\n"
    first, second = list(lines(Dribble(data, 100_000)))
    assert (first.start, first.end, first.cut) == (0, 40 * MAX_TEXT + 1, True)
    assert (second.number, second.text, second.end) == (2, "next", len(data))


@given(st.binary(max_size=2000), st.integers(1, 50))
def test_splitting_and_joining_loses_no_byte(data: bytes, size: int) -> None:
    found = list(lines(Dribble(data, size)))
    assert b"".join(data[line.start : line.end] for line in found) == data
    assert [line.number for line in found] == list(range(1, len(found) + 1))


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b"")), max_size=30))
def test_the_number_of_lines_is_the_number_of_line_feeds_and_an_open_end(parts: list[bytes]) -> None:
    data = b"\n".join([b"begin", *parts])
    open_end = not data.endswith(b"\n")
    assert len(scan(data)) == data.count(b"\n") + open_end


@given(st.text(max_size=300), st.integers(1, 9))
def test_wide_text_does_not_depend_on_how_it_arrives(text: str, size: int) -> None:
    plain = "begin of the text " + "".join(c for c in text if c not in "\r\0\ufeff")
    data = plain.encode("utf-16", "surrogatepass")
    whole = scan(data)
    assert [(x.start, x.end) for x in lines(Dribble(data, size))] == [(x.start, x.end) for x in whole]
    assert whole[-1].end == len(data)


@pytest.mark.parametrize(
    ("raw", "cut"),
    [
        ("x" * MAX_TEXT + "\r\n", False),
        ("x" * (MAX_TEXT + 1), True),
        ("\U0001d400" * MAX_TEXT + "\n", False),
        ("\U0001d400" * MAX_TEXT, False),
        ("\U0001d400" * MAX_TEXT + "y", True),
    ],
)
def test_a_line_is_called_cut_where_its_text_lacks_something(raw: str, cut: bool) -> None:  # noqa: FBT001 - a case
    line = line_of(1, (0, 0), raw.encode(), "utf-8", cut=False)
    assert line.cut == cut
    assert len(line.text) == MAX_TEXT
