"""Parts of one file, read by several processes at the same time: what `scan` gives for all of it, in order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.bundle.stream import Limited
from analyzer.scan.exact import Line, line_of
from analyzer.scan.silence import Rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import polars as pl

    from analyzer.bundle import Stream
    from analyzer.scan.crew import Crew
    from analyzer.scan.fast.run import Known, Run
    from analyzer.tables.spill import File, Spill

PART = 32 * 1024 * 1024
_PIECE = 1024 * 1024
_KEPT = 512 * 1024  # bytes of a last line without an end


class Span(NamedTuple):
    """Bytes of a file that end in a line feed."""

    path: Path
    begin: int
    end: int

    def open(self) -> Stream:
        """The bytes; fewer where the file has been cut since."""
        file = self.path.open("rb")
        file.seek(self.begin)
        return Limited(file, self.end - self.begin)


class Part(NamedTuple):
    """What a span holds; lines and bytes are counted from its beginning."""

    begin: int
    items: list[Line | Run | Rest]
    lines: int
    tables: list[dict[str, File]]
    unknown: list[Mapping[str, int]]


class Parts:
    """Reads the parts of a file by a crew, in a process of which each applies `Worker.part`."""

    def __init__(self, crew: Crew[Span, Part], path: Path) -> None:
        self._crew = crew
        self._path = path
        self._rest = (0, 0)

    def read(
        self, stream: Stream, span: tuple[int, int], at: int, number: int, known: Known
    ) -> Iterator[Line | Run | Rest]:
        """The lines of the file from byte `span[0]` on, the first of which has this number.

        `stream` has been read up to byte `at`, and whole lines end at `span[1]`; it is read to its end for those who
        listen to it.
        """
        for part in self._crew.apply(self._spans(stream, span, at)):
            for item in part.items:
                if isinstance(item, Line):
                    place = item.number + number - 1, item.start + part.begin, item.end + part.begin
                    yield Line(*place, *item[3:])
                elif isinstance(item, Rest):
                    yield item.behind(number - 1, part.begin)
                else:
                    yield replace(item, number=item.number + number - 1)
            for tables, unknown in zip(part.tables, part.unknown, strict=True):
                known.take({name: file.behind(number - 1, part.begin) for name, file in tables.items()}, unknown)
            number += part.lines
        begin, end = self._rest
        if begin < end:
            with self._path.open("rb") as file:
                file.seek(begin)
                raw = file.read(min(end - begin, _KEPT))
            yield line_of(number, self._rest, raw, "utf-8", cut=len(raw) < end - begin)

    def _spans(self, stream: Stream, span: tuple[int, int], at: int) -> Iterator[Span]:
        begin, end = span
        if begin < end:
            yield Span(self._path, begin, end)
        begin = last = end
        while data := stream.read(_PIECE):
            last = max(last, at + data.rfind(b"\n") + 1) if b"\n" in data else last
            at += len(data)
            if last - begin >= PART:
                yield Span(self._path, begin, last)
                begin = last
        if begin < last:
            yield Span(self._path, begin, last)
        self._rest = (last, at)


class Worker:
    """Reads one span after another; the rows go to files."""

    def __init__(self, spill: Spill) -> None:
        self._spill = spill
        self._tables: list[dict[str, File]] = []
        self._unknown: list[Mapping[str, int]] = []

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, and how often keys occurred that no column takes."""
        self._tables.append({name: self._spill.write(frame) for name, frame in tables.items()})
        self._unknown.append(unknown)

    def part(self, span: Span, read: Callable[[Stream], Iterator[Line | Run | Rest]]) -> Part:
        """Everything that the span holds, as `read` gives it."""
        self._tables, self._unknown = [], []
        stream = span.open()
        try:
            items = list(read(stream))
        finally:
            stream.close()
        lines = sum(1 if isinstance(item, Line) else item.lines for item in items)
        return Part(span.begin, items, lines, self._tables, self._unknown)
