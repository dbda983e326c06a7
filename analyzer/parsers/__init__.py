"""One source to its facts: what it holds is told from its lines, whatever its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.bundle import Tapped
from analyzer.bundle.digest import Digest
from analyzer.bundle.encoding import HEAD, encoding_of, is_text
from analyzer.errors import UnreadableError
from analyzer.parsers import flight_recorder
from analyzer.parsers.parsed import Parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.bundle import Source, Stream
    from analyzer.catalog import Catalog
    from analyzer.parsers.texts import Texts
    from analyzer.tables.spill import Spill

__all__ = ["Parsed", "parse"]

FAST_FROM = 32 * 1024 * 1024  # bytes as stored, below which the exact reading is quick enough


def parse(
    source: Source,
    catalog: Catalog,
    on_bytes: Callable[[int], object] | None = None,
    spill: Spill | None = None,
) -> Parsed:
    """Reads the source to its end. Never raises on its content; what could not be read stands in `errors`.

    `on_bytes` hears how many bytes each piece had, and ends the reading by `False`. `spill` takes the rows that are
    too many to hold in memory; its owner closes it once the tables have been used.
    """
    parsed = Parsed(source.name)
    tail = b""

    def heard(data: bytes) -> object:
        nonlocal tail
        digest.update(data)
        tail = data[-2:] or tail
        parsed.bytes += len(data)
        return on_bytes(len(data)) if on_bytes else None

    with Digest(beside=source.size >= FAST_FROM) as digest:
        try:
            with Tapped(source.open(), heard) as stream:
                texts = _read(stream, catalog, parsed, source, spill)
                parsed.truncated = texts is not None and texts.breaks_off(ended=b"\n" in tail)
                if stream.damage:
                    parsed.truncated = True
                    parsed.errors.append(f"{source.name}: {stream.damage}")
        except (OSError, UnreadableError) as error:
            parsed.errors.append(f"{source.name}: cannot be read ({getattr(error, 'strerror', None) or error})")
        parsed.sha256 = digest.hexdigest()
    return parsed


def _read(stream: Tapped, catalog: Catalog, parsed: Parsed, source: Source, spill: Spill | None) -> Texts | None:
    """Fills in what the stream holds; gives its lines as they were read, or `None` where they are no text."""
    from analyzer.parsers.rows import Rows  # noqa: PLC0415 - the parsers' registry imports this package
    from analyzer.parsers.sglang_log import LogReader  # noqa: PLC0415
    from analyzer.parsers.silent import Silent  # noqa: PLC0415
    from analyzer.parsers.steady import Steady  # noqa: PLC0415
    from analyzer.parsers.texts import Texts  # noqa: PLC0415

    replay = _Replay(stream)
    if flight_recorder.may_be(replay.head):
        _dump(replay, parsed)
        return None
    if not is_text(replay.head):
        parsed.kind = "binary"
        parsed.errors.append(f"{parsed.name}: is binary, not text; it is not read")
        while stream.read(HEAD):
            pass
        return None
    rows = Rows(spill)
    plain = encoding_of(replay.head) == "utf-8"
    steady = Steady(catalog, rows) if plain and source.size >= FAST_FROM else None
    texts = Texts(parsed.name, replay, steady, Silent(catalog) if plain else None)
    reader = LogReader(texts, catalog, rows)
    reader.read()
    parsed.kind = "+".join(kind for kind, lines in reader.kinds.most_common() if lines) or (
        "text" if parsed.bytes else "empty"
    )
    parsed.lines, parsed.undecodable = texts.lines, texts.undecodable
    parsed.recognised = min(reader.recognised + texts.explained, texts.lines)
    parsed.layers = [name for name, _ in texts.layers.most_common()]
    parsed.hosts = sorted(texts.hosts)
    parsed.origins = [name for name in dict.fromkeys([texts.node, *texts.origins]) if name]
    parsed.first, parsed.last, parsed.newest_first = reader.first, reader.last, texts.newest_first
    parsed.events = reader.events
    parsed.errors += reader.errors
    parsed.tables = rows.frames()
    parsed.unknown_keys = dict(reader.unknown_keys + steady.unknown if steady else reader.unknown_keys)
    parsed.left_out = reader.left_out
    return texts


def _dump(stream: _Replay, parsed: Parsed) -> None:
    """A flight recorder's dump is read as a whole."""
    data = b""
    while len(data) <= flight_recorder.LARGEST and (more := stream.read(HEAD)):
        data += more
    parsed.kind, parsed.lines = flight_recorder.KIND, 1
    try:
        if len(data) > flight_recorder.LARGEST:
            raise ValueError("it is larger than such a dump is")  # noqa: TRY301
        [fact] = flight_recorder.events(data, parsed.name)
        parsed.events.append(fact)
        parsed.told, parsed.recognised = f"{fact.text}: {fact.value}", 1
    except ValueError as error:
        parsed.errors.append(f"{parsed.name}: {error}")


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
