"""What is left of a zip whose directory (its last bytes) is missing: the entries, found by their own headers."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

from analyzer.bundle.source import Compressed, TarMember
from analyzer.bundle.stream import CHUNK, FREE_OUTPUT, MAX_RATIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle.source import Origin
    from analyzer.bundle.stream import Stream

_SIGNATURE = b"PK\x03\x04"
_HEADER = struct.Struct("<4s5H3L2H")
_DESCRIPTORS = (b"PK\x07\x08", 16)
_ENCRYPTED, _SIZE_FOLLOWS, _UTF8 = 0x1, 0x8, 0x800
_STORED, _DEFLATED = 0, 8
_UNKNOWN = 0xFFFFFFFF
_MOST = 10_000


class Entry(NamedTuple):
    """One entry: its name, where its bytes lie (`None` where they cannot be read: `why`), its size if printed."""

    name: str
    origin: Origin | None
    size: int
    why: str = ""


def entries(origin: Origin) -> Iterator[Entry]:
    """The entries in their order, up to where the file ends or stops being a zip."""
    stream = origin.open()
    try:
        yield from _entries(_Bytes(stream), origin)
    finally:
        stream.close()


class _Bytes:
    """A stream read in order, with the position it has been read up to."""

    def __init__(self, stream: Stream) -> None:
        self.at = 0
        self._stream = stream
        self._ready = b""

    def take(self, size: int) -> bytes:
        """`size` bytes, fewer at the end."""
        while len(self._ready) < size and (more := self._stream.read(CHUNK)):
            self._ready += more
        data, self._ready = self._ready[:size], self._ready[size:]
        self.at += len(data)
        return data

    def give_back(self, data: bytes) -> None:
        """Bytes that were taken too many."""
        self._ready = data + self._ready
        self.at -= len(data)

    def skip(self, size: int) -> None:
        """Passes over bytes."""
        while size > 0 and (data := self.take(min(size, CHUNK))):
            size -= len(data)


def _entries(data: _Bytes, origin: Origin) -> Iterator[Entry]:
    for _ in range(_MOST):
        head = data.take(_HEADER.size)
        if len(head) < _HEADER.size or not head.startswith(_SIGNATURE):
            return
        _, _, flags, method, _, _, _, packed, size, name_size, extra_size = _HEADER.unpack(head)
        raw = data.take(name_size)
        name = raw.decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        data.skip(extra_size)
        begin = data.at
        why = "encrypted" if flags & _ENCRYPTED else "" if method in {_STORED, _DEFLATED} else "an unusual compression"
        if flags & _SIZE_FOLLOWS or packed == _UNKNOWN:
            if method != _DEFLATED or why:
                yield Entry(name, None, 0, why or "its size is not known")
                return
            packed, size = _deflated(data), 0
        else:
            data.skip(packed)
        lies: Origin = TarMember(origin, begin, packed)
        if name.endswith("/"):
            continue
        yield Entry(name, None if why else Compressed(lies, "deflate") if method == _DEFLATED else lies, size, why)


def _deflated(data: _Bytes) -> int:
    """How many bytes a deflated entry takes whose header does not say; the data descriptor behind it is passed."""
    begin, made = data.at, 0
    decoder = zlib.decompressobj(-15)
    while not decoder.eof and (piece := data.take(CHUNK)):
        try:
            while piece and not decoder.eof:
                made += len(decoder.decompress(piece, CHUNK))
                piece = decoder.unconsumed_tail
        except zlib.error:
            return data.at - begin
        if made > FREE_OUTPUT and made > MAX_RATIO * (data.at - begin):
            return data.at - begin  # the reader refuses it by the same measure
    data.give_back(decoder.unused_data)
    packed = data.at - begin
    mark, length = _DESCRIPTORS
    behind = data.take(length)
    if not behind.startswith(mark):
        data.give_back(behind)
    return packed
