"""What the patterns know, as rows for a reader: `postmortem patterns list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.catalog.catalog import Catalog


class Listed(NamedTuple):
    """A pattern in words: `kind` is event, table or harmless, `gives` its name or the reason, `wordings` how many."""

    id: str
    file: str
    kind: str
    gives: str
    speaker: str
    at: str
    wordings: int
    fields: tuple[str, ...]
    caution: str


def listing(catalog: Catalog) -> list[Listed]:
    """Every pattern, in the order of files and within them."""
    return [
        Listed(
            id=pattern.id,
            file=pattern.file,
            kind="event" if pattern.event else "table" if pattern.table else "harmless",
            gives=pattern.event or pattern.table or pattern.harmless,
            speaker=pattern.speaker,
            at=pattern.at,
            wordings=len(pattern.variants) or len(pattern.heads),
            fields=tuple(pattern.captures) or tuple(column.field for column in pattern.columns),
            caution=pattern.caution,
        )
        for pattern in catalog.patterns
    ]
