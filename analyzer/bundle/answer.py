"""The answer of a log store to a query, as lines: each entry that it found is a line of JSON.

Such an answer is one document, often on a single line of many megabytes, so it is taken apart while it is read. Entries
are put in the order of their times, in the direction in which the answer has them: Loki gives stream after stream.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.bundle.answer_document import Document, begins
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle.answer_document import Found
    from analyzer.bundle.source import Origin
    from analyzer.bundle.stream import Stream

__all__ = ["MEMBER", "Answer", "begins"]

MEMBER = "entries"  # what the entries are called, beside the name of the file

_LONGEST_LINE = 60 * 1024  # characters of an entry's line, below those at which a reader of lines cuts it
_SORTED = 24 * 1024 * 1024  # bytes of entries that are put in order at once
_HELD = 240  # bytes that an entry takes beside its line's: the line's own object, a tuple, a time, a key
_SHORTEST = 64  # characters to which the texts of a long entry are cut at the least
_LONGEST_TIME = 19  # digits of nanoseconds since 1970
_SCALES = ((10**11, 10**9), (10**14, 10**6), (10**17, 10**3), (10**19, 1))  # below: seconds, milli-, micro-, nano-
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = -(10**20)  # before any time
_SOURCES = ("_source", "content", "attributes")  # where an entry has what was logged, and when
_TIMES = ("@timestamp", "timestamp", "time", "_time", "date")


@immutable
class Answer:
    """An answer whose bytes are its entries, a line of JSON each."""

    of: Origin

    def open(self) -> Stream:
        """Takes the document apart while reading."""
        return Entries(self.of.open())


class Entry(NamedTuple):
    """One entry: the list that it is from, its time in ns since 1970 (`None`: not told), and its line without line end.

    `outside`: a line that is no entry and stays where it is.
    """

    part: int
    time: int | None
    line: bytes
    outside: bool = False


class Entries:
    """The entries' lines as a stream; `damage` counts those that could not be read."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._document = Document(stream)
        self._blocks = _in_order(map(_entry, self._document.found()))
        self._ready = bytearray()

    @property
    def damage(self) -> str:
        """What was wrong, once everything has been read."""
        return self._document.damage or self._stream.damage

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes."""
        while len(self._ready) < size and (block := next(self._blocks, None)) is not None:
            self._ready += block
        data = bytes(self._ready[:size])
        del self._ready[:size]
        return data

    def close(self) -> None:
        """Closes the stream beneath."""
        self._stream.close()


def _entry(found: Found) -> Entry:
    if found.outside:
        return Entry(found.part, None, found.value.encode("utf-8", "replace"), outside=True)
    return Entry(found.part, _time_of(found.value), _line_of(found.value))


def _in_order(entries: Iterator[Entry]) -> Iterator[bytes]:
    """The lines with their line ends, by time where a time is known, as far as they may be held at once."""
    held: list[Entry] = []
    size = 0
    for entry in entries:
        if entry.outside or size > _SORTED:
            yield _sorted(held)
            held, size = [], 0
        if entry.outside:
            yield entry.line + b"\n"
        else:
            held.append(entry)
            size += len(entry.line) + _HELD
    if held:
        yield _sorted(held)


def _sorted(entries: list[Entry]) -> bytes:
    """The lines in the direction in which most of them are; one without a time stays behind the one before it."""
    sign = -1 if _back(entries) else 1
    keys: list[int] = []
    for entry in entries:
        keys.append(sign * entry.time if entry.time is not None else keys[-1] if keys else _FIRST)
    order = sorted(range(len(entries)), key=keys.__getitem__)
    return b"".join(entries[index].line + b"\n" for index in order)


def _back(entries: list[Entry]) -> bool:
    steps = [
        later.time - earlier.time
        for earlier, later in pairwise(entries)
        if earlier.part == later.part and earlier.time is not None and later.time is not None
    ]
    return sum(step < 0 for step in steps) > sum(step > 0 for step in steps)


def _line_of(value: Any) -> bytes:
    """The value as JSON without line breaks; of one that is too long for a line its texts are cut."""
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    most = _LONGEST_LINE
    while len(line) > _LONGEST_LINE and most > _SHORTEST:
        most //= 2
        line = json.dumps(_cut(value, most), ensure_ascii=False, separators=(",", ":"))
    return line.encode("utf-8", "replace")


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, list):
        return [_cut(item, most) for item in value]
    if isinstance(value, dict):
        return {key: _cut(item, most) for key, item in value.items()}
    return value


def _time_of(value: Any) -> int | None:
    """When the entry was written, in nanoseconds since 1970, which are more than a float can tell apart."""
    if not isinstance(value, dict):
        return None
    source = next((value[key] for key in _SOURCES if isinstance(value.get(key), dict)), value)
    told = next((source[key] for key in _TIMES if isinstance(source.get(key), str | int | float)), None)
    if not isinstance(told, str):
        return None if told is None or isinstance(told, bool) else _nanoseconds(told)
    if told.isascii() and told.isdigit():
        return _nanoseconds(int(told)) if len(told) <= _LONGEST_TIME else None
    try:
        moment = datetime.fromisoformat(told)
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // timedelta(microseconds=1) * 1000


def _nanoseconds(number: float) -> int | None:
    """Seconds since 1970, or milli-, micro- or nanoseconds, told apart by size; `None` for what is no time."""
    scale = next((scale for below, scale in _SCALES if 0 <= number < below), None)
    return int(number * scale) if scale else None
