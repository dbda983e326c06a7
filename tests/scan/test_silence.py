"""Silent lines stand together in runs; taken apart, they are the lines of the exact reading, whatever is silent."""

from __future__ import annotations

from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.scan import Line, lines, silence
from analyzer.scan.silence import APART, ASK, COLOURED, EVENTS, KNOWN, LOUD, SILENT, Silence

KINDS = (LOUD, LOUD, SILENT, APART, APART | COLOURED, SILENT | KNOWN, APART | KNOWN | EVENTS, ASK)
TEXT = st.lists(st.text(st.sampled_from("ab 7é\r\x1b"), max_size=9).map(str.encode) | st.just(b"\xff1"), max_size=40)


class Known:
    """Says of a wording whatever its checksum says, and of an asked line what its own does."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on

    def __getitem__(self, bare: bytes) -> int:
        return KINDS[crc32(bare) % len(KINDS)]

    def ask(self, raw: bytes, bare: bytes) -> int:
        assert raw.translate(None, b"0123456789") == bare
        return KINDS[crc32(raw) % (len(KINDS) - 1)]


class Quiet(Known):
    """Says that every line is nobody's continuation and says nothing."""

    def __getitem__(self, bare: bytes) -> int:
        return APART


def scan(data: bytes, piece: int, after: int = 0, *, on: bool = True) -> list[Line | Silence]:
    return list(silence.scan(InMemory(data).open(), Known(on=on), after, piece))


def opened(item: Line | Silence) -> list[Line]:
    return [item] if isinstance(item, Line) else [item.take() for _ in range(len(item))]


@given(TEXT, st.sampled_from([b"", b"\n"]), st.integers(1, 60), st.integers(0, 5))
def test_the_lines_are_those_of_the_exact_reading(parts: list[bytes], end: bytes, piece: int, after: int) -> None:
    data = b"\n".join(parts) + end
    found = [line for item in scan(data, piece, after) for line in opened(item)]
    if b"\xff1" not in parts:  # what is silent has been decoded by whoever called it silent
        assert found == list(lines(InMemory(data).open()))
    assert [(line.number, line.start, line.end) for line in found] == [
        (line.number, line.start, line.end) for line in lines(InMemory(data).open())
    ]


def test_an_empty_stream_has_no_lines() -> None:
    assert scan(b"", 10) == []


def test_nothing_is_silent_where_lines_cannot_be_judged() -> None:
    assert all(isinstance(item, Line) for item in scan(b"a\nb\nc\n" * 9, 20, on=False))


def test_the_head_is_read_line_by_line() -> None:
    first, second, run = silence.scan(InMemory(b"a\nb\nc\nd\n").open(), Quiet(), 2)
    assert (first, second) == (Line(1, 0, 2, "a"), Line(2, 2, 4, "b"))
    assert isinstance(run, Silence)
    assert (run.number, len(run), run.last(9)) == (3, 2, [b"c", b"d"])


def test_a_run_counts_what_is_left_of_it() -> None:
    class Marked(Known):
        def __getitem__(self, bare: bytes) -> int:
            return {b"s": SILENT, b"c": APART | COLOURED, b"e": APART | KNOWN | EVENTS}[bare]

    (run,) = silence.scan(InMemory(b"c1\nc2\ns\ne\n").open(), Marked(), 0)
    assert isinstance(run, Silence)
    assert (run.opens_apart, run.apart, run.mute, run.coloured, run.known) == (True, False, False, 2, 1)
    assert list(run.eventful()) == [(b"e", 4, 8)]
    assert run.take() == Line(1, 0, 3, "c1")
    assert run.take() == Line(2, 3, 6, "c2")
    assert (run.opens_apart, run.number, run.coloured, len(run)) == (False, 3, 0, 2)
    run.take()
    assert (run.apart, run.mute) == (True, False)
