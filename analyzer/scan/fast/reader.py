"""A stream in pieces of a few MB: runs of steady lines in one go, everything else line by line, all in order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from analyzer.scan.exact import bounded, line_of
from analyzer.scan.fast.chunk import DATED, LEFT, SILENT, UNDATED, Chunk
from analyzer.scan.fast.memory import Memory
from analyzer.scan.fast.run import Run
from analyzer.scan.fast.tables import frames

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    from analyzer.bundle import Stream
    from analyzer.scan.exact import Line
    from analyzer.scan.fast.run import Known

PIECE = 2 * 1024 * 1024


def scan(stream: Stream, known: Known, after: int, piece: int = PIECE) -> Iterator[Line | Run]:
    """The lines of UTF-8 text as `exact.lines` has them, with runs in place of steady ones behind the first `after`."""
    memory = Memory(known)
    number, at, carry, dropped = 1, 0, b"", 0
    while data := _filled(stream, piece):
        text = carry + data
        cut = text.rfind(b"\n") + 1
        whole, rest = text[:cut], text[cut:]
        while whole and (dropped or number <= after):
            end = whole.index(b"\n") + 1
            yield line_of(number, (at, at + end + dropped), whole[:end], "utf-8", cut=bool(dropped))
            number, at, dropped, whole = number + 1, at + end + dropped, 0, whole[end:]
        if whole:
            if known.on:
                part = _Piece(whole, number, at, memory)
                yield from part.items()
                number += part.lines
            else:
                yield from _one_by_one(whole, number, at)
                number += whole.count(b"\n")
            at += len(whole)
        carry, more = bounded(rest)
        dropped += more
    if carry or dropped:
        yield line_of(number, (at, at + len(carry) + dropped), carry, "utf-8", cut=bool(dropped))


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


class _Piece:
    """Whole lines, the first of which is line `number` at byte `at` of the stream."""

    def __init__(self, text: bytes, number: int, at: int, memory: Memory) -> None:
        self._text, self._number, self._at, self._known = text, number, at, memory.known
        self._chunk = Chunk(text, memory)
        self._kinds = self._chunk.kinds
        self.lines = len(self._kinds)
        self._left: dict[int, Line] = {}

    def items(self) -> Iterator[Line | Run]:
        """The runs, and between them the lines that are left to the exact reading."""
        self._leave()
        chunk, steady = self._chunk, self._kinds != LEFT
        edges = np.flatnonzero(np.diff(steady, prepend=False, append=False)).tolist()
        dated = (self._kinds == DATED) | (self._kinds == SILENT)
        moments = chunk.moment[np.maximum.accumulate(np.where(dated, np.arange(len(dated)), 0))]
        done = 0
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            yield from map(self._line, range(done, first))
            done = last
            earliest, latest = chunk.stamps[moments[first]], chunk.stamps[moments[last - 1]]
            if earliest and latest:
                rows = int(np.count_nonzero(self._kinds[first:last] != SILENT))
                coloured = int(np.count_nonzero(chunk.coloured[first:last]))
                text, number = self._line(first).text, self._number + last - 1
                run = Run(text, last - first, number, rows, earliest, latest, coloured)
                if last == edges[-1]:
                    run.tables, run.unknown = self._frames(moments), self._unknown()
                yield run
        yield from map(self._line, range(done, len(steady)))

    def _line(self, index: int) -> Line:
        line = self._left.get(index)
        if line is None:
            start, end = int(self._chunk.starts[index]), int(self._chunk.ends[index])
            span = (self._at + start, self._at + end)
            line = line_of(self._number + index, span, self._text[start:end], "utf-8", cut=False)
        return line

    def _leave(self) -> None:
        """Leaves steady lines to the exact reading where what is around them has a say in what they are.

        These are the last before a line without a header, which may belong to its record; one after a line that may
        go on; and lines at the time of a line that is read exactly.
        """
        kinds, last = self._kinds, len(self._kinds) - 1
        kinds[0] = kinds[last] = LEFT
        for index in np.flatnonzero(kinds == LEFT).tolist():
            line = self._left[index] = self._line(index)
            if self._known.header(line.text) is None:
                kinds[max(0, index - 1)] = LEFT
                if index < last and self._known.goes_on(line.text):
                    kinds[index + 1] = LEFT
        undated = kinds == UNDATED
        for index in np.flatnonzero((kinds[:-1] == LEFT) & undated[1:]).tolist():
            following = index + 1
            while kinds[following] == UNDATED:
                kinds[following] = LEFT
                following += 1

    def _frames(self, moments: NDArray[np.int64]) -> dict[str, pl.DataFrame]:
        stamps = self._chunk.stamps
        seconds = np.array([self._known.seconds(stamp) if stamp else np.nan for stamp in stamps], np.float64)
        return frames(self._chunk, self._number, self._at, seconds[moments])

    def _unknown(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for part in self._chunk.parts:
            if part.template and part.template.unknown:
                kept = int(np.count_nonzero(self._kinds[part.lines] != LEFT))
                found.update({key: count * kept for key, count in part.template.unknown.items()})
        return found
