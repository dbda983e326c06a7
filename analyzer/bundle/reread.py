"""Cited lines read a second time, by their byte offsets; by their numbers where they came without."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from analyzer.bundle.encoding import HEAD, encoding_of, to_text
from analyzer.bundle.source import OnDisk
from analyzer.bundle.stream import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from analyzer.bundle.source import Source
    from analyzer.bundle.stream import Stream
    from analyzer.evidence import Ref

MAX_SPAN = 64 * 1024


def reread(sources: Mapping[str, Source], refs: Iterable[Ref]) -> dict[Ref, str]:
    """The text of each span, at most 64 KiB of it; spans of sources that cannot be read any more are left out.

    A line that begins somewhere and has no end (0), as the row of a table has, is read to its line feed.
    """
    wanted: dict[str, list[Ref]] = {}
    for ref in dict.fromkeys(refs):
        if ref.source in sources:
            wanted.setdefault(ref.source, []).append(ref)
    found: dict[Ref, str] = {}
    for name, cited in wanted.items():
        spans = {ref: ref for ref in cited if ref.end > ref.start or _open(ref)}
        spans |= _by_number(sources[name], [ref for ref in cited if ref.end == 0 and not _open(ref)])
        texts = _of_source(sources[name], sorted(set(spans.values()), key=lambda span: span.start)) if spans else {}
        found.update({ref: texts[span] for ref, span in spans.items() if span in texts})
    return found


def _open(ref: Ref) -> bool:
    """Whether it is one line of which only the beginning is known."""
    return ref.end == 0 < ref.start and ref.line == ref.last_line


def _length(ref: Ref) -> int:
    return MAX_SPAN if _open(ref) else min(ref.end - ref.start, MAX_SPAN)


def _by_number(source: Source, cited: list[Ref]) -> dict[Ref, Ref]:
    """The same lines with the byte offsets that their numbers stand for; lines behind the end are left out."""
    if not cited:
        return {}
    numbers = sorted({n for ref in cited for n in (ref.line, ref.last_line + 1)})
    try:
        starts = _starts(source, numbers)
    except OSError:
        return {}
    return {
        ref: ref._replace(start=starts[ref.line], end=starts[ref.last_line + 1])
        for ref in cited
        if starts.get(ref.line, 0) < starts.get(ref.last_line + 1, 0)
    }


def _starts(source: Source, numbers: list[int]) -> dict[int, int]:
    """Where the lines of these ascending numbers begin; at the end of the stream for those behind it."""
    mark = _mark(encoding_of(_first(source)))
    starts, left = {1: 0}, deque(number for number in numbers if number > 1)
    line, at = 1, 0
    for data in _pieces(source, len(mark)):
        if not left:
            break
        count = data.count(mark)
        if len(mark) > 1 or line + count >= left[0]:
            ends = list(_ends(data, mark))
            while left and left[0] - line <= len(ends):
                number = left.popleft()
                starts[number] = at + ends[number - line - 1]
            count = len(ends)
        line, at = line + count, at + len(data)
    return starts | dict.fromkeys(left, at)


def _mark(encoding: str) -> bytes:
    """The line feed in this encoding."""
    return "\n".encode(encoding if encoding.startswith("utf-16") else "ascii")


def _ends(data: bytes, mark: bytes) -> Iterator[int]:
    """Behind each line feed that stands where a character can."""
    return (found.end() for found in re.finditer(re.escape(mark), data) if found.start() % len(mark) == 0)


def _pieces(source: Source, width: int) -> Iterator[bytes]:
    """The stream in pieces of whole characters of `width` bytes."""
    stream, rest = source.open(), b""
    try:
        while more := stream.read(CHUNK):
            data = rest + more
            whole = len(data) - len(data) % width
            rest = data[whole:]
            yield data[:whole]
        yield rest
    finally:
        stream.close()


def _of_source(source: Source, spans: list[Ref]) -> dict[Ref, str]:
    try:
        head = _first(source)
        raw = _seek(source.origin, spans) if isinstance(source.origin, OnDisk) else _scan(source, spans)
    except OSError:
        return {}
    encoding = encoding_of(head)
    mark = _mark(encoding)
    cut = {ref: data[: next(_ends(data, mark), None)] if _open(ref) else data for ref, data in raw.items()}
    return {ref: to_text(data, encoding)[0].rstrip("\r\n") for ref, data in cut.items() if data}


def _first(source: Source) -> bytes:
    stream = source.open()
    try:
        return stream.read(HEAD)
    finally:
        stream.close()


def _seek(origin: OnDisk, spans: list[Ref]) -> dict[Ref, bytes]:
    found = {}
    with origin.path.open("rb") as file:
        for ref in spans:
            file.seek(ref.start)
            found[ref] = file.read(_length(ref))
    return found


def _scan(source: Source, spans: list[Ref]) -> dict[Ref, bytes]:
    """One pass over the stream, from the earliest span to the last; what a later span may need again is kept."""
    stream = source.open()
    try:
        window = _Window(stream)
        return {ref: window.cut(ref.start, ref.start + _length(ref)) for ref in spans}
    finally:
        stream.close()


class _Window:
    """The part of a stream from the current span's start on."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._from = 0
        self._data = b""

    def cut(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end`; starts must not go back."""
        while self._from + len(self._data) < end and (more := self._stream.read(CHUNK)):
            keep = max(0, min(start - self._from, len(self._data)))
            self._data = self._data[keep:] + more
            self._from += keep
        return self._data[max(0, start - self._from) : end - self._from]
