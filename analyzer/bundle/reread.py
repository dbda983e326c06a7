"""Cited lines read a second time, by their byte offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.bundle.encoding import HEAD, encoding_of, to_text
from analyzer.bundle.source import OnDisk
from analyzer.bundle.stream import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analyzer.bundle.source import Source
    from analyzer.bundle.stream import Stream
    from analyzer.evidence import Ref

MAX_SPAN = 64 * 1024


def reread(sources: Mapping[str, Source], refs: Iterable[Ref]) -> dict[Ref, str]:
    """The text of each span, at most 64 KiB of it; spans of sources that cannot be read any more are left out."""
    wanted: dict[str, list[Ref]] = {}
    for ref in dict.fromkeys(refs):
        if ref.source in sources and ref.end > ref.start:
            wanted.setdefault(ref.source, []).append(ref)
    found: dict[Ref, str] = {}
    for name, spans in wanted.items():
        found.update(_of_source(sources[name], sorted(spans, key=lambda ref: ref.start)))
    return found


def _of_source(source: Source, spans: list[Ref]) -> dict[Ref, str]:
    try:
        head = _first(source)
        raw = _seek(source.origin, spans) if isinstance(source.origin, OnDisk) else _scan(source, spans)
    except OSError:
        return {}
    encoding = encoding_of(head)
    return {ref: to_text(data, encoding)[0].rstrip("\r\n") for ref, data in raw.items() if data}


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
            found[ref] = file.read(min(ref.end - ref.start, MAX_SPAN))
    return found


def _scan(source: Source, spans: list[Ref]) -> dict[Ref, bytes]:
    """One pass over the stream, from the earliest span to the last; what a later span may need again is kept."""
    stream = source.open()
    try:
        window = _Window(stream)
        return {ref: window.cut(ref.start, ref.start + min(ref.end - ref.start, MAX_SPAN)) for ref in spans}
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
