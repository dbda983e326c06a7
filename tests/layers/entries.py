"""Lines of a text as a reader of entries takes them, and what it makes of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.layers import Entries, Piece


class Line(NamedTuple):
    """A physical line: its number, its text, its bytes."""

    number: int
    text: str
    start: int
    end: int


def lines_of(data: bytes) -> list[Line]:
    """The lines of UTF-8 text; NULs are gone from the texts, as the scanner leaves them out."""
    found, at = [], 0
    for number, raw in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        found.append(Line(number, raw.replace(b"\0", b"").decode("utf-8", "replace"), at, at + len(raw) + 1))
        at += len(raw) + 1
    return found


def all_of(reader: Entries[Line], data: bytes | str) -> list[list[Piece[Line]]]:
    """Every entry; each line counts with exactly one piece."""
    lines = lines_of(data.encode() if isinstance(data, str) else data)
    found = [entry for line in lines for entry in reader.take(line)] + [*reader.flush()]
    counted = [n for entry in found for piece in entry for n in range(piece.first.number, piece.last.number + 1)]
    assert counted == [line.number for line in lines]
    return found


def said(entries: list[list[Piece[Line]]]) -> list[tuple[str, str]]:
    """Host and message of every entry; the lines that belong to none are left out."""
    return [
        (entry[0].peeled.node, "\n".join(piece.peeled.text for piece in entry if piece.peeled))
        for entry in entries
        if entry[0].peeled
    ]
