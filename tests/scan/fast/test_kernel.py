"""A row without a time of its own has that of the line before it that prints one, or is left; rows keep their order."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.scan import silence

np = pytest.importorskip("numpy")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")

LEFT, DATED, UNDATED, SILENT, SAID = layout.LEFT, layout.DATED, layout.UNDATED, layout.SILENT, layout.SAID
HUSHED = layout.HUSHED
HEAD = "[2026-02-17 10:02:51 TP1] "
ROW = HEAD + "Decode batch. #running-req: 8, #queue-req: 0"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
MEMORY = laid.remembering()


def settled(*lines: tuple[int, str]) -> tuple[list[int], list[int]]:
    """What the lines are in the end, and which line prints the time of each."""
    chunk = laid.told([text for _, text in lines], MEMORY)
    chunk.kind[:] = [kind for kind, _ in lines]
    dated = chunk.settle()
    return chunk.kind.tolist(), dated.tolist()


def test_a_row_without_a_time_has_that_of_the_dated_line_before_it() -> None:
    lines = (DATED, ROW), (UNDATED, ACCESS), (UNDATED, ACCESS), (SILENT, HEAD + "said"), (UNDATED, ACCESS)
    assert settled(*lines) == ([kind for kind, _ in lines], [0, 0, 0, 3, 3])


def test_a_row_without_a_time_before_any_dated_line_is_left() -> None:
    assert settled((UNDATED, ACCESS), (UNDATED, ACCESS), (DATED, ROW), (UNDATED, ACCESS))[0] == [0, 0, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "Load weight begin. avail mem=94.08 GB",
        HEAD + "Receive: obj=GenerateReqInput(text='[2026-02-17 10:03:01 TP3] Killed', x=1)",
        HEAD + "Finish: obj=GenerateReqInput(text='[2026-02-17 10:03:01 TP3] Killed', x=1)",
        HEAD + "a list [1, 2]",
        HEAD + "ends in [",
        HEAD + "ends in a return\r",
        HEAD + "a",
    ],
)
def test_a_left_line_under_a_header_that_says_nothing_of_another_time_gives_its_own(text: str) -> None:
    assert settled((DATED, ROW), (LEFT, text), (UNDATED, ACCESS)) == ([DATED, LEFT, UNDATED], [0, 1, 1])


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "a message [2026-02-17 10:03:01 TP3] and another",
        HEAD + "a list [2, 3]",
        HEAD + "Received: [2026-02-17 10:03:01 TP3] Killed",
        HEAD + "Receive:x[2026-02-17 10:03:01 TP3] Killed",
        HEAD + "in \x1b[1mcolours\x1b[0m",
        HEAD + "may go on in the next ",
        HEAD + "may go on in the next \r",
        HEAD + "Receive: obj=GenerateReqInput(text='may go on in the next ",
        HEAD + "Finish: obj=GenerateReqInput(text='\x1b[1m')",
        "[10:02:59 TP1] a header with a time alone",
        "a line without a header",
        "",
        "I0217 10:02:59.000000   139 socket.cpp:1] another writer",
    ],
)
def test_a_row_without_a_time_behind_a_left_line_that_may_change_it_is_left(text: str) -> None:
    lines = (DATED, ROW), (LEFT, text), (UNDATED, ACCESS), (UNDATED, ACCESS), (SAID, HEAD + "said"), (UNDATED, ACCESS)
    assert settled(*lines)[0] == [DATED, LEFT, LEFT, LEFT, SAID, UNDATED]


def test_a_line_without_a_header_that_says_nothing_changes_no_time() -> None:
    lines = (DATED, ROW), (HUSHED, "a line without a header"), (UNDATED, ACCESS)
    assert settled(*lines) == ([DATED, HUSHED, UNDATED], [0, 0, 0])


@pytest.mark.parametrize("before", [DATED, UNDATED, SILENT, SAID])
def test_what_may_go_on_a_record_with_a_header_is_left(before: int) -> None:
    chunk = laid.untold(["a line"] * 4)
    chunk.kind[:] = [before, HUSHED, HUSHED, HUSHED]
    chunk.flags[:] = [0, silence.SILENT, silence.SILENT, silence.APART]
    chunk.part()
    assert chunk.kind.tolist() == [before, LEFT, HUSHED, HUSHED]


def test_what_goes_on_nothing_or_stands_behind_a_line_that_is_left_stays() -> None:
    chunk = laid.untold(["a line"] * 4)
    chunk.kind[:] = [DATED, HUSHED, LEFT, HUSHED]
    chunk.flags[:] = [0, silence.APART, 0, silence.SILENT]
    chunk.part()
    assert chunk.kind.tolist() == [DATED, HUSHED, LEFT, HUSHED]


def rows_of(chunk: Any, table: int, *, before: int = 0) -> tuple[int, dict[str, Any]]:
    """How many rows there are behind so many, and their parts."""
    room = before + chunk.count(table) + 1
    width = 3
    parts = {name: np.full(room, -7, np.int64) for name in ("number", "start", "label")}
    parts |= {"seconds": np.full(room, -7.0), "values": np.full((width, room), -7.0)}
    parts["columns"] = np.arange(width)
    place = layout.Place(100, 5000)
    places = {name: compiled.address(part) for name, part in parts.items()}
    rows = layout.Rows(length=before, width=width, room=room, **places)
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
    chunk.kind[[0, 3]] = LEFT
    count, parts = rows_of(chunk, 0)
    assert (count, parts["number"].tolist()[:4]) == (4, [101, 102, 104, 105])
    assert parts["values"][1].tolist()[:4] == [1, 2, 4, 5]


def test_rows_are_added_behind_those_that_are_there() -> None:
    chunk = laid.told(LINES[:2], laid.remembering())
    count, parts = rows_of(chunk, 0, before=3)
    assert (count, parts["number"].tolist()) == (5, [-7, -7, -7, 100, 101, -7])
    assert parts["values"][:, :3].tolist() == [[-7.0] * 3] * 3


def test_a_row_without_a_time_has_the_seconds_of_the_line_that_prints_them_and_no_rank() -> None:
    chunk = laid.told([LINES[1], ACCESS, HEAD + "said by another", ACCESS], MEMORY)
    access = len(laid.WIDTHS) - 1
    count, parts = rows_of(chunk, access)
    assert count == 2
    assert parts["seconds"][:2].tolist() == chunk.seconds[[0, 2]].tolist()
    assert parts["label"][:2].tolist() == [-1, -1]
