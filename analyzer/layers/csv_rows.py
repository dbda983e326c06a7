"""Log lines that a log store exported as CSV, a row each: Grafana, Datadog, Kibana, CloudWatch, Splunk.

The header's names tell which column holds the time, the text and the origin. A quoted cell may take many lines.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, Generic

from analyzer.layers.entries import MOST_LINES, L, Piece, Shown, alone, pieces
from analyzer.layers.jsonlines import MESSAGE, TIME, origin, stamp_of
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TEXTS = (*(name.lower() for name in MESSAGE), "content")
_TIMES = tuple(dict.fromkeys(["date", *(name.lower() for name in TIME), "tsns"]))
_NAMES = ("csv",)
_ZONE = " [utc]"  # behind the name of Azure's column of times
_SEPARATORS = ",;\t"
_LOOKED_AT = 10  # lines among which the header stands, below a line `sep=,` or a query's echo
_LONGEST = 120 * 1024  # characters of a row, below what the reader of CSV allows a cell


class Header:
    """The names of the columns, in small letters, and what parts them."""

    def __init__(self, line: str, separator: str) -> None:
        self.line = line
        self.names = tuple(name.strip().lower().removesuffix(_ZONE) for name in _cells(line, separator))
        self.separator = separator
        self.text = next((self.names.index(name) for name in _TEXTS if name in self.names), -1)
        self.times = [self.names.index(name) for name in _TIMES if name in self.names]

    @classmethod
    def of(cls, text: str) -> Header | None:
        """The header that a line is; `None` where it is none of a table of log lines."""
        separator = max(_SEPARATORS, key=text.count)
        header = cls(text, separator)
        return header if header.text >= 0 and header.times and len(header.names) > 1 else None

    def row(self, text: str) -> tuple[list[str], Peeled] | None:
        """The cells of a row up to the one of the text, and what the row says; `None` where it is none."""
        cells = _cells(text, self.separator)
        if len(cells) != len(self.names):
            return None
        stamp = next((found for at in self.times if (found := stamp_of({"time": cells[at].strip()}))), None)
        if stamp is None:
            return None
        entry: dict[str, Any] = dict(zip(self.names, cells, strict=True))
        entry["PodName"] = entry.get("podname")
        entry["labels"] = _labels(entry.get("labels", ""))
        return cells[: self.text], Peeled(cells[self.text], stamp, origin(entry), _NAMES)


def told(texts: Sequence[str]) -> Header | None:
    """The header among a file's first lines, where a row follows it."""
    for index, text in enumerate(texts[:_LOOKED_AT]):
        header = Header.of(text)
        if header:
            rows: Rows[Shown] = Rows(header)
            lines = [Shown(other) for other in texts[index + 1 :]]
            found = [piece for line in lines for entry in rows.take(line) for piece in entry if piece.peeled]
            return header if found else None
    return None


class Rows(Generic[L]):
    """The rows below a header, each with as many lines as its quoted cells take."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._held: list[L] = []
        self._quotes = 0
        self._size = 0
        self.open = False

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The row that this line completes, or the line itself where it belongs to none."""
        if not self._held and line.text == self._header.line:
            yield [Piece(line, line, line, Peeled("", names=_NAMES))]
            return
        if self._held and self._stands_alone(line):
            yield from self._complete()  # with what the quote holds so far
        self._held.append(line)
        self._quotes += line.text.count('"')
        self._size += len(line.text) + 1
        if self._quotes % 2 == 0 or len(self._held) >= MOST_LINES or self._size > _LONGEST:
            yield from self._complete()

    def flush(self) -> Iterator[list[Piece[L]]]:
        """A row that has no end, with what its last cell holds so far."""
        self.open = bool(self._held)
        yield from self._complete()

    def _stands_alone(self, line: L) -> bool:
        """Whether a line within a quoted cell is a row by itself: then the quote was never closed."""
        return line.text.count('"') % 2 == 0 and self._header.row(line.text) is not None

    def _complete(self) -> Iterator[list[Piece[L]]]:
        held = self._held
        self._held, self._quotes, self._size = [], 0, 0
        row = self._header.row("\n".join(line.text for line in held))
        if row is None:
            yield from map(alone, held)
            return
        cells, peeled = row
        begin = sum(cell.count("\n") for cell in cells)
        yield pieces(held, begin, peeled.text.removesuffix("\n").split("\n"), peeled)


def _cells(text: str, separator: str) -> list[str]:
    """The cells of one row; none where it is no row."""
    try:
        rows = list(csv.reader([f"{line}\n" for line in text.split("\n")], delimiter=separator))
    except csv.Error:  # a cell beyond the reader's limit
        return []
    return rows[0] if len(rows) == 1 else []


def _labels(cell: str) -> dict[str, Any]:
    """The labels of a log line, which Grafana writes as JSON into one cell."""
    try:
        labels = json.loads(cell)
    except (ValueError, RecursionError):
        return {}
    return labels if isinstance(labels, dict) else {}
