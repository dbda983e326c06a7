"""A stream in pieces of a few MB: runs of steady lines in one go, everything else line by line, all in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analyzer.bundle.encoding import to_text
from analyzer.scan.exact import MAX_TEXT, Line, bounded, line_of
from analyzer.scan.fast.chunk import DATED, LEFT, SILENT, UNDATED, Chunk
from analyzer.scan.fast.headers import OPENING
from analyzer.scan.fast.memory import Memory
from analyzer.scan.fast.run import Run
from analyzer.scan.fast.tables import Gathered, Lines
from analyzer.scan.fast.words import PAD
from analyzer.scan.silence import Rest, is_crash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle import Stream
    from analyzer.evidence import Stamp
    from analyzer.scan.fast.run import Known
    from analyzer.scan.fast.words import Positions

PIECE = 2 * 1024 * 1024
ROWS = 256 * 1024  # that become frames at once
_DUMPED = (b"Receive: obj=", b"Finish: obj=")
_SAMPLE = 64 * 1024  # bytes of a piece that tell what it is made of
_OBJECT = 200  # bytes in which the name of what is logged ends
_DUMPS = (b"Receive: ", b"Finish: ")  # what follows is a user's text, and no header


def scan(stream: Stream, known: Known, after: int, piece: int = PIECE) -> Iterator[Line | Run | Rest]:
    """The lines of UTF-8 text as `exact.lines` has them, with runs in place of steady ones behind the first `after`.

    `known` takes the rows of the steady lines.
    """
    memory = Memory(known)
    gathered = Gathered(memory.ranks)
    number, at, carry, dropped = 1, 0, b"", 0
    while data := _filled(stream, piece):
        text = b"".join((carry, data, PAD))
        size, begin = text.rfind(b"\n", 0, len(text) - len(PAD)) + 1, 0
        while begin < size and (dropped or number <= after):
            end = text.index(b"\n", begin) + 1
            span = at + begin, at + end + dropped
            yield line_of(number, span, text[begin:end], "utf-8", cut=bool(dropped))
            number, at, dropped, begin = number + 1, at + dropped, 0, end
        if begin < size:
            if known.on and known.parts:
                yield from known.parts.read(stream, (at + begin, at + size), at + len(text) - len(PAD), number, known)
                return
            if known.on and is_crash(text, middle := (begin + size) // 2, min(size, middle + _SAMPLE)):
                rest = Rest(text[begin:size], number, at + begin, text.count(b"\n", begin, size))
                yield rest
                number += rest.lines
            elif known.on:
                part = Piece(text, (begin, size), number, at, memory, gathered)
                yield from part.items()
                number += part.lines
            else:
                yield from _one_by_one(text[begin:size], number, at + begin)
                number += text.count(b"\n", begin, size)
        at += size
        if gathered.count >= ROWS:
            known.take(*gathered.take())
        carry, more = bounded(text[size : -len(PAD)])
        dropped += more
    if carry or dropped:
        yield line_of(number, (at, at + len(carry) + dropped), carry, "utf-8", cut=bool(dropped))
    known.take(*gathered.take())


def _filled(stream: Stream, size: int) -> bytes:
    """That many bytes, even from a decompressor that gives little at a time; fewer at the end."""
    data = stream.read(size)
    if not data or len(data) == size:
        return data
    parts, left = [data], size - len(data)
    while left and (more := stream.read(left)):
        parts.append(more)
        left -= len(more)
    return b"".join(parts)


def _one_by_one(text: bytes, number: int, at: int) -> Iterator[Line]:
    for raw in text.split(b"\n")[:-1]:
        end = at + len(raw) + 1
        yield line_of(number, (at, end), raw + b"\n", "utf-8", cut=False)
        number, at = number + 1, end


class Piece:
    """Whole lines: a `span` of a text that ends in `PAD` and begins at byte `at` of the stream.

    The first is line `number`; the rows go to `gathered`.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - two are shared by all pieces
        self, text: bytes, span: tuple[int, int], number: int, at: int, memory: Memory, gathered: Gathered
    ) -> None:
        self._text, self._number, self._at, self._memory = text, number, at, memory
        self._chunk = Chunk(text, *span, memory)
        self._kinds = self._chunk.kinds
        self.lines = len(self._kinds)
        self._left: dict[int, Line] = {}
        self._dated = self._leave()
        self._gather(gathered)

    def items(self) -> Iterator[Line | Run]:
        """The runs, and between them the lines that are left to the exact reading."""
        edges = np.flatnonzero(np.diff(self._kinds != LEFT, prepend=False, append=False)).tolist()
        done = 0
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            yield from map(self._line, range(done, first))
            done = last
            earliest, latest = self._stamp(first), self._stamp(last - 1)
            if earliest and latest:
                rows = int(np.count_nonzero(self._kinds[first:last] != SILENT))
                coloured = int(np.count_nonzero(self._chunk.coloured[first:last]))
                text, number = self._line(first).text, self._number + last - 1
                yield Run(text, last - first, number, rows, earliest, latest, coloured)
        yield from map(self._line, range(done, self.lines))

    def _line(self, index: int) -> Line:
        line = self._left.get(index)
        if line is None:
            start, end = int(self._chunk.starts[index]), int(self._chunk.ends[index])
            span = (self._at + start, self._at + end)
            raw = self._text[start:end]
            line = self._dump(index, span, raw) or line_of(self._number + index, span, raw, "utf-8", cut=False)
        return line

    def _dump(self, index: int, span: tuple[int, int], raw: bytes) -> Line | None:
        """A request or an answer that the server logged, up to the user's text, in which nobody looks for anything.

        `None` where it is no such line, or where its end may matter to the next.
        """
        begin = int(self._chunk.message[index]) - int(self._chunk.starts[index])
        if begin <= 0 or not raw.startswith(_DUMPED, begin) or len(raw) > MAX_TEXT or b"\x1b" in raw:
            return None
        opened = raw.find(b"(", begin, begin + _OBJECT) + 1
        headed = index + 1 < self.lines and (self._chunk.message[index + 1] or self._kinds[index + 1] != LEFT)
        if not opened or not headed or raw.rstrip(b"\r\n").endswith(b" "):
            return None
        undecodable = 0 if raw.isascii() else to_text(raw, "utf-8")[1]
        return Line(self._number + index, *span, raw[:opened].decode("ascii", "replace"), undecodable)

    def _stamp(self, index: int) -> Stamp | None:
        """The time of a steady line, printed there or before."""
        start = int(self._chunk.starts[self._dated[index]])
        return self._memory.stamp(self._text[start : start + OPENING])

    def _leave(self) -> Positions:
        """Leaves steady lines to the exact reading where what is around them has a say in what they are.

        These are the last before a line without a header, which may belong to its record; one after a line that may
        go on; and lines without a time behind a line that may change the time. Gives for every other line the one
        that prints its time.
        """
        kinds, last, known = self._kinds, len(self._kinds) - 1, self._memory.known
        kinds[0] = kinds[last] = LEFT
        dated = (kinds == DATED) | (kinds == SILENT)
        for index in np.flatnonzero(kinds == LEFT).tolist():
            line = self._left[index] = self._line(index)
            if self._chunk.message[index]:
                dated[index] = self._says_only_its_time(index)
            elif known.header(line.text) is None:
                kinds[max(0, index - 1)] = LEFT
                if index < last and known.goes_on(line.text):
                    kinds[index + 1] = LEFT
        undated = kinds == UNDATED
        before = np.maximum.accumulate(np.where(undated, 0, np.arange(len(kinds))))
        kinds[undated & ~dated[before]] = LEFT
        return before

    def _says_only_its_time(self, index: int) -> bool:
        """Whether a line with a header is one record at one time, whatever it says, and ends there."""
        message = self._text[self._chunk.message[index] : self._chunk.ends[index]]
        one = b"[2" not in message or message.startswith(_DUMPS)
        return one and b"\x1b" not in message and not message.rstrip(b"\r\n").endswith(b" ")

    def _gather(self, gathered: Gathered) -> None:
        chunk = self._chunk
        for part in chunk.parts:
            kept = part.only(self._kinds[part.lines] != LEFT)
            lines = kept.lines
            if len(lines):
                seconds = chunk.seconds[self._dated[lines]]
                place = Lines(lines + self._number, chunk.starts[lines] + self._at, seconds, chunk.label[lines])
                gathered.add(kept.form, place, kept.columns)
