"""Blocks laid end to end are the lines of the exact reading, wherever the pieces of the stream end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.scan import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.scan.exact import Line

pytest.importorskip("numpy")
blocks = pytest.importorskip("analyzer.scan.fast.blocks")

PARTS = st.lists(st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b"a", b"line ", "ä".encode(), b"\xff", b"b" * 37]))


class Trickling:
    """A stream that gives a few bytes at a time, as decompressors may."""

    damage = ""

    def __init__(self, data: bytes, few: int) -> None:
        self._data, self._few = data, few

    def read(self, size: int, /) -> bytes:
        few = min(size, self._few)
        data, self._data = self._data[:few], self._data[few:]
        return data


def lines(found: Iterator[object]) -> list[Line]:
    """All lines of the blocks; each is where its block says."""
    given_lines: list[Line] = []
    for block in found:
        given_lines += [block.first] if block.first else []  # type: ignore[attr-defined]
        whole = [block.line(index) for index in range(block.lines)]  # type: ignore[attr-defined]
        if whole:
            assert (whole[0].number, whole[0].start) == (block.number, block.at)  # type: ignore[attr-defined]
            spans = zip(block.ends[:-1], block.ends[1:], strict=True)  # type: ignore[attr-defined]
            assert all(block.text[begin:end].count(b"\n") == 1 for begin, end in spans)  # type: ignore[attr-defined]
        given_lines += whole
    return given_lines


def expected(data: bytes) -> list[Line]:
    return list(exact.lines(InMemory(data).open()))


class Noting(Trickling):
    """A stream that keeps how much it was asked for."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, len(data))
        self.asked: list[int] = []

    def read(self, size: int, /) -> bytes:
        self.asked.append(size)
        return super().read(size)


def test_pieces_become_twice_as_long_until_they_are_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_FIRST", 10)
    data = b"12345678\n" * 20
    stream = Noting(data)
    assert lines(blocks.blocks(stream, 35)) == expected(data)
    # 10 + 20 + 35 n of 180 bytes: the sixth piece has the last 10 of them, and asks for the 25 that are missing
    assert stream.asked == [10, 20, 35, 35, 35, 35, 35, 25, 35]


def test_no_piece_is_longer_than_it_may_be() -> None:
    stream = Noting(b"12345678\n" * 2)
    assert len(lines(blocks.blocks(stream, 9))) == 2
    assert set(stream.asked) == {9}


def test_an_empty_stream_has_no_block() -> None:
    assert list(blocks.blocks(InMemory(b"").open(), 10)) == []


@given(PARTS.map(b"".join), st.integers(1, 300))
def test_every_line_is_that_of_the_exact_reading(data: bytes, piece: int) -> None:
    assert lines(blocks.blocks(InMemory(data).open(), piece)) == expected(data)


@given(PARTS.map(b"".join), st.integers(1, 300), st.integers(1, 40))
def test_a_stream_that_gives_little_at_a_time_has_the_same_lines(data: bytes, piece: int, few: int) -> None:
    found = list(blocks.blocks(Trickling(data, few), piece))
    assert lines(iter(found)) == expected(data)
    assert len(found) == len(list(blocks.blocks(InMemory(data).open(), piece)))


@settings(max_examples=200)
@given(PARTS.map(b"".join), st.integers(1, 60))
def test_long_lines_are_cut_and_counted_as_the_exact_reading_does(data: bytes, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "MAX_TEXT", 6)
        patch.setattr(exact, "_ROOM", 48)  # eight times as much
        assert lines(blocks.blocks(InMemory(data).open(), piece)) == expected(data)


@pytest.mark.parametrize("size", [exact.MAX_TEXT - 2, exact.MAX_TEXT + 1, 8 * exact.MAX_TEXT + 1, 2_000_003])
@pytest.mark.parametrize("piece", [100_000, 1 << 19, 1 << 22])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\nmore\n"])
def test_a_line_longer_than_what_is_kept_of_one_is_one_line(size: int, piece: int, end: bytes) -> None:
    data = b"before\n" + b"x" * size + end
    found = lines(blocks.blocks(InMemory(data).open(), piece))
    assert found == expected(data)
    assert (found[1].start, found[1].cut) == (7, size > exact.MAX_TEXT)
    assert found[1].end == 7 + size + len(end.removesuffix(b"more\n"))


@given(PARTS.map(b"".join), st.integers(1, 300), st.data())
def test_what_stands_behind_some_lines_of_a_block_are_its_other_lines(
    data: bytes, piece: int, drawn: st.DataObject
) -> None:
    for block in blocks.blocks(InMemory(data).open(), piece):
        count = drawn.draw(st.integers(0, block.lines))
        behind = block.behind(count)
        assert behind.first is None
        assert [behind.line(index) for index in range(behind.lines)] == [
            block.line(index) for index in range(count, block.lines)
        ]
