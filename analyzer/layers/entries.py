"""Entries that take several lines of a file: a block of the journal, a row of CSV with a traceback in it.

A reader of entries takes line after line and gives, for each entry that is complete, the lines of its message without
what stands around them. Its other lines count with these. What belongs to no entry it gives as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.layers.peeled import Peeled

MOST_LINES = 1000  # of one entry; with so many it is taken for complete


class Written(Protocol):
    """A physical line: its text, and where its bytes begin and end."""

    @property
    def text(self) -> str:
        """What stands there, without the line end."""
        ...

    @property
    def start(self) -> int:
        """The offset of its first byte."""
        ...

    @property
    def end(self) -> int:
        """The offset behind its line end."""
        ...


class Shown:
    """A line of a file's head, of which only the text counts."""

    start = end = 0

    def __init__(self, text: str) -> None:
        self.text = text


L = TypeVar("L", bound=Written)


class Piece(NamedTuple, Generic[L]):
    """A line of a message, and the lines of its entry that count with it: from `first` to `last`.

    `peeled` is `None` where the line belongs to no entry; its text is empty where the line only says what follows.
    """

    line: L
    first: L
    last: L
    peeled: Peeled | None = None


class Entries(Protocol[L]):
    """A reader of entries."""

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The entries that are complete once this line is known, in their order."""
        ...

    def flush(self) -> Iterator[list[Piece[L]]]:
        """What was waiting for more lines."""
        ...

    @property
    def open(self) -> bool:
        """Whether the last entry, as `flush` gave it, has no end, though it must have one."""
        ...


def alone(line: L) -> list[Piece[L]]:
    """A line that belongs to no entry."""
    return [Piece(line, line, line)]


def pieces(lines: list[L], begin: int, texts: list[str], peeled: Peeled) -> list[Piece[L]]:
    """An entry of these lines, of which the one at index `begin` holds the first line of the message.

    All lines count: what stands before the message with its first line, what stands behind it with its last.
    """
    begin = min(begin, len(lines) - 1)
    count = max(1, min(len(texts), len(lines) - begin))
    found = [
        Piece(line, line, line, peeled._replace(text=text))
        for line, text in zip(lines[begin : begin + count], texts or [""], strict=False)
    ]
    found[0] = found[0]._replace(first=lines[0])
    found[-1] = found[-1]._replace(last=lines[-1])
    return found
