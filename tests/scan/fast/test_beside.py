"""What stands beside a line says what it may go on, whose time it has, and where a traceback begins and ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.scan import silence

np = pytest.importorskip("numpy")
beside = pytest.importorskip("analyzer.scan.fast.beside")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")

LEFT, DATED, UNDATED, SILENT, SAID = layout.LEFT, layout.DATED, layout.UNDATED, layout.SILENT, layout.SAID
SPOKEN, HUSHED, OPENS, WITHIN = layout.SPOKEN, layout.HUSHED, layout.OPENS, layout.WITHIN
JOINED, BLANK = layout.JOINED, layout.BLANK
HEAD = "[2026-02-17 10:02:51 TP1] "
ROW = HEAD + "Decode batch. #running-req: 8, #queue-req: 0"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
REQUEST = HEAD + "Receive: obj=GenerateReqInput(text='hello')"
OPENING = "Traceback (most recent call last):"
FRAMES = ['  File "/opt/scheduler.py", line 3, in run', "    run()"]
RAISED = "ValueError: no pages"
TRACEBACK = [OPENING, *FRAMES, RAISED]
LONGEST, MESSAGE = 400, 200  # lines of a traceback, and those that go on a message
HELD = 17  # lines behind a traceback among which one may go on with it
MEMORY = laid.remembering()


def placed(*lines: tuple[int, str]) -> Any:
    """A chunk of lines that are what is said of them."""
    chunk = laid.told([text for _, text in lines], MEMORY)
    chunk.kind[:] = [kind for kind, _ in lines]
    return chunk


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


def test_what_may_go_on_a_record_with_a_header_is_left() -> None:
    for before in (DATED, UNDATED, SILENT, SAID, SPOKEN, JOINED):
        chunk = placed(*[(before, "a line")] * 4)
        chunk.kind[1:] = HUSHED
        chunk.flags[:] = [0, silence.SILENT, silence.SILENT, silence.APART]
        beside.part(chunk.lines)
        assert chunk.kind.tolist() == [before, LEFT, HUSHED, HUSHED]


def test_what_goes_on_nothing_or_stands_behind_a_line_that_is_left_stays() -> None:
    chunk = placed(*[(HUSHED, "a line")] * 6)
    chunk.kind[[0, 2, 4]] = DATED, LEFT, BLANK
    chunk.flags[:] = [0, silence.APART, 0, silence.SILENT, 0, silence.SILENT]
    beside.part(chunk.lines)
    assert chunk.kind.tolist() == [DATED, HUSHED, LEFT, HUSHED, BLANK, HUSHED]


@pytest.mark.parametrize("before", ["", "a step failed: ", HEAD, OPENING, " "])
def test_a_line_opens_a_traceback_that_ends_as_one_does(before: str) -> None:
    chunk = laid.untold([before + OPENING])
    assert beside.opens_traceback(chunk.at, 0, int(chunk.ends[1]))


@pytest.mark.parametrize("line", ["", OPENING[1:], OPENING[:-1], OPENING + " ", OPENING + "\r", OPENING.lower()])
def test_another_line_opens_none(line: str) -> None:
    chunk = laid.untold([OPENING, line])
    assert not beside.opens_traceback(chunk.at, int(chunk.ends[1]), int(chunk.ends[2]))


@given(st.integers(0, len(OPENING) - 1), st.integers(0, 7))
def test_a_line_that_differs_in_one_bit_opens_none(index: int, bit: int) -> None:
    raw = OPENING.encode()
    held = laid.Laid(raw[:index] + bytes((raw[index] ^ 1 << bit,)) + raw[index + 1 :] + b"\n")
    assert not beside.opens_traceback(held.at, 0, held.size)


@pytest.mark.parametrize(
    ("behind", "kind", "stays"),
    [
        (ROW, DATED, True),
        (HEAD + "said", LEFT, True),
        (ACCESS, UNDATED, True),
        (REQUEST, SAID, True),
        ("  further", HUSHED, False),
        ("Killed", LEFT, False),
        ("", BLANK, False),
    ],
)
def test_a_request_stays_where_a_header_or_an_access_line_follows(behind: str, kind: int, stays: bool) -> None:  # noqa: FBT001 - a parameter
    chunk = placed((DATED, ROW), (SAID, REQUEST), (kind, behind), (DATED, ROW))
    beside.leave_said(chunk.at, chunk.lines)
    assert chunk.kind.tolist() == [DATED, SAID if stays else LEFT, kind, DATED]


def test_a_request_that_ends_as_a_traceback_opens_is_left() -> None:
    chunk = placed((DATED, ROW), (SAID, REQUEST + OPENING), (DATED, ROW))
    beside.leave_said(chunk.at, chunk.lines)
    assert chunk.kind.tolist() == [DATED, LEFT, DATED]


@pytest.mark.parametrize(
    ("kinds", "row"),
    [
        ([DATED, HUSHED], 0),
        ([UNDATED, HUSHED], 0),
        ([DATED, UNDATED, HUSHED], 1),
        ([DATED, JOINED, JOINED, HUSHED], 0),
        ([DATED, HUSHED, HUSHED], -1),
        ([DATED, BLANK, HUSHED], -1),
        ([SILENT, HUSHED], 0),
        ([SPOKEN, HUSHED], -1),
        ([SAID, JOINED, HUSHED], -1),
        ([LEFT, HUSHED], -1),
        ([JOINED, HUSHED], -1),
    ],
)
def test_a_line_goes_on_the_row_before_it_or_before_others_that_do(kinds: list[int], row: int) -> None:
    chunk = placed(*[(kind, "a line") for kind in kinds])
    chunk.flags[:] = 0
    assert beside.row_of(len(kinds) - 1, chunk.lines) == row


def test_a_line_goes_on_no_message_that_is_explained() -> None:
    chunk = placed((SILENT, HEAD + "said"), (HUSHED, "  further"))
    chunk.flags[:] = silence.KNOWN, silence.SILENT
    assert beside.row_of(1, chunk.lines) == -1


def joining(*lines: tuple[int, str], joins: dict[tuple[int, int], bool]) -> tuple[int, list[int], list[int]]:
    """The line that has to be asked about, and what the lines are then: each line's form is its place, a row's zero."""
    memory = laid.remembering()
    for (row, wording), answer in joins.items():
        memory.learn_pair(row, wording, "  further", joins=answer)
    chunk = placed(*lines)
    chunk.form[:] = [0 if kind in {DATED, UNDATED} else place for place, (kind, _) in enumerate(lines)]
    chunk.flags[:] = [silence.SILENT if kind == HUSHED else 0 for kind, _ in lines]
    asked = beside.join(chunk.at, 0, chunk.lines, memory.now().learned)
    return asked, chunk.kind.tolist(), chunk.flags.tolist()


def test_lines_that_change_nothing_in_a_row_are_taken_with_it() -> None:
    lines = (DATED, ROW), (HUSHED, "  one"), (HUSHED, "\tanother"), (DATED, ROW)
    found = joining(*lines, joins={(0, 1): True, (0, 2): True})
    assert found == (0, [DATED, JOINED, JOINED, DATED], [0, silence.KNOWN, silence.KNOWN, 0])


def test_lines_that_change_a_row_stay_and_those_behind_them_go_on_no_row() -> None:
    lines = (DATED, ROW), (HUSHED, "  one"), (HUSHED, "  another"), (DATED, ROW)
    asked, kinds, _ = joining(*lines, joins={(0, 1): False, (0, 2): True})
    assert (asked, kinds) == (0, [DATED, HUSHED, HUSHED, DATED])


def test_what_was_not_asked_is_asked_for_line_by_line() -> None:
    lines = (DATED, ROW), (HUSHED, "  one"), (HUSHED, "  another"), (DATED, ROW)
    assert joining(*lines, joins={})[0] == 1
    assert joining(*lines, joins={(0, 1): True})[0] == 2
    assert joining(*lines, joins={(5, 1): True})[0] == 1, "the answer for another row"


def test_a_line_that_is_not_indented_is_asked_about_each_time() -> None:
    lines = (DATED, ROW), (HUSHED, "one"), (DATED, ROW)
    assert joining(*lines, joins={(0, 1): True})[0] == 1


def test_no_more_lines_go_on_a_row_than_on_a_message() -> None:
    lines = [(DATED, ROW), *[(HUSHED, "  further")] * (MESSAGE + 2), (DATED, ROW)]
    asked, kinds, flags = joining(*lines, joins={(0, place): True for place in range(1, MESSAGE + 3)})
    assert (asked, kinds) == (0, [DATED, *[JOINED] * MESSAGE, HUSHED, HUSHED, DATED])
    assert flags[MESSAGE + 1] == silence.SILENT | silence.APART, "it goes on nothing"


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        ([*TRACEBACK, ROW], 4),
        ([OPENING, RAISED, ROW], 2),
        ([OPENING, *FRAMES, "\tby a tab", RAISED, "another", ROW], 5),
        ([OPENING, *FRAMES, " one blank", ROW], 4),
        ([OPENING, *FRAMES, "", RAISED, ROW], 4),
        ([OPENING, *FRAMES, ROW, RAISED, ROW], 6),
        ([OPENING, *FRAMES, ACCESS, RAISED, ROW], 6),
        ([OPENING, *FRAMES, HEAD + "said", RAISED, ROW], 6),
        (TRACEBACK, 4),
        ([OPENING, *FRAMES], 3),
    ],
)
def test_a_traceback_ends_with_the_line_that_is_not_indented(lines: list[str], end: int) -> None:
    kinds = {ROW: DATED, ACCESS: UNDATED}
    chunk = placed(*[(kinds.get(line, LEFT), line) for line in lines])
    assert beside.end_of_traceback(chunk.at, 0, chunk.lines) == end


@pytest.mark.parametrize("frames", [LONGEST - 2, LONGEST - 1])
def test_a_traceback_has_no_more_lines_than_that(frames: int) -> None:
    lines = [OPENING, *["    run()"] * frames, RAISED, ROW, ROW]
    chunk = placed(*[(LEFT, line) for line in lines])
    taken = frames + 2 <= LONGEST
    assert beside.end_of_traceback(chunk.at, 0, chunk.lines) == (frames + 2 if taken else len(lines))


def test_a_traceback_is_taken_whole_and_says_what_its_number_says() -> None:
    chunk = placed((DATED, ROW), *[(HUSHED, line) for line in TRACEBACK], (DATED, ROW))
    chunk.flags[:] = silence.APART
    beside.take_traceback(1, 5, 17, chunk.lines)
    assert chunk.kind.tolist() == [DATED, OPENS, WITHIN, WITHIN, WITHIN, DATED]
    assert chunk.form[1] == 17
    assert chunk.flags.tolist() == [silence.APART, 0, 0, 0, 0, silence.APART]


def taking(*lines: tuple[int, str], headed: bool = False, before: bool | None = None) -> tuple[int, list[int]]:
    """The line that is asked about, and what the lines are then: the traceback, all but its header, was seen before.

    `before` says whether one belongs to the access lines, where that was learned.
    """
    memory = laid.remembering()
    for _ in range(3):
        number = memory.learn_traceback(laid.joined(TRACEBACK), headed=headed)
    assert number == 0
    if before is not None:
        memory.learn_before(1, expects=before)
    chunk = placed(*lines)
    chunk.form[:] = [1 if kind == UNDATED else 0 for kind, _ in lines]
    asked = beside.take_tracebacks(chunk.at, len(chunk.text), len(lines) - 1, chunk.lines, memory.now().learned)
    return asked, chunk.kind.tolist()


ALONE = [(LEFT, line) for line in TRACEBACK]
UNDER_A_HEADER = [(LEFT, HEAD + OPENING), *ALONE[1:]]
ROWS = [(DATED, ROW)] * 2
UNIT = [OPENS, WITHIN, WITHIN, WITHIN]


def test_tracebacks_that_were_seen_before_are_taken_whose_end_is_known() -> None:
    assert taking(*ROWS, *ALONE, *ROWS, *ALONE, *ALONE, *ROWS) == (
        0,
        [DATED, DATED, *UNIT, DATED, DATED, *UNIT, *UNIT, DATED, DATED],
    )
    assert taking(*ROWS, *UNDER_A_HEADER, *ROWS, headed=True) == (0, [DATED, DATED, *UNIT, DATED, DATED])


def test_one_that_was_not_seen_under_a_header_or_without_one_is_asked_about_the_last_first() -> None:
    asked, kinds = taking(*ROWS, *UNDER_A_HEADER, *UNDER_A_HEADER, *ROWS, headed=False)
    assert (asked, set(kinds)) == (6, {DATED, LEFT})
    asked, kinds = taking(*ROWS, *ALONE, *ROWS, headed=True)
    assert (asked, set(kinds)) == (2, {DATED, LEFT})


@pytest.mark.parametrize(
    "behind",
    [
        [(LEFT, "During handling of the above exception, another exception occurred:")],
        [(BLANK, ""), (LEFT, "a line that may go on"), *ROWS],
        [(LEFT, "a line that may go on"), *ROWS],
        [(SILENT, "not a header")],
        [(BLANK, "")],
        [(BLANK, "")] * 3,
        [(HUSHED, "quiet")] * HELD,
    ],
)
def test_one_that_may_not_be_over_is_left(behind: list[tuple[int, str]]) -> None:
    asked, kinds = taking(*ROWS, *ALONE, *behind)
    assert asked == 0
    assert not {OPENS, WITHIN} & set(kinds)


@pytest.mark.parametrize("behind", [[(UNDATED, ACCESS)], [(BLANK, "")] * 3, [(HUSHED, "quiet")] * 3, []])
def test_one_that_is_over_is_taken(behind: list[tuple[int, str]]) -> None:
    assert taking(*ROWS, *ALONE, *behind, *ROWS)[1][2:6] == UNIT


def test_one_is_over_where_so_many_quiet_lines_follow_it() -> None:
    quiet = [(HUSHED, "quiet")] * (HELD + 2)
    assert taking(*ROWS, *ALONE, *quiet)[1][2:6] == UNIT
    assert OPENS not in taking(*ROWS, *ALONE, *quiet[: HELD - 1], (LEFT, "a line that may go on"), *ROWS)[1]
    assert OPENS in taking(*ROWS, *ALONE, *quiet[:HELD], (LEFT, "a line that may go on"), *ROWS)[1]


def test_behind_an_access_line_it_is_asked_whose_one_is_until_that_is_known() -> None:
    lines = *ROWS, (UNDATED, ACCESS), *ALONE, *ROWS
    assert taking(*lines)[0] == 3
    assert taking(*lines, before=False) == (0, [DATED, DATED, UNDATED, *UNIT, DATED, DATED])
    assert taking(*lines, before=True) == (0, [kind for kind, _ in lines])


def test_behind_a_message_that_says_nothing_it_is_asked_each_time() -> None:
    assert taking(*ROWS, (SILENT, HEAD + "evicts pages"), *ALONE, *ROWS, before=False)[0] == 3


def test_behind_a_line_that_goes_on_a_row_it_is_the_row_that_counts() -> None:
    joined = (JOINED, "  further"), (JOINED, "  further")
    assert taking(*ROWS, *joined, *ALONE, *ROWS) == (0, [DATED, DATED, JOINED, JOINED, *UNIT, DATED, DATED])
    lines = *ROWS, (UNDATED, ACCESS), *joined, *ALONE, *ROWS
    assert taking(*lines)[0] == 5
    assert taking(*lines, before=False)[1][5:9] == UNIT
    assert taking(*lines, before=True) == (0, [kind for kind, _ in lines])


def test_under_a_header_one_is_left_where_another_may_be_open() -> None:
    opened = [(LEFT, HEAD + OPENING), *UNDER_A_HEADER]
    assert taking(*ROWS, *opened, *ROWS, headed=True)[1][2:] == [LEFT] * 5 + [DATED] * 2
    stranger = [(LEFT, HEAD + OPENING), (LEFT, "a stranger"), *UNDER_A_HEADER]
    assert OPENS not in taking(*ROWS, *stranger, *ROWS, headed=True)[1]


def test_what_stands_before_the_text_may_be_an_open_one() -> None:
    quiet = [(HUSHED, "quiet")]
    assert OPENS not in taking(*quiet * 3, *UNDER_A_HEADER, *ROWS, headed=True)[1]
    assert OPENS in taking(*quiet * 50, *UNDER_A_HEADER, *ROWS, headed=True)[1]
    assert OPENS in taking(*quiet * 3, *ALONE, *ROWS)[1], "without a header it goes on nothing"
