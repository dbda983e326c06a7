"""Which lines of each input stay: those that the report cites with their surroundings, both ends, what started it.

Of every kind of dated line some stay, evenly spread, so that shares and medians of what a server prints all day hold.
What is left out is marked in its place, with the numbers that the lines have in the original.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from analyzer.bundle.stream import Section
from analyzer.errors import UnreadableError
from analyzer.immutable import immutable
from analyzer.records.left_out import mark
from analyzer.scan import lines as lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.bundle import Source
    from analyzer.contract import Report
    from analyzer.contract import Source as Known
    from analyzer.scan import Line

# Lines kept around each cited one, from the closest cut to no cut at all.
LEVELS: Final = (5, 50, 500, 5000, None)
MOST: Final = 64 * 1024**2  # characters of all excerpts together
_SMALL: Final = 256 * 1024  # bytes up to which a snapshot stays whole
_LOG: Final = "sglang-log"
_ENDS: Final = 20
_FEWEST: Final = 4  # fewer lines than these are not worth a mark
_MOST_SHAPES: Final = 2000
_SHAPE: Final = 48
# A launch begins with one of these, and its sizes stand in it.
_STARTS: Final = ("server_args=", "sglang.launch_server", "sglang serve", "sglang-router", "sglang_router")
_TIME: Final = regex.compile(r"\d\d:\d\d:\d\d")
_FIGURES: Final = regex.compile(r"[0-9a-fx]*\d[0-9a-fx]*")
# Colours say nothing; what else a terminal would obey is spelled out. Tabs and a progress bar's returns stay.
_COLOUR: Final = regex.compile(r"\x1b\[[\d;:]*m")
_UNSEEN: Final = regex.compile(r"[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\t\r]]", regex.VERSION1)


@immutable
class Excerpt:
    """What is kept of one input: its name, the text, and how many of how many lines."""

    name: str
    text: str
    kept: int
    lines: int


def excerpts(sources: Sequence[Source], report: Report, around: int | None) -> list[Excerpt] | None:
    """Every input that was read, cut to `around` lines on both sides of what the report cites (`None`: not cut).

    `report` is the one on these sources, not yet redacted. `None` where all together are too large.
    """
    made: list[Excerpt] = []
    cited: dict[str, list[tuple[int, int]]] = {}
    for line in report.lines.values():
        cited.setdefault(line.source, []).append((line.line, line.last_line))
    room = MOST
    for source, known in zip(sources, report.coverage.sources, strict=False):
        if not known.lines:
            continue
        whole = around is None or (_LOG not in known.kind and known.bytes <= _SMALL)
        excerpt = _cut(source, known, None if whole else cited.get(known.name, []), around or 0, room)
        if excerpt is None:
            return None
        room -= len(excerpt.text)
        made.append(excerpt)
    return made


def _cut(
    source: Source, known: Known, cited: Sequence[tuple[int, int]] | None, around: int, room: int
) -> Excerpt | None:
    count = known.lines
    try:
        stream = Section(source.open(), 0, known.bytes)  # a log may have grown, or its reading been interrupted
    except (OSError, UnreadableError):
        return Excerpt(source.name, f"{mark(1, count)}\n", 0, count)  # it was there a moment ago
    try:
        near = _Ranges([(1, count)] if cited is None else _near(cited, count, around))
        kept = _kept(lines_of(stream), near, around, room)
    finally:
        stream.close()
    text = "".join(f"{_harmless(line)}\n" for line in _marked(kept, count)) if kept is not None else ""
    return Excerpt(source.name, text, len(kept), count) if kept is not None and len(text) <= room else None


def _near(cited: Sequence[tuple[int, int]], count: int, around: int) -> list[tuple[int, int]]:
    ends = max(around, _ENDS)
    return [(1, ends), (count - ends + 1, count), *((first - around, last + around) for first, last in cited)]


def _kept(every: Iterable[Line], near: _Ranges, spread: int, room: int) -> dict[int, str] | None:
    """The texts of the lines that stay, by number; `None` where they are more than there is room for."""
    kept: dict[int, str] = {}
    kinds: dict[str, _Spread] = {}
    for line in every:
        if near.hold(line.number) or any(word in line.text for word in _STARTS):
            kept[line.number] = line.text
            room -= len(line.text)
        elif (shape := _shape(line.text)) and (shape in kinds or len(kinds) < _MOST_SHAPES):
            room -= kinds.setdefault(shape, _Spread(spread)).add(line)
        if room < 0:
            return None
    kept |= {line.number: line.text for kind in kinds.values() for line in (*kind.some, kind.last) if line}
    return dict(sorted(kept.items()))


class _Spread:
    """The first, the last, and at most `most` evenly spread ones of any number of lines."""

    def __init__(self, most: int) -> None:
        self.some: list[Line] = []
        self.last: Line | None = None
        self._most = most
        self._step, self._seen = 1, 0

    def add(self, line: Line) -> int:
        """Takes the next line; gives how many characters that adds at most to what is held."""
        self.last = line
        taken = self._seen % self._step == 0
        if taken:
            self.some.append(line)
        self._seen += 1
        if len(self.some) > self._most:
            del self.some[1::2]
            self._step *= 2
        return len(line.text) if taken else 0


class _Ranges:
    """Line numbers from a first to a last each, asked in ascending order; gaps too short for a mark are closed."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        self._spans: list[tuple[int, int]] = []
        for first, last in sorted(spans):
            if self._spans and first <= self._spans[-1][1] + _FEWEST:
                begin, end = self._spans.pop()
                self._spans.append((begin, max(last, end)))
            else:
                self._spans.append((first, last))
        self._spans.reverse()

    def hold(self, number: int) -> bool:
        """Whether one of them holds the number."""
        while self._spans and self._spans[-1][1] < number:
            self._spans.pop()
        return bool(self._spans) and self._spans[-1][0] <= number


def _shape(text: str) -> str:
    """How a dated line begins apart from its time and its figures: by this they are gathered."""
    time = _TIME.search(text, 0, 2 * _SHAPE)
    return str(_FIGURES.sub("0", text[time.end() : time.end() + _SHAPE])) if time else ""


def _marked(kept: dict[int, str], count: int) -> Iterable[str]:
    """The lines in their order, with a mark for every stretch that is not there."""
    expected = 1
    for number, text in kept.items():
        if number > expected:
            yield mark(expected, number - 1)
        yield text
        expected = number + 1
    if expected <= count:
        yield mark(expected, count)


def _harmless(text: str) -> str:
    bare = _COLOUR.sub("", text)
    return str(_UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", bare))
