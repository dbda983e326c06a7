"""Texts laid out in memory as the compiled pass reads them, and what it makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.catalog import Catalog
from analyzer.parsers.silent import Silent
from analyzer.parsers.steady import Steady
from analyzer.scan.fast import kernel, layout
from analyzer.scan.fast.chunk import Chunk
from analyzer.scan.fast.compiled import address
from analyzer.scan.fast.forms import BATCHES, OWN, WIDTHS, forms_of
from analyzer.scan.fast.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.scan.fast.template import Template

CATALOG = Catalog.load()
BEHIND = bytes(32)  # more than is ever looked at behind a line


class Laid:
    """A text that lies at `at`, with bytes behind it that may be looked at, up to `limit`."""

    def __init__(self, text: bytes, behind: bytes = BEHIND) -> None:
        self.size = len(text)
        self.limit = len(text) + len(behind)
        self._bytes = np.frombuffer(text + behind, np.uint8)
        self.at = address(self._bytes)


class Counting(Steady):
    """Keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(CATALOG)
        self.asked: list[str] = []

    def header(self, text: str) -> Any:
        self.asked.append(f"header {text}")
        return super().header(text)

    def access(self, text: str) -> tuple[str, float] | None:
        self.asked.append(f"access {text}")
        return super().access(text)

    def silent(self, text: str) -> bool:
        self.asked.append(f"silent {text}")
        return super().silent(text)


def remembering(known: Steady | None = None) -> Memory:
    """What is learned from the exact reading, nothing so far."""
    silent = Silent(CATALOG)
    silent.on = True
    return Memory(known or Counting(), silent)


def ends_of(text: bytes) -> Any:
    """Where each line begins, and where the last one ends; the text ends in a line feed."""
    return np.array([0, *(place + 1 for place, byte in enumerate(text) if byte == 0x0A)], np.int64)


def joined(lines: Sequence[str]) -> bytes:
    """The bytes of lines; a surrogate stands for a byte that is no text."""
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def untold(lines: Sequence[str]) -> Chunk:
    """Lines that nothing has been said about."""
    text = joined(lines)
    return Chunk(text + BEHIND, ends_of(text))


def told(lines: Sequence[str], memory: Memory) -> Chunk:
    """Lines of which all is known that can be."""
    chunk = untold(lines).read(memory.now())
    chunk.teach(memory)
    return chunk


class Told(NamedTuple):
    """What the compiled pass makes of a line by what is known of such lines: what it lacks, its flags, its form."""

    ask: int
    flags: int  # below zero where it has to be asked for
    form: int


def told_by(words: layout.Words, line: bytes, ask: int = layout.A_WORDING) -> Told:
    """What a line is that stands before another; `ask` is what it lacks where its wording was never seen."""
    text = line + b"\n"
    chunk = Chunk(text + b"another line\n", np.array([0, len(text)], np.int64))
    chunk.form[:] = -1
    flags = kernel.told(chunk.at, len(chunk.text), 0, 0, len(text), chunk.lines, words, ask)
    return Told(int(chunk.ask[0]), flags, int(chunk.form[0]))


def batch(templates: Sequence[Template], line: bytes) -> tuple[str, int, dict[str, float]] | None:
    """The table, the number of the form, and the columns of a batch line of one of these forms.

    The line stands behind a header, and another behind it.
    """
    held, text = forms_of(templates), Laid(b"[a header] " + line, b"[another line]\n")
    tables, width = len(WIDTHS), max(WIDTHS.values())
    counts, rows = np.zeros(tables, np.int64), np.zeros((tables, 2), np.int64)
    values = np.full((tables, 2, width), -5.0)  # what is not written would be seen
    places = {"counts": address(counts), "lines": address(rows), "values": address(values)}
    found = layout.Found(tables=tables, width=width, room=2, **places)
    begin = len(b"[a header] ")
    table = kernel.batch(text.at, begin, begin + len(line), text.limit, held.forms, found)
    if table < 0:
        return None
    form, *cells = values[table, 0, : WIDTHS[BATCHES[table]]].tolist()
    given = zip(OWN[BATCHES[table]], cells, strict=True)
    return BATCHES[table], int(form), {name: cell for name, cell in given if not np.isnan(cell)}
