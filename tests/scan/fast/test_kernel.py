"""Rows keep the order of their lines and have a time; a message is told by its wording where it begins and ends plainly."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")

HEAD = "[2026-02-17 10:02:51 TP1] "
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
MEMORY = laid.remembering()


def rows_of(chunk: Any, table: int) -> tuple[int, dict[str, Any]]:
    """How many rows there are, and their parts."""
    room = chunk.count(table) + 1
    width = 3
    parts = {name: np.full(room, -7, np.int64) for name in ("number", "start", "label")}
    parts |= {"seconds": np.full(room, -7.0), "values": np.full((width, room), -7.0)}
    parts["columns"] = np.arange(width)
    place = layout.Place(100, 5000)
    places = {name: compiled.address(part) for name, part in parts.items()}
    rows = layout.Rows(width=width, room=room, **places)
    return chunk.take(table, chunk.settle(), place, rows), parts


FORMS = ["Decode batch. #running-req: {n}, #queue-req: 5", "Decode batch. #queue-req: 5, #running-req: {n}"]
LINES = [f"[2026-02-17 10:02:{10 + n} TP{n % 2}] {FORMS[n % 2].format(n=n)}" for n in range(6)]


def test_rows_stand_in_the_order_of_their_lines_though_forms_are_learned_one_by_one() -> None:
    chunk = laid.told(LINES, laid.remembering())
    count, parts = rows_of(chunk, 0)
    assert count == 6
    assert parts["number"].tolist() == [100, 101, 102, 103, 104, 105, -7]
    assert parts["start"].tolist() == [*(5000 + sum(len(line) + 1 for line in LINES[:n]) for n in range(6)), -7]
    assert parts["label"].tolist() == [0, 1, 0, 1, 0, 1, -7]
    assert np.diff(parts["seconds"][:6]).tolist() == [1.0] * 5
    assert parts["values"][0].tolist() == [0, 1, 0, 1, 0, 1, -7], "the form"
    assert parts["values"][1].tolist() == [0, 1, 2, 3, 4, 5, -7], "running"
    assert parts["values"][2].tolist() == [5, 5, 5, 5, 5, 5, -7], "queued"


def test_rows_of_lines_that_were_left_are_gone() -> None:
    chunk = laid.told(LINES, laid.remembering())
    chunk.kind[[0, 3]] = layout.LEFT
    count, parts = rows_of(chunk, 0)
    assert (count, parts["number"].tolist()[:4]) == (4, [101, 102, 104, 105])
    assert parts["values"][1].tolist()[:4] == [1, 2, 4, 5]


def test_a_row_without_a_time_has_the_seconds_of_the_line_that_prints_them_and_no_rank() -> None:
    chunk = laid.told([LINES[1], ACCESS, HEAD + "said by another", ACCESS], MEMORY)
    access = len(laid.WIDTHS) - 1
    count, parts = rows_of(chunk, access)
    assert count == 2
    assert parts["seconds"][:2].tolist() == chunk.seconds[[0, 2]].tolist()
    assert parts["label"][:2].tolist() == [-1, -1]


def test_the_values_of_a_row_are_its_own_whatever_tables_and_forms_stand_around_it() -> None:
    prefill = HEAD + "Prefill batch. #new-seq: 9, #new-token: 8192, #queue-req: 6"
    lines = [LINES[0], ACCESS, prefill, LINES[1], ACCESS.replace("200 OK", "404 Not Found"), prefill, LINES[2]]
    chunk = laid.told(lines, laid.remembering())
    tables = [rows_of(chunk, table) for table in range(len(laid.WIDTHS))]
    assert [count for count, _ in tables] == [3, 2, 2]
    decode, prefills, answers = (parts["values"] for _, parts in tables)
    assert decode[:, :3].tolist() == [[0, 2, 0], [0, 1, 2], [5, 5, 5]]
    assert prefills[:, :2].tolist() == [[1, 1], [9, 9], [8192, 8192]]
    assert answers[0, :2].tolist() == [0, 1], "the tail"


def plainly(message: bytes) -> bool:
    """Whether a message can be told by its wording, in Python."""
    shown = message.removesuffix(b"\r")
    return (
        kernel.SHORTEST < len(message) < kernel.LONGEST_SILENT
        and message[0] > ord(" ")
        and shown[-1] > ord(" ")
        and not any(48 <= byte <= 57 for byte in message[:4])
    )


BYTES = st.lists(st.sampled_from(b"abc  09/:\r\t\x00\x80\xff"), max_size=24).map(bytes)


@given(BYTES, st.sampled_from([b"", b"", b"x" * 470, b"x" * 480]), st.sampled_from([b"", b"ab", b"\r", b" \r", b"1"]))
@example(b"evicts p", b"", b"")
@example(b"evicts pa", b"", b"")
@example(b"x" * 499, b"", b"")
@example(b"x" * 500, b"", b"")
def test_a_message_speaks_by_its_wording_where_it_begins_and_ends_plainly(
    message: bytes, long: bytes, last: bytes
) -> None:
    said = message + long + last
    text, begin = laid.Laid(b"[a header] " + said + b"\n"), len(b"[a header] ")
    assert kernel.may_speak(text.at, begin, text.size) == plainly(said)
