"""A plain header is read as the exact reading reads it, or not at all; what it needs is learned once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import NO_RANK, Rank

np = pytest.importorskip("numpy")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")

LINE = "[2026-02-17 10:02:51 TP1] a"
BEFORE = b"before\n"


def once(line: bytes, memory: object, behind: bytes = laid.BEHIND, time: float = np.nan) -> tuple[int, float, int, int]:
    """What has to be learned, the seconds, the label, and where the message begins, of a line among others.

    `time` are the seconds where they are known.
    """
    text = laid.Laid(BEFORE + line + b"\n", behind)
    held = memory.now()  # type: ignore[attr-defined]
    return kernel.header(text.at, len(BEFORE), text.size, text.limit, time, held.learned)


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


def test_a_time_that_is_known_is_taken_and_not_read() -> None:
    memory = laid.remembering()
    assert memory.learn_rank(LINE.encode())
    assert once(LINE.encode(), memory)[0] == layout.A_DAY
    assert once(LINE.encode(), memory, time=12.5) == (layout.NOTHING, 12.5, 0, len(BEFORE) + 26)
    assert once(LINE.encode(), memory, time=0.0) == (layout.NOTHING, 0.0, 0, len(BEFORE) + 26)


def test_under_a_time_that_is_known_the_rest_of_the_header_is_read_as_ever() -> None:
    memory = laid.remembering()
    assert memory.learn_rank(b"[2026-02-17 10:02:51,123] a")
    for words, ask in ((" TP1] a", layout.A_RANK), (",123] a", layout.NOTHING), (" TP1]a", layout.NOTHING), ("", 0)):
        line = f"[2026-02-17 10:02:51{words}".encode()
        assert once(line, memory, time=12.5) == (ask, 0.0, -1, 0)


def stands(lines: list[str]) -> list[tuple[float, object, int] | None]:
    """What is read of the headers of lines that stand in one chunk, as `read` has it."""
    memory = laid.remembering()
    told = laid.told(lines, memory)
    return [
        (float(told.seconds[n]), memory.ranks[told.label[n]], int(told.message[n] - told.ends[n]))
        if told.message[n]
        else None
        for n in range(len(lines))
    ]


def exactly(lines: list[str]) -> list[tuple[float, object, int] | None]:
    """The same by the exact reading, of each line by itself; `None` where no plain header is to be read."""
    known = laid.Counting()
    found = [known.header(line) if read(line) else None for line in lines]
    return [header and (known.seconds(header[1]), header[2], header[0]) for header in found]


@pytest.mark.parametrize("index", range(layout.OPENING))
def test_a_header_that_differs_from_the_one_before_in_one_byte_has_its_own_time_or_none(index: int) -> None:
    others = [LINE[:index] + byte + LINE[index + 1 :] for byte in "0123456789[ -:x" if byte != LINE[index]]
    lines = [line + " line of a text" for other in others for line in (LINE, other, LINE)]
    assert stands(lines) == exactly(lines)


def test_lines_of_equal_openings_have_one_time_and_ranks_of_their_own() -> None:
    first = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    heads = [
        ("51", " TP1", 1),
        ("51", " TP2", 2),
        ("51", "", None),
        ("52", " TP1", 1),
        ("52", " TP2", 2),
        ("51", " TP1", 1),
    ]
    lines = [f"[2026-02-17 10:02:{second}{words}] said by a rank" for second, words, _ in heads]
    assert stands(lines) == [
        (first + int(second) - 51, Rank(tp=number), len(f"[2026-02-17 10:02:{second}{words}] "))
        for second, words, number in heads
    ]


def test_a_time_outlives_the_lines_without_a_header_that_stand_between() -> None:
    lines = [LINE, "a text", "", "[2026-02-17 10:02:51", "[2026-02-17 10:02:51]", LINE, "[2026-02-31 10:02:51 TP1] b"]
    lines += ["[2026-02-31 10:02:51 TP1] b", LINE, "[2026-02-17 10:02:51 x far too long to be a rank in this] a", LINE]
    first = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    assert stands(lines) == [(first, Rank(tp=1), 26) if line == LINE else None for line in lines]


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


# Few times, so that lines have the same as the one before, days that are none, and what is no header.
DAYS = st.sampled_from(["2026-02-17", "2026-02-17", "2026-02-18", "2027-02-17", "2026-02-31"])
CLOCKS = st.sampled_from(["10:02:51", "10:02:51", "10:02:52", "10:12:51", "11:02:51", "24:02:51", "10:02-51"])
OPENINGS = st.builds("[{} {}".format, DAYS, CLOCKS)
SAID = st.sampled_from(["] said", "] Decode batch. #running-req: 8, #queue-req: 0", "]", "", ".123] said"])
AMONG = st.builds("{}{}{}".format, OPENINGS, RANKS, SAID) | st.sampled_from(["", "a text", "[2026-02-17 10:02:5"])


@given(st.lists(AMONG, max_size=30))
def test_times_that_change_among_the_lines_of_a_chunk_are_those_of_the_exact_reading(lines: list[str]) -> None:
    assert stands(lines) == exactly(lines)


NEARLY = st.lists(st.sampled_from([*"[]0129:- .,T", "[20", "2026-02-17", "10:02:51", " TP1", "] ", "] a"]), max_size=14)


@given(NEARLY.map("".join) | NEARLY.map(lambda parts: "[2026-02-17 10:0" + "".join(parts)))
def test_what_is_read_of_any_line_is_what_the_exact_reading_says(line: str) -> None:
    memory = laid.remembering()
    found = read(line, memory)
    if found:
        at, stamp, rank = memory.known.header(line)
        assert found == (memory.known.seconds(stamp), rank, at)
