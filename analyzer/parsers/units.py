"""Tracebacks that were seen before, line for line: what the records make of one holds for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.evidence import Ref
from analyzer.layers import Peeler
from analyzer.parsers import argv
from analyzer.parsers.around import Surroundings
from analyzer.parsers.block import Around, Text
from analyzer.parsers.blocks import claimant
from analyzer.records import Reader, Record, is_header, left_out, multiline

if TYPE_CHECKING:
    from analyzer.scan.fast import Unit

_MOST = 500  # that are remembered
_LONGEST = 16 * 1024  # bytes
_HEADER = "[2000-01-01 00:00:00] "  # some header: only the message behind it counts


class Units:
    """Asks the records once for each traceback; a traceback is its bytes from the message on, headers left off."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, bool], Record | None] = {}
        self._peeler = Peeler()

    def holds(self, raw: bytes, *, headed: bool) -> bool:
        """Whether the lines are one record wherever they stand, and nothing else; `headed`: a header precedes them."""
        return self._of(raw, headed=headed) is not None

    def record(self, unit: Unit, source: str) -> Record:
        """The record of a traceback in its place. Raises `ValueError` where the lines are none."""
        made = self._of(unit.raw, headed=unit.headed)
        if made is None:
            raise ValueError(f"line {unit.number} begins no traceback")
        ref = Ref(source, unit.number, unit.number + unit.lines - 1, unit.start, unit.end, unit.column)
        return Record(ref, made.text, list(made.more), unit.stamp, unit.headed, unit.rank, made.header)

    def _of(self, raw: bytes, *, headed: bool) -> Record | None:
        key = raw, headed
        if key not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = self._read(raw, headed=headed)
        return self._known[key]

    def _read(self, raw: bytes, *, headed: bool) -> Record | None:
        try:
            lines = raw.decode().removesuffix("\n").split("\n") if len(raw) <= _LONGEST else []
        except UnicodeDecodeError:
            return None
        texts = [self._plain(number, line, headed=headed and not number) for number, line in enumerate(lines)]
        reader, records = Reader(), []
        for text in texts:
            if text is None:
                return None
            records += [*reader.feed(text)]
        records += [*reader.flush()]
        whole = len(records) == 1 and len(records[0].more) == len(lines) - 1 and multiline.ends_traceback(lines[-1])
        return records[0] if whole else None

    def _plain(self, number: int, line: str, *, headed: bool) -> Text | None:
        """A line as a text; `None` where it may be anything else than a part of a record."""
        peeled = self._peeler.peel(_HEADER + line if headed else line)
        text = Text(peeled.text, Ref("", number + 1, number + 1))
        wrapped = peeled.names or peeled.stamp or peeled.partial or "\n" in peeled.text or line.endswith(" " * 8)
        if wrapped or is_header(text.text) != headed or left_out(text.text):
            return None
        other = claimant(text.text, Around("")) or argv.may_go_on(text.text) or Surroundings("").see(text)
        return None if other and not headed else text
