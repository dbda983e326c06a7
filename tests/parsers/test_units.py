"""A traceback is one record wherever it stands, or it is left to be read line by line."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from analyzer.evidence import NO_RANK, Rank, Ref, Stamp
from analyzer.parsers import units
from analyzer.records import Reader

if TYPE_CHECKING:
    from analyzer.scan.fast import Unit

HEAD = "Traceback (most recent call last):"
FRAMES = [
    '  File "/opt/scheduler.py", line 28, in run',
    "    loop()",
    '  File "/opt/model.py", line 9, in loop',
    "    x()",
]
RAISED = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."
STAMP = Stamp("2026-02-17 10:02:51", datetime(2026, 2, 17, 10, 2, 51))


class Place(NamedTuple):
    """What the fast reading says of a traceback."""

    raw: bytes
    lines: int
    number: int
    start: int
    end: int
    column: int = 0
    stamp: Stamp = STAMP
    rank: Rank = NO_RANK
    headed: bool = False


def raw(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    "lines",
    [
        (HEAD, *FRAMES, RAISED),
        (HEAD, *FRAMES, "KeyError"),
        (HEAD, *FRAMES[:2], "        ^^^^^^", "ValueError: 5 is no rank"),
        (HEAD, '\tFile "a.py", line 1', "AssertionError: no"),
    ],
)
def test_a_traceback_is_one_record(lines: tuple[str, ...]) -> None:
    assert units.Units().holds(raw(*lines), headed=False)


@pytest.mark.parametrize(
    "lines",
    [
        (HEAD, *FRAMES),
        (HEAD, *FRAMES, RAISED, "another line"),
        (HEAD, *FRAMES, RAISED, HEAD, *FRAMES, RAISED),
        (HEAD, *FRAMES, "not the name of an exception"),
        (HEAD, *FRAMES[:1], "python3 -m sglang.launch_server \\", RAISED),
        (HEAD, *FRAMES[:1], "[2026-02-17 10:02:51] another header", RAISED),
        (HEAD, *FRAMES, RAISED + 9 * " "),
        ("[2026-02-17 10:02:51] " + HEAD, *FRAMES, RAISED),
    ],
)
def test_other_lines_are_not(lines: tuple[str, ...]) -> None:
    assert not units.Units().holds(raw(*lines), headed=False)


def test_bytes_that_are_no_text_and_long_ones_are_not() -> None:
    assert not units.Units().holds(raw(HEAD, *FRAMES) + b"ValueError: \xff\n", headed=False)
    assert not units.Units().holds(raw(HEAD, *FRAMES, "ValueError: " + 17_000 * "x"), headed=False)


def test_the_record_stands_where_its_lines_do() -> None:
    said = raw("Scheduler hit an exception: " + HEAD, *FRAMES, RAISED)
    start, column = 1000, len("[2026-02-17 10:02:51 TP3] ")
    place = Place(said, 6, 41, start, start + column + len(said), column, rank=Rank(tp=3), headed=True)
    record = units.Units().record(cast("Unit", place), "server.log")
    assert record.ref == Ref("server.log", 41, 46, start, start + column + len(said), column)
    assert (record.text, record.more) == ("Scheduler hit an exception: " + HEAD, [*FRAMES, RAISED])
    assert (record.stamp, record.direct, record.rank, record.header) == (STAMP, True, Rank(tp=3), "sglang")


def test_without_a_header_the_time_is_that_before_it() -> None:
    said = raw(HEAD, *FRAMES, RAISED)
    place = Place(said, 6, 1, 0, len(said))
    record = units.Units().record(cast("Unit", place), "server.log")
    assert (record.stamp, record.direct, record.rank, record.header) == (STAMP, False, NO_RANK, "")


def test_two_records_of_one_wording_do_not_share_their_lines() -> None:
    said, known = raw(HEAD, *FRAMES, RAISED), units.Units()
    place = cast("Unit", Place(said, 6, 1, 0, len(said)))
    known.record(place, "a.log").more.clear()
    assert known.record(place, "a.log").more == [*FRAMES, RAISED]


def test_a_record_of_other_lines_is_refused() -> None:
    place = cast("Unit", Place(raw(HEAD), 1, 7, 0, 35))
    with pytest.raises(ValueError, match="line 7"):
        units.Units().record(place, "a.log")


def test_only_so_many_are_kept_and_each_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_MOST", 3)
    readers: list[object] = []
    monkeypatch.setattr(units, "Reader", lambda: readers.append(None) or Reader())
    known = units.Units()
    several = [raw(HEAD, *FRAMES, f"ValueError: {n}") for n in range(3)]
    assert all(known.holds(said, headed=False) for said in several * 4)
    assert len(readers) == 3
    assert all(known.holds(raw(HEAD, *FRAMES, f"KeyError: {n}"), headed=False) for n in range(3))
    assert known.holds(several[0], headed=False)
    assert len(readers) == 7, "the first three, three more, and the first again, which was forgotten"
