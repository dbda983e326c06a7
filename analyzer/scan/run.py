"""Lines that were read in one go, standing among the lines that the exact reading takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from analyzer.catalog import Head
    from analyzer.evidence import Rank, Stamp
    from analyzer.tables.spill import File


class Wrapper(NamedTuple):
    """What a wrapper says: its layers, the origin that it names, its time."""

    layers: tuple[str, ...]
    node: str
    stamp: Stamp | None


class Known(Protocol):
    """What the exact reading knows about single lines; the fast reading asks it once for each form of a line.

    `node` is the origin of the lines whose wrappers are taken off: the fast reading says which.
    """

    node: str

    @property
    def heads(self) -> tuple[Head, ...]:
        """The beginnings of the steady-state lines."""
        ...

    @property
    def kept(self) -> int:
        """Of many lines that say the same, how many of the first and of the last are wanted."""
        ...

    @property
    def on(self) -> bool:
        """Whether the lines seen so far allow fast reading."""
        ...

    @property
    def wrapped(self) -> bool:
        """Whether most lines have a wrapper, which may be taken off."""
        ...

    def wrapper(self, before: str, behind: str = "") -> Wrapper | None:
        """What stands before a header, where it changes nothing in the line; `behind` it as well in JSON."""
        ...

    def outer(self, text: str) -> Stamp | None:
        """The time in the wrapper of a line."""
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

    def stands_alone(self, text: str) -> bool:
        """Whether a message, and every one that differs in digits only, is nothing but what patterns make of it."""
        ...

    def says(self, text: str) -> Says | None:
        """What such a message says, and every one with digits in the same places; `None`: it has to be read."""
        ...

    def says_alike(self, text: str) -> bool:
        """Whether the patterns that may claim a message take all alike that have digits in the same places."""
        ...

    def unit(self, raw: bytes, *, headed: bool) -> bool:
        """Whether the lines are a traceback, one record wherever they stand; `headed`: behind a header."""
        ...

    def joins(self, row: str, latest: str, text: str) -> bool:
        """Whether a line without a header belongs to a row's message and changes nothing in it.

        `latest` is the last line that did, if any did.
        """
        ...

    def joins_alike(self, text: str) -> bool:
        """Whether all indented lines that differ from this one in digits only go on the same rows."""
        ...

    def expects_traceback(self, text: str) -> bool:
        """Whether a message is one that a traceback below it belongs to."""
        ...

    def may_expect_traceback(self, text: str) -> bool:
        """Whether it is, or may be with other digits."""
        ...

    def goes_on(self, text: str) -> bool:
        """Whether a line without a header may be cut, and go on in the next."""
        ...

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, in the order of lines, and how often keys occurred that no column takes."""
        ...


class Said(NamedTuple):
    """A request or an answer that the server logged: `text` is its beginning, up to the user's text."""

    text: str
    rank: Rank


class Unit(NamedTuple):
    """A traceback: its bytes from the message on, whether a header precedes them, how many lines it has."""

    raw: bytes
    headed: bool
    lines: int
    rank: Rank


class Says(NamedTuple):
    """The patterns that claim a line, without a name those that give no event; else the wording of an error."""

    patterns: tuple[str, ...]
    error: str = ""


class Eventful(NamedTuple):
    """A line that gives events or looks like an error, with a header or without one."""

    says: Says
    headed: bool
    rank: Rank


class Spot(NamedTuple):
    """Where one of many lines that say the same stands: line `number`, bytes `start` to `end`.

    The message begins at `column`; `stamp` is printed there or before. `raw` are the bytes of an `Eventful` from there
    on, as the digits of each may differ.
    """

    number: int
    start: int
    end: int
    column: int
    stamp: Stamp
    raw: bytes = b""


class Heard(NamedTuple):
    """What many lines of a stream say: where the first and the last of them stand, and how many are between."""

    what: Said | Unit | Eventful
    spots: Sequence[Spot]
    passed: int


@dataclass(slots=True)
class Run:
    """Lines in a row that are records of their own, the first of which has a header.

    `lines` of them end with line `number`; `headed` have headers, `known` are explained, `coloured` had colours.
    `earliest` and `latest` are the times of the first and the last, printed there or before. What they say is in
    tables, or told at the end of the stream (`Heard`), but for those that look like `errors` and that nothing explains;
    tracebacks are not among those that are `headed` or `known`. Where lines have wrappers, `layers` are those that were
    taken off, `node` is the origin that they name; `agrees` tells whether their clock is that of the headers.
    """

    lines: int
    number: int
    headed: int
    known: int
    earliest: Stamp
    latest: Stamp
    coloured: int = 0
    errors: Sequence[Heard] = ()
    layers: Mapping[str, int] = field(default_factory=dict)
    node: str = ""
    agrees: bool | None = None
