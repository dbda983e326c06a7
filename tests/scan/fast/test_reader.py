"""Runs and lines together are the lines of the stream, each once and in order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.evidence import NO_RANK, Rank
from analyzer.scan import Line, lines
from analyzer.scan.silence import Silence

pytest.importorskip("numpy")
laid = pytest.importorskip("tests.scan.fast.laid")
reader = pytest.importorskip("analyzer.scan.fast.reader")
run = pytest.importorskip("analyzer.scan.run")
tables = pytest.importorskip("analyzer.scan.fast.tables")

HEAD = "[2026-02-17 10:02:51 TP1] "
STEADY = HEAD + "Decode batch. #running-req: 8, #token: 20253, #queue-req: 0"
REQUEST = HEAD + "Receive: obj=GenerateReqInput(text='hello')"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'
TRACEBACK = ["Traceback (most recent call last):", '  File "a.py", line 3, in run', "    run()", "ValueError: no"]
SINGLE = [
    "a line",
    "",
    "\r",
    "  further",
    "x" * 3000,
    "\udcff",
    "Killed",
    "INFO:     10.0.0.1:1 - ",
    HEAD + "evicts pages",
]
SEVERAL = ["\n".join(TRACEBACK), HEAD + "\n".join(TRACEBACK)]
PARTS = st.sampled_from([STEADY, STEADY, STEADY, REQUEST, REQUEST, ACCESS, *SINGLE, *SEVERAL])


class Taking(laid.Counting):
    """Keeps the numbers of the lines whose rows it takes, by table, as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[dict[str, list[int]]] = []

    def take(self, tables: Any, unknown: Any) -> None:
        self.taken.append({name: frame["line"].to_list() for name, frame in tables.items()})
        self.unknown.update(unknown)


def scan(data: bytes, piece: int, after: int = 0, *, on: bool = True, known: Any = None) -> list[Any]:
    memory = laid.remembering(known)
    memory.known.on = memory.silent.on = on
    return list(reader.scan(InMemory(data).open(), memory.known, memory.silent, after, piece))


def runs(texts: list[str], piece: int = 100_000, known: Any = None) -> list[Any]:
    return [item for item in scan(laid.joined(texts), piece, known=known) if isinstance(item, run.Run)]


def requests(texts: list[str], piece: int = 100_000, known: Any = None) -> list[tuple[Any, Any]]:
    """What each request or answer says that is in a run, and where it stands, in order."""
    heard = [item for item in scan(laid.joined(texts), piece, known=known) if isinstance(item, run.Heard)]
    said = [(each.what, spot) for each in heard for spot in each.spots if isinstance(each.what, run.Said)]
    return sorted(said, key=lambda each: int(each[1].number))


def numbers(texts: list[str]) -> list[int]:
    """The numbers of those lines."""
    return [spot.number for _, spot in requests(texts)]


def test_an_empty_stream_has_no_line() -> None:
    assert scan(b"", 100) == []


@settings(max_examples=100)
@given(st.lists(PARTS, max_size=30), st.integers(1, 4000), st.integers(0, 5), st.booleans())
def test_every_line_is_there_once(parts: list[str], piece: int, after: int, on: bool) -> None:  # noqa: FBT001 - drawn
    data = "\n".join(parts).encode(errors="surrogateescape")
    exact = list(lines(InMemory(data).open()))
    number = 0
    for item in scan(data, piece, after, on=on):
        if isinstance(item, Line):
            assert item == exact[number]
            number += 1
        elif isinstance(item, Silence):
            size = len(item)
            assert item.number == number + 1
            assert [item.take() for _ in range(size)] == exact[number : number + size]
            number += size
        elif isinstance(item, run.Heard):
            assert number == len(exact), "what was said comes last"
            for spot in item.spots:
                last = exact[spot.number + (item.what.lines if isinstance(item.what, run.Unit) else 1) - 2]
                assert (spot.start, spot.end) == (exact[spot.number - 1].start, last.end)
        else:
            number += item.lines
            assert item.number == number
    assert number == len(exact)


def test_the_first_lines_are_never_in_a_run() -> None:
    found = scan(f"{STEADY}\n".encode() * 50, 100_000, 30)
    assert all(isinstance(item, Line) for item in found[:31])
    (only,) = [item for item in found if not isinstance(item, Line)]
    assert only.lines == 50 - 30 - 2


@pytest.mark.parametrize("piece", [1, 100, 1000, 100_000])
def test_where_fast_reading_is_not_allowed_every_line_stands_by_itself(piece: int) -> None:
    known = Taking()
    found = scan(f"{STEADY}\n".encode() * 50, piece, on=False, known=known)
    assert [item.number for item in found if isinstance(item, Line)] == list(range(1, 51))
    assert known.taken == [{}]


