"""What the exact reading says about a single line, for the fast reading to ask once for each form of a line."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from analyzer.expression import without_digits
from analyzer.folded import KEPT
from analyzer.layers import Peeler
from analyzer.parsers import argv
from analyzer.parsers.block import Around
from analyzer.parsers.blocks import claimant
from analyzer.parsers.rows import Rows, seconds
from analyzer.parsers.unclaimed import by_digits, error_of, may_look_like_error
from analyzer.parsers.units import Units
from analyzer.recognise import columns_of
from analyzer.records import at_start, goes_on, multiline
from analyzer.scan.run import Says, Wrapper

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from analyzer.catalog import Catalog, Head
    from analyzer.evidence import Rank, Stamp
    from analyzer.tables.spill import File

_MOST = 4096
_AFTER = "[2000-01-01 00:00:00 TP0] "
# What some wrappers take off the end of a line, or write in other signs.
_TRICKY = ('a ""b \\"c"', "x [repeated 22x across cluster]", "x")
_WRAPPED = ("{", *"0123456789")  # how the lines begin that a container's runtime cuts


class Steady:
    """`on` is set by whoever has seen the head of the source.

    `kept` lines are wanted of many that say the same, the first ones and the last ones. `rows` takes the rows that were
    read fast; `unknown` counts the keys in their lines that no column takes.
    """

    kept = KEPT

    def __init__(self, catalog: Catalog, rows: Rows | None = None) -> None:
        self.on = False
        self.wrapped = False
        self.node = ""
        self.unknown: Counter[str] = Counter()
        self.units = Units(catalog.matcher)
        self._peeler = self._worn = Peeler()
        self._joined: dict[tuple[str, str], bool] = {}
        self._rows = Rows() if rows is None else rows
        self.heads: tuple[Head, ...] = catalog.heads
        self._begins = tuple(head.text for head in catalog.heads)
        self._matcher = catalog.matcher

    def wear(self, peeler: Peeler) -> None:
        """Has the lines' wrappers taken off, as this peeler does."""
        self.wrapped, self._worn = True, peeler
        self._rows.by_line = True

    def wrapper(self, before: str, behind: str = "") -> Wrapper | None:
        """What stands before a header, where it changes nothing in the line; `behind` it as well in JSON."""
        lines = [json.dumps(f"{_AFTER}{tricky}")[1:-1] if behind else f"{_AFTER}{tricky}" for tricky in _TRICKY]
        peeled = [self._worn.peel(f"{before}{line}{behind}") for line in lines]
        whole = all(each.text == f"{_AFTER}{tricky}" for each, tricky in zip(peeled, _TRICKY, strict=True))
        first = peeled[0]
        if not whole or first.partial or not first.names or "ansi" in first.names:
            return None
        return Wrapper(first.names, first.node, first.stamp)

    def outer(self, text: str) -> Stamp | None:
        """The time in a line's wrapper."""
        return self._worn.peel(text).stamp

    def header(self, text: str) -> tuple[int, Stamp | None, Rank] | None:
        """Where the message begins behind the header that the line begins with, the header's time and rank."""
        found = at_start(text)
        return (found.end, found.stamp, found.rank) if found else None

    def seconds(self, stamp: Stamp) -> float:
        """The time as tables have it."""
        return seconds(stamp) or 0.0

    def access(self, text: str) -> tuple[str, float] | None:
        """Path and status, where the line is an access line and says nothing else."""
        peeled = self._worn.peel(text)
        text = peeled.text
        if set(peeled.names) - {"ansi"} or claimant(text, Around("")) or argv.may_go_on(text) or "@" in text:
            return None
        claims = self._matcher.claims(text)
        if len(claims) != 1 or claims[0].pattern.table != "Access":
            return None
        columns = columns_of(claims[0])
        path, status = columns.get("path"), columns.get("status_count")
        return (path, status) if isinstance(path, str) and isinstance(status, float) and len(columns) == 2 else None  # noqa: PLR2004 - these two

    def silent(self, text: str) -> bool:
        """Whether a message, and every message that differs from it in digits only, says nothing."""
        looks = may_look_like_error(without_digits(text))
        return not looks and self.stands_alone(text) and not self._matcher.may_claim(text)

    def stands_alone(self, text: str) -> bool:
        """Whether a message, and every one that differs in digits only, is nothing but what patterns make of it."""
        bare = without_digits(text)
        read_in_code = "server_args" in bare or "File " in bare or argv.may_hold_command(bare)
        return not (text.startswith(self._begins) or read_in_code or multiline.begins_traceback(text))

    def says(self, text: str) -> Says | None:
        """What such a message says, and every one with digits in the same places; `None`: it has to be read."""
        claims = self._matcher.claims(text)
        if any(claim.pattern.table or claim.pattern.private for claim in claims):
            return None
        if claims:
            return Says(tuple(claim.gives for claim in claims))
        return None if by_digits(text) else Says((), error_of(text))

    def says_alike(self, text: str) -> bool:
        """Whether the patterns that may claim a message take all alike that have digits in the same places."""
        return all(entry.takes_digits_alike for entry in self._matcher.possible(text))

    def unit(self, raw: bytes, *, headed: bool) -> bool:
        """Whether the lines are a traceback, one record wherever they stand; `headed`: behind a header."""
        lines = raw.decode(errors="replace").split("\n") if self.wrapped else ()
        return not any(self._worn.peel(line).names for line in lines) and self.units.holds(raw, headed=headed)

    def joins(self, row: str, latest: str, text: str) -> bool:
        """Whether a line without a header belongs to a row's message and changes nothing in it.

        `latest` is the last line that did, if any did.
        """
        if not goes_on(row, latest, text) or text.startswith("Thread "):  # behind which a blank line is none
            return False
        if self.wrapped and self._worn.peel(text).names:
            return False
        return row.startswith(self._begins) or self._changes_nothing(row, text)

    def _changes_nothing(self, row: str, text: str) -> bool:
        """Whether an access line is one with another line below it as well; asked once for each pair of wordings.

        A message that says nothing does so as long as no pattern reads the whole record.
        """
        if self.silent(row):
            return not self._matcher.may_claim_record(text)
        key = row.partition(" - ")[2], without_digits(text)
        if key not in self._joined:
            if len(self._joined) >= _MOST:
                self._joined.clear()
            claims = self._matcher.claims(self._peeler.peel(row).text, (text,))
            self._joined[key] = len(claims) == 1 and claims[0].pattern.table == "Access"
        return self._joined[key]

    def joins_alike(self, text: str) -> bool:
        """Whether all indented lines that differ from this one in digits only go on the same rows."""
        return multiline.is_indented(without_digits(text))

    def expects_traceback(self, text: str) -> bool:
        """Whether a message is one that a traceback below it belongs to."""
        return multiline.expects_traceback(text)

    def may_expect_traceback(self, text: str) -> bool:
        """Whether it is, or may be with other digits."""
        return multiline.may_expect_traceback(text)

    def goes_on(self, text: str) -> bool:
        """Whether a line without a header may be cut, and go on in the next."""
        return (self.wrapped or text.startswith(_WRAPPED)) and self._worn.peel(text).partial

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, in the order of lines, and how often keys occurred that no column takes."""
        self._rows.extend(tables)
        self.unknown.update(unknown)
