"""Lines that were read in one go, standing among the lines that the exact reading takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from analyzer.catalog import Head
    from analyzer.evidence import Rank, Stamp


class Known(Protocol):
    """What the exact reading knows about single lines; the fast reading asks it once for each form of a line."""

    @property
    def heads(self) -> tuple[Head, ...]:
        """The beginnings of the steady-state lines."""
        ...

    @property
    def on(self) -> bool:
        """Whether the lines seen so far allow fast reading."""
        ...

    def header(self, text: str) -> tuple[int, Stamp | None, Rank] | None:
        """Where the message begins behind the header that the line begins with, the header's time and rank."""
        ...

    def seconds(self, stamp: Stamp) -> float:
        """The time as tables have it."""
        ...

    def access(self, text: str) -> tuple[str, float] | None:
        """Path and status, where the line is an access line and says nothing else."""
        ...

    def silent(self, text: str) -> bool:
        """Whether a message, and every message that differs from it in digits only, says nothing."""
        ...

    def goes_on(self, text: str) -> bool:
        """Whether a line without a header may be cut, and go on in the next."""
        ...


@dataclass(slots=True)
class Run:
    """Lines in a row that are records of their own, the first with a dated header and the text `text`.

    `lines` of them end with line `number`; `rows` of them are in a table, `coloured` had colours. `earliest` and
    `latest` are the first and the last time printed. The last run of a piece brings the rows of all its runs in
    `tables`, and the keys that no column takes in `unknown`.
    """

    text: str
    lines: int
    number: int
    rows: int
    earliest: Stamp
    latest: Stamp
    coloured: int = 0
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    unknown: Mapping[str, int] = field(default_factory=dict)
