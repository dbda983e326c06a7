"""Records to facts: events by the catalog's patterns, rows of steady-state lines; repeats are folded.

A `Recogniser` reads one source. `see` gives back what the caller needs at once (a table row, how many lines were
understood); the events stay inside, because folding decides at the end which of them remain, and come from `finish`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from analyzer import units
from analyzer.catalog import target, values
from analyzer.events import EVENTS
from analyzer.evidence import Where
from analyzer.folded import Folded
from analyzer.names import Apart
from analyzer.units import Given

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.catalog import Catalog, Claim, Head
    from analyzer.events import Event
    from analyzer.evidence import Rank
    from analyzer.records import Record

    Told = tuple[Sequence[Claim], Record]

_SHOWN: Final = 400  # characters of a line that an event keeps

Row = tuple[str, dict[str, float | str | bool]]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a record turned out to be.

    `row` is a table's name with the columns that the line gave (without those of place and time); `understood` counts
    the physical lines that a pattern or a table explains, 0 or all of the record's; `harmless` tells that the record
    is known and says nothing; `private` that the rest of it is a user's text.
    """

    row: Row | None = None
    understood: int = 0
    harmless: bool = False
    private: bool = False


_NOTHING: Final = Seen()


class Recogniser:
    """Reads the records of one source in their order.

    `unknown_keys` counts the keys of steady-state lines that no column takes. `names` are the nodes, in the order in
    which their lines come; what the first of them say is folded for each.
    """

    def __init__(self, catalog: Catalog, source_name: str) -> None:
        self.source_name = source_name
        self.unknown_keys: Counter[str] = Counter()
        self.names = Apart()
        self._matcher = catalog.matcher
        self._heads = catalog.heads
        self._head_texts = tuple(head.text for head in catalog.heads)
        self._folded = Folded()

    def see(self, record: Record) -> Seen:
        """What the record says; its events are kept for `finish`. Never raises on a record's content."""
        text = record.text
        if text.startswith(self._head_texts):
            return self._steady(text, record)
        return self._taken(self._matcher.claims(text, record.more), record)

    def claims(self, text: str) -> Sequence[Claim]:
        """The claims of all patterns on a text."""
        return self._matcher.claims(text)

    def take(self, claims: Sequence[Claim], record: Record) -> None:
        """Keeps the events of a record whose claims are known."""
        for claim in claims:
            self._keep(claim, record)

    def merge(
        self,
        patterns: Sequence[str],
        whose: tuple[Rank, str],
        lines: Sequence[tuple[int, Callable[[], Told]]],
        passed: int,
    ) -> None:
        """The same of lines that were read in one go, and say the same: `patterns` are those of each one's claims.

        `whose`: of which rank on which node.
        What a line tells is asked for where its event stays: most are not among the last. `passed` further ones stand
        behind the first hundred and before the last. A pattern without a name gives no event.
        """
        for pattern in dict.fromkeys(filter(None, patterns)):
            claims = [index for index, name in enumerate(patterns) if name == pattern]
            made = [(line, partial(_told, ask, claim)) for line, ask in lines for claim in claims]
            self._folded.merge((pattern, whose[0].label(), self.names.key(whose[1])), made, passed * len(claims))

    def finish(self) -> list[Event]:
        """All events that were kept, in the order in which the source says them."""
        return self._folded.events()

    def _steady(self, text: str, record: Record) -> Seen:
        head = next(head for head in self._heads if text.startswith(head.text))
        row, unknown = pairs(text, head)
        self.unknown_keys.update(unknown)
        if not row:
            return _NOTHING
        return Seen((head.pattern.table, row), 1 + len(record.more))

    def _taken(self, claims: list[Claim], record: Record) -> Seen:
        if not claims:
            return _NOTHING
        row: Row | None = None
        for claim in claims:
            pattern = claim.pattern
            if pattern.table and row is None:
                row = (pattern.table, columns_of(claim))
            elif pattern.event:
                self._keep(claim, record)
        harmless = all(claim.pattern.harmless for claim in claims)
        private = any(claim.pattern.private for claim in claims)
        return Seen(row, 1 + len(record.more), harmless, private)

    def _keep(self, claim: Claim, record: Record) -> None:
        key = claim.pattern.id, record.rank.label(), self.names.key(record.node)
        self._folded.add(key, record.ref.line, partial(event_of, claim, record))


def _told(ask: Callable[[], Told], claim: int) -> Event:
    claims, record = ask()
    return event_of(claims[claim], record)


def pairs(text: str, head: Head) -> tuple[dict[str, float | str | bool], list[str]]:
    """The columns of a `head, key: value, key: value` line in any order, and the keys that no column takes.

    A number that cannot be read (a cut line, `nan`) leaves its column out; the last pair of a cut line goes with it.
    """
    row: dict[str, float | str | bool] = {}
    unknown: list[str] = []
    for key, raw in head.pairs(text):
        if key not in head.columns:
            unknown.append(key)
        elif (column := head.columns[key]) and (value := values.of_column(raw, column.unit)) is not None:
            row[column.name] = value
    return row, unknown


def columns_of(claim: Claim) -> dict[str, float | str | bool]:
    """The columns that a regex pattern of a table captured."""
    captures = claim.pattern.captures
    read = {
        values.column_name(name, captures[name]): values.of_column(raw, captures[name])
        for name, raw in claim.values.items()
    }
    return {name: value for name, value in read.items() if value is not None}


def event_of(claim: Claim, record: Record) -> Event:
    """The event that a claim on a record makes: constants, captures, place, and the line it was read from."""
    pattern, variant = claim.pattern, claim.variant
    ref = record.ref
    if claim.subject == record.text[: len(claim.subject)]:
        ref = ref._replace(column=ref.column + claim.start)
    where = Where(
        ref,
        record.stamp,
        direct=record.direct,
        rank=record.rank,
        speaker=pattern.speaker,
        node=record.node,
        pattern=pattern.id,
        since=variant.since,
        until=variant.until,
    )
    fields = _constants(claim)
    for name, raw in claim.values.items():
        value = values.of_event(raw, pattern.captures[name], ref)
        if value is not None:
            fields[name] = value
    return EVENTS[pattern.event](where=where, text=around(claim), **fields)


def around(claim: Claim) -> str:
    """The line that the match begins on (a frame of a progress bar is a line), cut around the match.

    A private match stands alone: what follows it is a user's text.
    """
    subject = claim.subject
    if claim.pattern.private:
        return subject[claim.start : claim.end][:_SHOWN]
    start = max(subject.rfind("\n", 0, claim.start), subject.rfind("\r", 0, claim.start)) + 1
    ends = [end for end in (subject.find("\n", claim.end), subject.find("\r", claim.end)) if end >= 0]
    line = subject[start : min(ends, default=len(subject))]
    if len(line) <= _SHOWN:
        return line
    begin = max(0, min(claim.start - start - _SHOWN // 4, len(line) - _SHOWN))
    return line[begin : begin + _SHOWN]


def _constants(claim: Claim) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    amounts = target.amounts(claim.pattern.event)
    for name, value in claim.variant.constants.items():
        stated = values.stated(value) if isinstance(value, str) and name in amounts else None
        reason = Given("release", f"what {claim.pattern.id} always means")
        fields[name] = units.given(*stated, reason) if stated else value
    return fields
