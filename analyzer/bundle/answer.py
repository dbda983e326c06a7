"""The answer of a log store to a query, as lines: each entry of Elasticsearch, OpenSearch or Loki is a line of JSON.

Such an answer is one document, often on a single line of many megabytes, so it is taken apart while it is read. Entries
are put in the order of their times, in the direction in which the answer has them: Loki gives stream after stream.
"""

from __future__ import annotations

import codecs
import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.bundle.encoding import encoding_of
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.bundle.source import Origin
    from analyzer.bundle.stream import Stream

MEMBER = "entries"  # what the entries are called, beside the name of the file

_READ = 256 * 1024
_LONGEST_ENTRY = 16 * 1024 * 1024  # characters; what is longer is no log line
_LONGEST_LINE = 60 * 1024  # characters of an entry's line, below those at which a reader of lines cuts it
_SORTED = 32 * 1024 * 1024  # bytes of entries that are put in order at once
_SHORTEST = 64  # characters to which the texts of a long entry are cut at the least
_OVERLAP = 64  # characters: an opening that the end of a piece cuts is shorter
_NEAR_END = 64

_ANSWER = re.compile(
    r'\s*(?:\{\s*"(?:rawResponse|responses)"\s*:\s*\[?\s*)?\{\s*(?:'
    r'(?:"(?:_scroll_id|pit_id)"\s*:\s*"[^"]*"\s*,\s*)*"took"\s*:\s*\d+\s*,'
    r'|"hits"\s*:\s*\{.{0,200}?"hits"\s*:\s*\['
    r'|"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"resultType"\s*:\s*"streams"'
    r'|"data"\s*:\s*\{\s*"resultType"\s*:\s*"streams"'
    r'|"streams"\s*:\s*\[\s*\{\s*"stream"\s*:)',
    re.DOTALL,
)
_OPENS = re.compile(r'"(hits|values)"\s*:\s*\[|"(stream)"\s*:\s*(?=\{)')
_VALUE = re.compile(r"[^\s,]")
_NEXT = re.compile(r'\{\s*"_index"\s*:|\[\s*"\d{10,19}"\s*,\s*"')  # where an entry begins, behind one that is damaged
_TIMES = ("@timestamp", "timestamp", "time", "_time", "date")


def is_answer(head: bytes) -> bool:
    """Whether what begins with `head` is the answer to a query for log entries."""
    return _ANSWER.match(head.decode(encoding_of(head), "replace").removeprefix("\ufeff")) is not None


@immutable
class Answer:
    """An answer whose bytes are its entries, a line of JSON each."""

    of: Origin

    def open(self) -> Stream:
        """Takes the document apart while reading."""
        return Entries(self.of.open())


class Entry(NamedTuple):
    """One entry: the part of the answer that it is from, its time (`None`: not told), and its line without line end."""

    part: int
    time: float | None
    line: bytes


class Entries:
    """The entries' lines as a stream; `damage` counts those that could not be read."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._document = _Document(stream)
        self._blocks = _in_order(self._document.entries())
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


class _Document:
    """The JSON text, of which what has been read is dropped."""

    def __init__(self, stream: Stream) -> None:
        self.damage = ""
        self._stream = stream
        self._decoder: codecs.IncrementalDecoder | None = None
        self._text = ""
        self._at = 0
        self._ended = False
        self._part = 0
        self._labels: dict[str, Any] = {}

    def entries(self) -> Iterator[Entry]:
        """Every entry of every list of entries, in the order of the document."""
        lost = 0
        while (kind := self._opening()) is not None:
            if kind == "stream":
                labels = self._value()
                self._labels = labels if isinstance(labels, dict) else {}
                continue
            self._part += 1
            for value in self._elements():
                lost += value is _LOST
                yield from [] if value is _LOST else [self._entry(kind, value)]
        if lost and not self.damage:
            self.damage = f"damaged: {lost} {'entry' if lost == 1 else 'entries'} of the answer cannot be read"

    def _opening(self) -> str | None:
        """Passes on to what opens next: a list of entries, or the labels of the next one."""
        while True:
            found = _OPENS.search(self._text, self._at)
            if found and (found.end() < len(self._text) or self._ended):
                self._at = found.end()
                return found[1] or found[2]
            self._at = max(self._at, found.start() if found else len(self._text) - _OVERLAP)
            if not self._more():
                return None

    def _elements(self) -> Iterator[Any]:
        """The values of the list that was opened; `_LOST` for one that cannot be read."""
        while True:
            while not (found := _VALUE.search(self._text, self._at)):
                self._at = len(self._text)
                if not self._more():
                    return
            self._at = found.start()
            if found[0] in "]}":
                return
            value = self._value()
            yield value
            if value is _LOST and not self._found_next():
                return

    def _value(self) -> Any:
        """The value that begins here, read on until it is whole; `_LOST` where it is none."""
        while True:
            try:
                value, self._at = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                within = error.pos < len(self._text) - _NEAR_END and not error.msg.startswith("Unterminated")
                if within or len(self._text) - self._at > _LONGEST_ENTRY:
                    return _LOST
                if not self._more():
                    self.damage = "cut off: the answer ends inside an entry"
                    return _LOST
            except RecursionError:
                return _LOST
            else:
                return value

    def _found_next(self) -> bool:
        """Passes on to where the next entry seems to begin."""
        self._at += 1
        while True:
            found = _NEXT.search(self._text, self._at)
            if found:
                self._at = found.start()
                return True
            self._at = max(self._at, len(self._text) - _OVERLAP)
            if not self._more():
                self._at = len(self._text)
                return False

    def _more(self) -> bool:
        data = b"" if self._ended else self._stream.read(_READ)
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder(encoding_of(data))("replace")
        self._text = self._text[self._at :] + self._decoder.decode(data, final=not data)
        self._at = 0
        self._ended = not data
        return not self._ended

    def _entry(self, kind: str, value: Any) -> Entry:
        if kind == "values" and isinstance(value, list) and len(value) > 1:
            further = value[2] if len(value) > 2 and isinstance(value[2], dict) else {}  # noqa: PLR2004 - the metadata
            value = {"timestamp": value[0], "labels": {**self._labels, **further}, "line": value[1]}
        return Entry(self._part, _time_of(value), _line_of(value))


def _in_order(entries: Iterator[Entry]) -> Iterator[bytes]:
    """The lines with their line ends, by time where a time is known, as far as they may be held at once."""
    held: list[Entry] = []
    size = 0
    for entry in entries:
        held.append(entry)
        size += len(entry.line)
        if size > _SORTED:
            yield _sorted(held)
            held, size = [], 0
    if held:
        yield _sorted(held)


def _sorted(entries: list[Entry]) -> bytes:
    """The lines in the direction in which most of them are; one without a time stays behind the one before it."""
    sign = -1 if _back(entries) else 1
    keys: list[float] = []
    for entry in entries:
        keys.append(sign * entry.time if entry.time is not None else keys[-1] if keys else -float("inf"))
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


def _time_of(value: Any) -> float | None:
    """When the entry was written, in a unit that all entries of the answer share."""
    source = value.get("_source", value) if isinstance(value, dict) else None
    if not isinstance(source, dict):
        return None
    told = next((source[key] for key in _TIMES if isinstance(source.get(key), str | int | float)), None)
    if told is None or not isinstance(told, str):
        return told
    if told.isascii() and told.isdigit():
        return int(told)  # nanoseconds are more than a float can tell apart
    try:
        moment = datetime.fromisoformat(told)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


_DECODER = json.JSONDecoder()
_LOST = object()
