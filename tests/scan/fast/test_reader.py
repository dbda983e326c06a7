"""Runs and lines together are the lines of the stream, each once and in order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.catalog import Catalog
from analyzer.scan import Line, lines
from analyzer.scan.silence import Rest

pytest.importorskip("numpy")
reader = pytest.importorskip("analyzer.scan.fast.reader")
run = pytest.importorskip("analyzer.scan.fast.run")

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
        elif isinstance(item, Rest):
            assert item.text == data[exact[number].start : exact[number + item.lines - 1].end]
            number += item.lines
        else:
            number += item.lines  # type: ignore[attr-defined]
            assert item.number == number  # type: ignore[attr-defined]
    assert number == len(exact)


def test_the_first_lines_are_never_in_a_run() -> None:
    found = scan(f"{STEADY}\n".encode() * 50, 100_000, 30)
    assert all(isinstance(item, Line) for item in found[:31])
    (run,) = [item for item in found if not isinstance(item, Line)]
    assert run.lines == 50 - 30 - 2  # type: ignore[attr-defined]


def test_rows_are_given_by_the_hundred_thousand_and_at_the_end() -> None:
    from analyzer.parsers.steady import Steady

    class Taking(Steady):
        def take(self, tables: dict[str, object], _unknown: dict[str, int]) -> None:  # type: ignore[override]
            taken.append({name: frame["line"].to_list() for name, frame in tables.items()})  # type: ignore[index]

    taken: list[dict[str, list[int]]] = []
    known = Taking(CATALOG)
    known.on = True
    data = "\n".join([STEADY] * 5 + ["a line"] + [STEADY] * 5 + [""]).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "ROWS", 3)
        runs = [item for item in reader.scan(InMemory(data).open(), known, 0, 700) if isinstance(item, run.Run)]
    assert sum(found.rows for found in runs) == sum(len(rows["DecodeBatch"]) for rows in taken if rows)
    lines = [line for rows in taken for line in rows.get("DecodeBatch", [])]
    assert lines == sorted(lines)
    assert len(taken) > 1
