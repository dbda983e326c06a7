"""Tracebacks that were seen before, line for line: what the records make of one holds for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.evidence import Ref
from analyzer.layers import Peeler
from analyzer.parsers import argv
from analyzer.parsers.around import Surroundings
from analyzer.parsers.block import Around, Text
from analyzer.parsers.blocks import claimant
from analyzer.parsers.traceback import exception
from analyzer.records import Reader, Record, is_header, left_out, multiline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.catalog import Claim
    from analyzer.catalog.match import Matcher
    from analyzer.events import ExceptionRaised

_MOST = 500  # that are remembered
_LONGEST = 16 * 1024  # bytes
_HEADER = "[2000-01-01 00:00:00] "  # some header: only the message behind it counts


class Made(NamedTuple):
    """What a traceback is, wherever it stands: its record, the claims on it, the exception that it tells of.

    There are claims, or there is an exception.
    """

    record: Record
    claims: Sequence[Claim]
    raised: ExceptionRaised | None


class Units:
    """Asks the records once for each traceback; a traceback is its bytes from the message on, headers left off."""

    def __init__(self, matcher: Matcher) -> None:
        self._known: dict[tuple[bytes, bool], Made | None] = {}
        self._matcher = matcher
        self._peeler = Peeler()

    def holds(self, raw: bytes, *, headed: bool) -> bool:
        """Whether the lines are one record wherever they stand, and nothing else; `headed`: a header precedes them."""
        return self._of(raw, headed=headed) is not None

    def made(self, raw: bytes, *, headed: bool) -> Made:
        """What a traceback is. Raises `ValueError` where the lines are none."""
        made = self._of(raw, headed=headed)
        if made is None:
            raise ValueError(f"no traceback that stands by itself: {raw[:100]!r}")
        return made

    def _of(self, raw: bytes, *, headed: bool) -> Made | None:
        key = raw, headed
        if key not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            record = self._read(raw, headed=headed)
            self._known[key] = self._make(record) if record else None
        return self._known[key]

    def _make(self, record: Record) -> Made | None:
        if "server_args" in record.text:
            return None
        claims = self._matcher.claims(record.text, record.more)
        if any(claim.pattern.table for claim in claims):
            return None
        private = any(claim.pattern.private for claim in claims)
        raised = None if private else exception(record)
        return Made(record, claims, raised) if claims or raised else None

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
