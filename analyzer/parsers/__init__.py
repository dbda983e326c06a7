"""One source to its facts: what it holds is told from its lines, whatever its name."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from analyzer.bundle import Tapped
from analyzer.bundle.encoding import HEAD, encoding_of, is_text
from analyzer.errors import UnreadableError
from analyzer.parsers.parsed import Parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.bundle import Source, Stream
    from analyzer.catalog import Catalog

__all__ = ["Parsed", "parse"]

FAST_FROM = 32 * 1024 * 1024  # bytes as stored, below which the exact reading is quick enough


def parse(source: Source, catalog: Catalog, on_bytes: Callable[[int], None] | None = None) -> Parsed:
    """Reads the source to its end. Never raises on its content; what could not be read stands in `errors`.

    `on_bytes` hears how many bytes each piece had, for a progress bar.
    """
    parsed = Parsed(source.name)
    digest = hashlib.sha256()

    def heard(data: bytes) -> None:
        digest.update(data)
        parsed.bytes += len(data)
        if on_bytes:
            on_bytes(len(data))

    try:
        with Tapped(source.open(), heard) as stream:
            _read(stream, catalog, parsed, source.size)
            if stream.damage:
                parsed.truncated = True
                parsed.errors.append(f"{source.name}: {stream.damage}")
    except (OSError, UnreadableError) as error:
        parsed.errors.append(f"{source.name}: cannot be read ({getattr(error, 'strerror', None) or error})")
    parsed.sha256 = digest.hexdigest()
    return parsed


def _read(stream: Tapped, catalog: Catalog, parsed: Parsed, size: int) -> None:
    from analyzer.parsers.sglang_log import LogReader  # noqa: PLC0415 - the parsers' registry imports this package
    from analyzer.parsers.steady import Steady  # noqa: PLC0415
    from analyzer.parsers.texts import Texts  # noqa: PLC0415

    replay = _Replay(stream)
    if not is_text(replay.head):
        parsed.kind = "binary"
        parsed.errors.append(f"{parsed.name}: is binary, not text; it is not read")
        while stream.read(HEAD):
            pass
        return
    fast = size >= FAST_FROM and encoding_of(replay.head) == "utf-8"
    texts = Texts(parsed.name, replay, Steady(catalog) if fast else None)
    reader = LogReader(texts, catalog)
    reader.read()
    parsed.kind = "+".join(kind for kind, lines in reader.kinds.most_common() if lines) or (
        "text" if parsed.bytes else "empty"
    )
    parsed.lines, parsed.undecodable = texts.lines, texts.undecodable
    parsed.recognised = min(reader.recognised, texts.lines)
    parsed.layers = [name for name, _ in texts.layers.most_common()]
    parsed.first, parsed.last = reader.first, reader.last
    parsed.events = reader.events
    parsed.errors += reader.errors
    parsed.tables = reader.rows.frames()
    parsed.unknown_keys = reader.unknown_keys


class _Replay:
    """A stream whose first bytes have been looked at."""

    def __init__(self, stream: Stream) -> None:
        self.damage = ""
        self.head = b""
        self._stream = stream
        while len(self.head) < HEAD and (more := stream.read(HEAD)):
            self.head += more
        self._unread = self.head

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        if self._unread:
            data, self._unread = self._unread[:size], self._unread[size:]
            return data
        return self._stream.read(size)

    def close(self) -> None:
        """Closes the stream beneath."""
        self._stream.close()
