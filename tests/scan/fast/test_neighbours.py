"""What stands beside a line has a say in what it is; a traceback is taken where it stands by itself."""

from __future__ import annotations

import pytest

from analyzer.bundle import InMemory

np = pytest.importorskip("numpy")
blocks = pytest.importorskip("analyzer.scan.fast.blocks")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
neighbours = pytest.importorskip("analyzer.scan.fast.neighbours")

LEFT, DATED, UNDATED, SILENT, SAID = layout.LEFT, layout.DATED, layout.UNDATED, layout.SILENT, layout.SAID
HUSHED, OPENS, WITHIN, JOINED = layout.HUSHED, layout.OPENS, layout.WITHIN, layout.JOINED
HEAD = "[2026-02-17 10:02:51 TP1] "
ROW = HEAD + "Decode batch. #running-req: 8, #queue-req: 0"
REQUEST = HEAD + "Receive: obj=GenerateReqInput(text='hello')"
QUIET = HEAD + "evicts pages"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
SPOKEN = "Killed"
CUT = "2025-08-12T10:00:00.000000000Z stdout P begins and "
FRAMES = ['  File "/opt/scheduler.py", line 3, in run', "    run()", "ValueError: no pages"]
TRACEBACK = ["Traceback (most recent call last):", *FRAMES]
UNIT = [OPENS, WITHIN, WITHIN, WITHIN]


def kinds(lines: list[str]) -> list[int]:
    """What lines are that stand among rows, more of which precede and follow them."""
    text = laid.joined(["", *[ROW] * 3, *lines, *[ROW] * 3])
    memory = laid.remembering()
    (block,) = blocks.blocks(InMemory(text).open(), len(text))
    for _ in range(3):  # what has no header is judged when it comes again
        told = chunk.Chunk(block.text, block.ends).read(memory.now())
        told.teach(memory)
        made = neighbours.Neighbours(block, told, memory).left()
    for index, line in made.items():
        assert line == block.line(index)
    assert told.kind[[0, -1]].tolist() == [LEFT, LEFT], "the first and the last line"
    return told.kind.tolist()[3 - 1 : -3]


def test_rows_among_rows_are_taken() -> None:
    assert kinds([ROW, QUIET, REQUEST, ACCESS]) == [DATED, DATED, SILENT, SAID, UNDATED]


@pytest.mark.parametrize("line", [ROW, QUIET, ACCESS, REQUEST])
def test_the_line_before_one_without_a_header_is_left_with_it(line: str) -> None:
    assert kinds([ROW, line, SPOKEN, ROW]) == [DATED, DATED, LEFT, LEFT, DATED]


def test_the_line_behind_one_that_was_cut_is_left() -> None:
    assert kinds([ROW, ROW, CUT, ROW, ROW]) == [DATED, DATED, LEFT, LEFT, LEFT, DATED]


@pytest.mark.parametrize(("behind", "kind"), [(ROW, SAID), (QUIET, SAID), (REQUEST, SAID), (ACCESS, SAID)])
def test_a_request_before_a_line_with_a_header_is_taken(behind: str, kind: int) -> None:
    assert kinds([ROW, REQUEST, behind])[2] == kind


@pytest.mark.parametrize("behind", [SPOKEN, "a line of a text", "  further", "", "\udcff", CUT])
def test_a_request_before_anything_else_is_left(behind: str) -> None:
    assert kinds([ROW, REQUEST, behind, ROW])[2] == LEFT


def test_a_request_with_bytes_that_are_no_text_is_left() -> None:
    assert kinds([ROW, REQUEST + "\udcff", ROW])[2] == LEFT
    assert kinds([ROW, REQUEST + "ä", ROW])[2] == SAID


def test_a_header_of_another_kind_belongs_to_no_line_before_it() -> None:
    assert kinds([ROW, "[10:02:51 TP1] " + ROW, ROW]) == [DATED, DATED, LEFT, DATED]


@pytest.mark.parametrize("before", [ROW, QUIET, ACCESS, REQUEST])
@pytest.mark.parametrize("behind", [ROW, QUIET, ACCESS])
def test_a_traceback_under_a_header_is_one_unit(before: str, behind: str) -> None:
    headed = [HEAD + "Scheduler hit an exception: " + TRACEBACK[0], *FRAMES]
    assert kinds([before, *headed, behind, ROW])[2:-2] == UNIT


def test_a_traceback_that_breaks_off_is_left() -> None:
    headed = [HEAD + "Scheduler hit an exception: " + TRACEBACK[0], *FRAMES[:2]]
    assert not {OPENS, WITHIN} & set(kinds([ROW, *headed, ROW, ROW]))


def test_a_traceback_that_another_goes_on_with_is_left() -> None:
    headed = [HEAD + "Scheduler hit an exception: " + TRACEBACK[0], *FRAMES]
    chained = [*headed, "", "During handling of the above exception, another exception occurred:", "", *TRACEBACK]
    assert LEFT in kinds([ROW, *chained, ROW, ROW])[2:6]


def test_a_traceback_that_comes_for_the_first_time_is_taken_or_left_and_one_that_came_before_is_taken() -> None:
    alone = kinds([ROW, *TRACEBACK, ROW, ROW])
    assert alone[2:6] == UNIT
    again = kinds([ROW, *TRACEBACK, ROW, *TRACEBACK, ROW, ROW])
    assert (again[2:6], again[7:11]) == (UNIT, UNIT)


def test_a_traceback_that_is_expected_belongs_to_what_was_said_before_it() -> None:
    failed = ACCESS.replace("200 OK", "500 Internal Server Error")
    assert kinds([ROW, ACCESS, *TRACEBACK, ROW])[2:7] == [UNDATED, *UNIT]
    for said in (failed, HEAD + "a step failed"):
        assert not {OPENS, WITHIN} & set(kinds([ROW, said, *TRACEBACK, ROW]))


def test_indented_lines_below_a_row_or_a_message_that_says_nothing_change_nothing_in_it() -> None:
    below = ["    indented", "  12 further", "\tby a tab"]
    assert kinds([ROW, ACCESS, *below, ROW])[2:6] == [UNDATED, JOINED, JOINED, JOINED]
    assert kinds([ROW, *below, ROW])[1:5] == [DATED, JOINED, JOINED, JOINED]
    assert kinds([ROW, QUIET, *below, ROW])[2:6] == [SILENT, JOINED, JOINED, JOINED]
    assert JOINED not in kinds([ROW, REQUEST, *below, ROW])
    assert JOINED not in kinds([ROW, "a line of a text", *below, ROW])


def test_two_tracebacks_of_processes_that_write_at_once_are_left() -> None:
    opening = HEAD + "Scheduler hit an exception: " + TRACEBACK[0]
    assert OPENS not in kinds([ROW, opening, opening, *FRAMES, *FRAMES, ROW, ROW])[2:4]
