"""Lines that were read in one go, standing among the lines that the exact reading takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from analyzer.bundle import Stream
    from analyzer.catalog import Head
    from analyzer.evidence import Rank, Stamp
    from analyzer.scan.exact import Line
    from analyzer.scan.silence import Rest
    from analyzer.tables.spill import File


class Apart(Protocol):
    """Reads what is left of a file by several processes."""

    def read(
        self, stream: Stream, span: tuple[int, int], at: int, number: int, known: Known
    ) -> Iterator[Line | Run | Rest]:
        """The lines from byte `span[0]` on, the first of which has this number.

        `stream` has been read up to byte `at`, and whole lines up to `span[1]`; it is read to its end.
        """
        ...


class Known(Protocol):
    """What the exact reading knows about single lines; the fast reading asks it once for each form of a line."""

    @property
    def heads(self) -> tuple[Head, ...]:
        """The beginnings of the steady-state lines."""
        ...

    @property
    def parts(self) -> Apart | None:
        """Reads what is left of a large file by several processes; `None` where this process does it all."""
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

    def take(self, tables: Mapping[str, pl.DataFrame | File], unknown: Mapping[str, int]) -> None:
        """Takes over rows by table, in the order of lines, and how often keys occurred that no column takes."""
        ...


@dataclass(slots=True)
class Run:
    """Lines in a row that are records of their own; all have headers, and the first has the text `text`.

    `lines` of them end with line `number`; `rows` of them are in a table, `coloured` had colours. `earliest` and
    `latest` are the times of the first and the last, printed there or before.
    """

    text: str
    lines: int
    number: int
    rows: int
    earliest: Stamp
    latest: Stamp
    coloured: int = 0