def test_a_run_has_the_times_of_its_first_and_its_last_line() -> None:
    texts = [f"[2026-02-17 10:02:{n:02d}] evicts pages" for n in range(10)]
    (found,) = runs([*texts, ACCESS, ACCESS, "Killed"])
    assert (found.earliest.text, found.latest.text) == ("2026-02-17 10:02:02", "2026-02-17 10:02:09")
    assert (found.lines, found.number, found.headed, found.known) == (9, 11, 9, 1), (
        "the first lines of a stream and of a block are left"
    )


def test_colours_are_counted() -> None:
    coloured = '\x1b[32mINFO\x1b[0m:     10.0.0.1:41 - "GET /health HTTP/1.1" \x1b[32m200 OK\x1b[0m'
    assert [found.coloured for found in runs([STEADY] * 3 + [coloured] * 4 + [STEADY] * 2)] == [4]


@pytest.mark.parametrize("piece", [700, 100_000])
def test_requests_and_answers_have_their_place_time_and_rank(piece: int) -> None:
    texts = [STEADY] * 5
    for n in range(30):
        words = ["", " TP1", " DP1 TP4"][n % 3]
        kind = ["Receive: obj=GenerateReqInput(", "Finish: obj=EmbeddingReqInput("][n % 2]
        texts += [f"[2026-02-17 10:02:{n:02d}{words}] {kind}text='grüße {n}')", STEADY]
    texts.append(STEADY)
    data = laid.joined(texts)
    known = Taking()
    found = requests(texts, piece, known)
    exact = {line.number: line for line in lines(InMemory(data).open())}
    assert len(found) == 30 or (piece == 700 and len(found) > 10)
    for said, spot in found:
        line, second = exact[spot.number], (spot.number - 6) // 2
        assert (spot.start, spot.end) == (line.start, line.end)
        assert spot.stamp.text == f"2026-02-17 10:02:{second:02d}"
        assert said.rank == [NO_RANK, Rank(tp=1), Rank(dp=1, tp=4)][second % 3]
        assert line.text[spot.column :].startswith(said.text)
        assert said.text == ["Receive: obj=GenerateReqInput(", "Finish: obj=EmbeddingReqInput("][second % 2]


@pytest.mark.parametrize(
    "text", ["text='\udcff')", "text='cut \udcf0\udc9f", "text='ends in a blank ", "text='\x1b[1m')"]
)
def test_a_request_whose_text_has_a_say_in_what_it_is_is_left(text: str) -> None:
    said = HEAD + "Receive: obj=GenerateReqInput(" + text
    assert numbers([STEADY, STEADY, REQUEST, said, said, REQUEST, STEADY, STEADY]) == [3, 6]


@pytest.mark.parametrize("behind", ["a line that goes on", "", "Killed", "  further", "\udcff"])
def test_a_request_before_a_line_without_a_header_is_left(behind: str) -> None:
    assert numbers([STEADY, STEADY, REQUEST, REQUEST, behind, STEADY, REQUEST, STEADY, STEADY]) == [3, 7]


def test_a_request_before_a_steady_line_without_a_header_is_taken() -> None:
    assert numbers([STEADY, STEADY, REQUEST, ACCESS, REQUEST, STEADY, STEADY]) == [3, 5]


def test_requests_at_the_edges_of_a_block_are_left() -> None:
    assert numbers([STEADY, *[REQUEST] * 6]) == [3, 4, 5], "what follows line 6 is not known"


def test_rows_are_given_when_they_are_enough_and_at_the_end() -> None:
    known = Taking()
    texts = [STEADY] * 5 + ["a line"] + [STEADY] * 5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS", 3)
        found = runs(texts * 6, 700, known)
    numbers = [number for rows in known.taken for number in rows.get("DecodeBatch", [])]
    assert sum(part.known for part in found) == len(numbers)
    assert all(before < behind for before, behind in pairwise(numbers))
    assert len(known.taken) > 4
    assert all(len(rows["DecodeBatch"]) >= 3 for rows in known.taken[:-1])


def test_rows_below_that_are_given_at_the_end() -> None:
    known = Taking()
    runs([STEADY] * 50, 700, known)
    assert len(known.taken) == 1
    assert len(known.taken[0]["DecodeBatch"]) > 20


def test_the_forms_of_lines_are_asked_for_once_though_blocks_are_told_ahead() -> None:
    known = Taking()
    runs([STEADY, REQUEST, ACCESS, HEAD + "evicts pages"] * 100, 500, known)
    asked = [question for question in known.asked if question.startswith(("access", "silent"))]
    assert sorted(asked) == [f"access {ACCESS}", "silent evicts pages"]


def test_a_reader_that_is_not_read_to_its_end_is_closed() -> None:
    memory = laid.remembering()
    memory.known.on = True
    found = reader.scan(InMemory(laid.joined([STEADY] * 500)).open(), memory.known, memory.silent, 0, 700)
    assert next(found).number == 1
    next(found)
    found.close()
