"""Lines that were read in one go, standing among the lines that the exact reading takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from analyzer.catalog import Head
    from analyzer.evidence import Rank, Stamp
    from analyzer.tables.spill import File


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

    def unit(self, raw: bytes, *, headed: bool) -> bool:
        """Whether the lines are a traceback, one record wherever they stand; `headed`: behind a header."""
        ...

    def joins(self, row: str, latest: str, text: str) -> bool:
        """Whether a line without a header belongs to a row's message and changes nothing in it.

        `latest` is the last line that did, if any did.
        """
        ...

    def expects_traceback(self, text: str) -> bool:
        """Whether a message is one that a traceback below it belongs to."""
        ...

    def goes_on(self, text: str) -> bool:
        """Whether a line without a header may be cut, and go on in the next."""
        ...

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, in the order of lines, and how often keys occurred that no column takes."""
        ...


class Said(NamedTuple):
    """A request or an answer that the server logged, up to the user's text: `text` is its beginning.

    It is line `number`, bytes `start` to `end`; the text begins at `column`.
    """

    text: str
    number: int
    start: int
    end: int
    column: int
    stamp: Stamp
    rank: Rank


class Eventful(NamedTuple):
    """A line without a header that gives events: its bytes, where it stands, and the time before it."""

    raw: bytes
    number: int
    start: int
    stamp: Stamp


class Unit(NamedTuple):
    """A traceback: its bytes from the message on, whether a header precedes them, how many lines it has.

    The first is line `number`; they are bytes `start` to `end`, the message begins at `column`.
    """

    raw: bytes
    headed: bool
    lines: int
    number: int
    start: int
    end: int
    column: int
    stamp: Stamp
    rank: Rank


@dataclass(slots=True)
class Run:
    """Lines in a row that are records of their own; the first has a header, and the text `text`.

    `lines` of them end with line `number`; `headed` have headers, `known` are explained, `coloured` had colours.
    `earliest` and `latest` are the times of the first and the last, printed there or before. `heard` is what some of
    them say, in their order; the lines of a `Unit` are not among those that are `headed` or `known`. All others say
    nothing but what is in tables.
    """

    text: str
    lines: int
    number: int
    headed: int
    known: int
    earliest: Stamp
    latest: Stamp
    coloured: int = 0
    heard: Sequence[Said | Eventful | Unit] = ()
