"""Runs and lines together are the lines of the stream, each once and in order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.catalog import Catalog
from analyzer.scan import Line, lines

pytest.importorskip("numpy")
reader = pytest.importorskip("analyzer.scan.fast.reader")

CATALOG = Catalog.load()
STEADY = "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #token: 20253, #queue-req: 0"
PARTS = st.sampled_from(
    [STEADY, STEADY, STEADY, "a line", "", "\r", "  further", "x" * 3000, "\udcff", "INFO:     10.0.0.1:1 - "]
)


def scan(data: bytes, piece: int, after: int, *, on: bool = True) -> list[Line | object]:
    from analyzer.parsers.steady import Steady

    steady = Steady(CATALOG)
    steady.on = on
    return list(reader.scan(InMemory(data).open(), steady, after, piece))


def test_an_empty_stream_has_no_line() -> None:
    assert scan(b"", 100, 0) == []


@settings(max_examples=50)
@given(st.lists(PARTS, max_size=30), st.integers(1, 4000), st.integers(0, 5), st.booleans())
def test_every_line_is_there_once(parts: list[str], piece: int, after: int, on: bool) -> None:  # noqa: FBT001 - drawn
    data = "\n".join(parts).encode(errors="surrogateescape")
    exact = list(lines(InMemory(data).open()))
    number = 0
    for item in scan(data, piece, after, on=on):
        if isinstance(item, Line):
            assert item == exact[number]
            number += 1
        else:
            number += item.lines  # type: ignore[attr-defined]
            assert item.number == number  # type: ignore[attr-defined]
    assert number == len(exact)


def test_the_first_lines_are_never_in_a_run() -> None:
    found = scan(f"{STEADY}\n".encode() * 50, 100_000, 30)
    assert all(isinstance(item, Line) for item in found[:31])
    (run,) = [item for item in found if not isinstance(item, Line)]
    assert run.lines == 50 - 30 - 2  # type: ignore[attr-defined]


def test_the_last_run_of_a_piece_brings_the_rows_of_all() -> None:
    found = scan("\n".join([STEADY] * 5 + ["a line"] + [STEADY] * 5 + [""]).encode(), 100_000, 0)
    first, last = [item for item in found if not isinstance(item, Line)]
    assert (first.tables, last.tables["DecodeBatch"]["line"].to_list()) == ({}, [2, 3, 4, 7, 8, 9, 10])  # type: ignore[attr-defined]
