"""A traceback is one record wherever it stands, or it is left to be read line by line."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import NO_RANK
from analyzer.parsers import units
from analyzer.parsers.units import Units
from analyzer.records import Reader

MATCHER = Catalog.load().matcher
HEAD = "Traceback (most recent call last):"
FRAMES = [
    '  File "/opt/scheduler.py", line 28, in run',
    "    loop()",
    '  File "/opt/model.py", line 9, in loop',
    "    x()",
]
RAISED = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."


def raw(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    "lines",
    [
        (HEAD, *FRAMES, RAISED),
        (HEAD, *FRAMES, "KeyError"),
        (HEAD, *FRAMES[:2], "        ^^^^^^", "ValueError: 5 is no rank"),
        (HEAD, '\tFile "a.py", line 1, in run', "AssertionError: no"),
    ],
)
def test_a_traceback_is_one_record(lines: tuple[str, ...]) -> None:
    assert Units(MATCHER).holds(raw(*lines), headed=False)


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
    assert not Units(MATCHER).holds(raw(*lines), headed=False)


def test_bytes_that_are_no_text_and_long_ones_are_not() -> None:
    assert not Units(MATCHER).holds(raw(HEAD, *FRAMES) + b"ValueError: \xff\n", headed=False)
    assert not Units(MATCHER).holds(raw(HEAD, *FRAMES, "ValueError: " + 17_000 * "x"), headed=False)


def test_what_a_traceback_is_does_not_depend_on_where_it_stands() -> None:
    made = Units(MATCHER).made(raw("Scheduler hit an exception: " + HEAD, *FRAMES, RAISED), headed=True)
    assert (made.record.text, made.record.more) == ("Scheduler hit an exception: " + HEAD, [*FRAMES, RAISED])
    assert (made.record.direct, made.record.header) == (True, "sglang")
    assert [claim.pattern.id for claim in made.claims] == ["gpu-oom"]
    assert made.raised is not None
    assert (made.raised.type, made.raised.process) == ("torch.OutOfMemoryError", "scheduler")


def test_without_a_header_it_is_nobody_s_at_no_time() -> None:
    made = Units(MATCHER).made(raw(HEAD, *FRAMES, "KeyError: 'a'"), headed=False)
    assert (made.record.direct, made.record.header, made.record.stamp, made.record.rank) == (False, "", None, NO_RANK)
    assert (made.record.text, list(made.claims)) == (HEAD, [])
    assert made.raised is not None
    assert made.raised.frames == ("scheduler.py:run", "model.py:loop")


@pytest.mark.parametrize("raised", ["KeyError: 'a'", "ValueError"])
def test_one_that_gives_nothing_but_a_line_that_looks_like_an_error_is_left(raised: str) -> None:
    assert not Units(MATCHER).holds(raw("a step failed: " + HEAD, raised), headed=True)
    assert Units(MATCHER).holds(raw("a step failed: " + HEAD, *FRAMES[:2], raised), headed=True)


def test_one_without_frames_may_still_be_claimed() -> None:
    made = Units(MATCHER).made(raw("a step failed: " + HEAD, RAISED), headed=True)
    assert [claim.pattern.id for claim in made.claims] == ["gpu-oom"]
    assert made.raised is None


def test_behind_a_header_the_same_lines_are_something_else() -> None:
    said, known = raw(HEAD, *FRAMES, RAISED), Units(MATCHER)
    assert [known.made(said, headed=headed).record.direct for headed in (False, True, False)] == [False, True, False]


def test_one_that_prints_arguments_or_has_a_row_is_left() -> None:
    known = Units(MATCHER)
    assert not known.holds(raw("server_args=ServerArgs(tp_size=8): " + HEAD, *FRAMES, RAISED), headed=True)
    access = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 500 '
    assert not known.holds(raw(access + HEAD, *FRAMES, RAISED), headed=True)
    assert known.holds(raw("a step failed: " + HEAD, *FRAMES, RAISED), headed=True)


def test_behind_a_user_s_text_no_exception_is_read() -> None:
    private = Units(MATCHER).made(raw("Receive: obj=GenerateReqInput(text='" + HEAD, *FRAMES, RAISED), headed=True)
    assert [claim.pattern.private for claim in private.claims] == [True]
    assert private.raised is None


def test_other_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="no traceback"):
        Units(MATCHER).made(raw(HEAD), headed=False)


def test_only_so_many_are_kept_and_each_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "_MOST", 3)
    readers: list[object] = []
    monkeypatch.setattr(units, "Reader", lambda: readers.append(None) or Reader())
    known = Units(MATCHER)
    several = [raw(HEAD, *FRAMES, f"ValueError: {n}") for n in range(3)]
    assert all(known.holds(said, headed=False) for said in several * 4)
    assert len(readers) == 3
    assert all(known.holds(raw(HEAD, *FRAMES, f"KeyError: {n}"), headed=False) for n in range(3))
    assert known.holds(several[0], headed=False)
    assert len(readers) == 7, "the first three, three more, and the first again, which was forgotten"
