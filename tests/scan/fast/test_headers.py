"""A plain header is read as the exact reading reads it, or not at all; what it needs is learned once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import NO_RANK, Rank

pytest.importorskip("numpy")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")

LINE = "[2026-02-17 10:02:51 TP1] a"
BEFORE = b"before\n"


def once(line: bytes, memory: object, behind: bytes = laid.BEHIND) -> tuple[int, float, int, int]:
    """What has to be learned, the seconds, the label, and where the message begins, of a line among others."""
    text = laid.Laid(BEFORE + line + b"\n", behind)
    held = memory.now()  # type: ignore[attr-defined]
    return kernel.header(text.at, len(BEFORE), text.size, text.limit, held.learned)


def read(line: str, memory: object = None) -> tuple[float, object, int] | None:
    """The time, the rank, and where the message begins; `None` where there is no plain header."""
    raw = line.encode()
    memory = memory or laid.remembering()
    lessons = {layout.A_DAY: memory.learn_day, layout.A_RANK: memory.learn_rank}  # type: ignore[attr-defined]
    for _ in lessons:
        ask = once(raw, memory)[0]
        if ask:
            assert lessons[ask](raw)
    ask, seconds, label, message = once(raw, memory)
    assert ask == layout.NOTHING
    return (seconds, memory.ranks[label], message - len(BEFORE)) if message else None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "[2026-02-31 10:02:51] a",
        "[2026-13-01 10:02:51] a",
        "[2026-2-17 10:02:51] abc",
        "[2026-02-17 24:02:51] a",
        "[2026-02-17 10:60:51] a",
        "[2026-02-17 10:02:60] a",
        "[2026-02-17 10:02-51] a",
        "[2026-02-17 10.02:51] a",
        "[2026-02-17 1a:02:51] a",
        "[2026-02-17 :0:02:51] a",
        "[2026-02-17 10:/2:51] a",
        "[2026-02-17T10:02:51] a",
        "[2026-02-17  0:02:51] a",
        "[1926-02-17 10:02:51] a",
        "{2026-02-17 10:02:51] a",
        " [2026-02-17 10:02:51] a",
        "[2026-02-17 10:02:51.5] a",
        "[2026-02-17 10:02:51,123] a",
        "[2026-02-17 10:02:51 TP1]a",
        "[2026-02-17 10:02:51 TP1]",
        "[2026-02-17 10:02:51 TP1",
        "[2026-02-17 10:02:51",
        "[2026-02-17 10:02:5",
        "[20",
        "",
        "[2026-02-17 10:02:51TP1] a",
        "[2026-02-17 10:02:51 TP1 ] a",
        "[2026-02-17 10:02:51 TP-1] a",
        "[2026-02-17 10:02:51 ä] a",
        "[2026-02-17 10:02:51 X[1]] a",
        "[2026-02-17 10:02:51 a name far too long to be a rank in this] a",
    ],
)
def test_another_header_is_left_out(line: str) -> None:
    assert read(line) is None


@pytest.mark.parametrize(
    ("words", "rank"),
    [("", NO_RANK), (" TP1", Rank(tp=1)), (" DP1 TP4 EP4", Rank(dp=1, tp=4, ep=4)), (" PP1 TP0", Rank(pp=1, tp=0))],
)
def test_a_plain_header_has_a_time_a_rank_and_a_message_behind_it(words: str, rank: Rank) -> None:
    moment = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    assert read(f"[2026-02-17 10:02:51{words}] a") == (moment, rank, len(f"[2026-02-17 10:02:51{words}] "))


def test_a_header_may_stand_before_an_empty_message() -> None:
    seconds, rank, message = read("[2026-02-17 10:02:51] ")
    assert (seconds % 60, rank, message) == (51.0, NO_RANK, 22)


def test_a_day_and_a_rank_are_asked_for_once() -> None:
    known = laid.Counting()
    memory = laid.remembering(known)
    assert once(LINE.encode(), memory)[0] == layout.A_DAY
    assert memory.learn_day(LINE.encode())
    assert once(LINE.encode(), memory)[0] == layout.A_RANK
    assert memory.learn_rank(LINE.encode())
    known.asked.clear()
    for line in (LINE, "[2026-02-17 23:59:59 TP1] b"):
        ask, _, label, message = once(line.encode(), memory)
        assert (ask, label, message) == (layout.NOTHING, 0, len(BEFORE) + 26)
    assert not known.asked
    assert once(b"[2026-02-18 10:02:51 TP1] a", memory)[0] == layout.A_DAY
    assert once(b"[2026-02-17 10:02:51 TP2] a", memory)[0] == layout.A_RANK


def test_what_is_no_header_is_asked_for_once() -> None:
    memory = laid.remembering()
    assert memory.learn_day(b"[2026-02-31 10:02:51 TP1] a")
    assert not memory.learn_day(b"[2026-02-31 11:02:51 TP2] a")
    assert once(b"[2026-02-31 11:02:51 TP2] a", memory) == (layout.NOTHING, 0.0, -1, 0)
    assert memory.learn_day(b"[2026-02-17 10:02:51,123] a")
    assert memory.learn_rank(b"[2026-02-17 10:02:51,123] a")
    assert once(b"[2026-02-17 11:02:51,123] a", memory) == (layout.NOTHING, 0.0, -1, 0)


def test_near_the_end_of_the_buffer_no_header_is_read() -> None:
    memory = laid.remembering()
    line = b"[2026-02-17 10:02:51 " + b"T" * 9 + b"] \n"
    assert read(LINE, memory)
    assert once(LINE.encode(), memory, b"")[3] == 0
    assert once(line, memory, b"")[0] == layout.NOTHING


@pytest.mark.parametrize("size", [kernel.LONGEST_RANK - 1, kernel.LONGEST_RANK, kernel.LONGEST_RANK + 1])
def test_what_is_too_long_to_be_a_rank_is_not_asked_for(size: int) -> None:
    memory = laid.remembering()
    line = f"[2026-02-17 10:02:51 {'x' * (size - 1)}] a".encode()
    assert memory.learn_day(line)
    assert once(line, memory)[0] == (layout.A_RANK if size <= kernel.LONGEST_RANK else layout.NOTHING)


RANKS = st.sampled_from(["", " TP0", " TP1", " DP1 TP4 EP4", " PP1 TP0", " ATTN_CP1", " tp", " TP99999999", " X[1]"])
TIMES = st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2099, 12, 31))


@given(st.lists(st.tuples(TIMES, RANKS), min_size=1, max_size=40))
def test_times_and_ranks_are_those_of_the_exact_reading(heads: list[tuple[datetime, str]]) -> None:
    memory = laid.remembering()
    for moment, words in heads:
        line = f"[{moment:%Y-%m-%d %H:%M:%S}{words}] said"
        at, stamp, rank = memory.known.header(line)
        if "]" in words:
            assert read(line, memory) is None
        else:
            assert read(line, memory) == (memory.known.seconds(stamp), rank, at)


NEARLY = st.lists(st.sampled_from([*"[]0129:- .,T", "[20", "2026-02-17", "10:02:51", " TP1", "] ", "] a"]), max_size=14)


@given(NEARLY.map("".join) | NEARLY.map(lambda parts: "[2026-02-17 10:0" + "".join(parts)))
def test_what_is_read_of_any_line_is_what_the_exact_reading_says(line: str) -> None:
    memory = laid.remembering()
    found = read(line, memory)
    if found:
        at, stamp, rank = memory.known.header(line)
        assert found == (memory.known.seconds(stamp), rank, at)
