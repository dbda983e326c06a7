"""What a chunk's lines are told in is used again: nothing of an earlier chunk is left in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
laid = pytest.importorskip("tests.scan.fast.laid")
layout = pytest.importorskip("analyzer.scan.fast.layout")
room = pytest.importorskip("analyzer.scan.fast.room")

MOST = 9
HEAD = "[2026-02-17 10:02:51 TP1] "
KINDS = [
    HEAD + "Decode batch. #running-req: 8, #token: 20253, #queue-req: 0",
    HEAD + "Decode batch. #running-req: eight, #token: 20253, #queue-req: 0",
    'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK',
    HEAD + "Receive: obj=GenerateReqInput(text='hello')",
    "  further",
    "",
]
LINES = st.lists(st.sampled_from(KINDS), max_size=MOST)
MEMORY = laid.remembering()
laid.told(KINDS * 2, MEMORY)


def told(lines: list[str], where: Any = None) -> Any:
    text = laid.joined(lines)
    return chunk.Chunk(text + laid.BEHIND, laid.ends_of(text), where).read(MEMORY.now())


def all_of(found: Any) -> list[Any]:
    """Everything that is told of the lines, and the rows of each table with their values, NaN as its text."""
    entries = [found.kind, found.ask, found.message, found.seconds, found.label, found.flags, found.form]
    counts = found.room.counts.tolist()
    rows = [found.room.rows[table, :count].tolist() for table, count in enumerate(counts)]
    batches = [str(found.room.values[table, :count].tolist()) for table, count in enumerate(counts[:-1])]
    return [*(each.tolist() for each in entries), counts, rows, batches]


@given(LINES, LINES)
def test_what_is_told_of_lines_does_not_depend_on_what_was_told_there_before(
    before: list[str], lines: list[str]
) -> None:
    used = told(before, room.Room(MOST)).room
    assert all_of(told(lines, used)) == all_of(told(lines))


def test_there_is_an_entry_for_each_line_however_much_room_there_is() -> None:
    found = told(KINDS[:3], room.Room(MOST))
    assert found.lines.length == 3
    assert {len(each) for each in (found.kind, found.ask, found.message, found.seconds, found.label)} == {3}
    assert found.room.counts.tolist() == [1, 0, 1], "a decode batch, no prefill batch, an answer"
