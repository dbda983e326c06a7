"""Short builders for the facts that tests are made of; what a test does not name is left at its usual value."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from analyzer import timeline
from analyzer.events import ArgumentsPrinted, CommandLine
from analyzer.evidence import NO_RANK, Instant, Rank, Ref, Stamp, Where
from analyzer.incident import Given, Incident, hosts_of
from analyzer.knowledge import Release
from analyzer.launches import Launch, Timed
from analyzer.launches.arguments import from_events
from analyzer.launches.clock import seconds
from analyzer.ledgers.own_limit import with_own_limits
from analyzer.records import Record
from analyzer.tables import TABLES
from analyzer.tables.table import TYPES, Table
from analyzer.units import Amount, One, read
from analyzer.units import counted as count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.events import Event
    from analyzer.tables.table import Rows

DAY = "2026-02-17"


def ref(line: int = 1, source: str = "server.log") -> Ref:
    """One line of a source."""
    return Ref(source, line, line)


def size(text: str, line: int = 1, source: str = "server.log", *, truncated: bool = False) -> Amount[Any]:
    """An amount as a line prints it: `26.58 GiB`, `600 s`, `116171 token`; the unit is a key of `UNITS`."""
    digits, unit = text.split(" ", 1)
    return read(digits, unit, ref(line, source), truncated=truncated)


def counted(number: int, line: int = 1, what: str = "ranks") -> Amount[One]:
    """So many distinct things, named by the lines from `line` on."""
    return count_of(number, tuple(ref(line + i) for i in range(number)), what)


def stamp(time: str, *, dated: bool = True) -> Stamp:
    """A printed time: `10:06:42` on the usual day, or a whole `2026-02-17 10:06:42`."""
    text = time if " " in time else f"{DAY} {time}"
    return Stamp(time, datetime.strptime(text, "%Y-%m-%d %H:%M:%S"), dated=dated)


def instant(time: str) -> Instant:
    """The same time on the launch's clock."""
    return Instant(seconds(stamp(time).moment))


def tp(rank: int) -> Rank:
    """The rank that a header prints as `TP3`."""
    return Rank(tp=rank)


def where(
    line: int = 1, time: str | None = None, rank: Rank = NO_RANK, source: str = "server.log", node: str = ""
) -> Where:
    """The place of an event."""
    return Where(ref(line, source), stamp(time) if time else None, rank=rank, node=node)


def record(text: str, *more: str, line: int = 1, time: str | None = None, rank: Rank = NO_RANK) -> Record:
    """A record of the server's log; a `time` makes it one with a header of its own."""
    place = Ref("server.log", line, line + len(more))
    printed = stamp(time) if time else None
    return Record(place, text, list(more), printed, direct=time is not None, rank=rank, header="sglang" if time else "")


def timed(event: Event, node: str = "n0") -> Timed[Event]:
    """An event at its printed time, on a clock that needs no aligning."""
    printed = event.where.stamp
    return Timed(event, Instant(seconds(printed.moment)) if printed else None, node)


def rows(table: str, **columns: Sequence[Any]) -> pl.DataFrame:
    """Rows of a table, at line 100 and behind; columns that are not named are empty, as a parser leaves them."""
    count = len(next(iter(columns.values())))
    known = {"source": ["server.log"] * count, "node": ["n0"] * count, "line": range(100, 100 + count)}
    known |= {"start": [0] * count, **columns}
    types = {"source": "text", **TABLES[table]}
    return pl.DataFrame(
        [pl.Series(name, known.get(name, [None] * count), TYPES[kind], strict=False) for name, kind in types.items()]
    )


def cut(frame: pl.DataFrame, size: int, table: str = "DecodeBatch") -> Table:
    """The same rows in parts of so many, as they are read back from files."""
    parts = [frame.slice(begin, size) for begin in range(0, frame.height, size)]
    return Table(table, [(part, ()) for part in parts])


def launch(
    *events: Event,
    outside: Sequence[Event] = (),
    values: dict[str, Any] | None = None,
    argv: str = "",
    release: str | None = "0.5.9",
    tables: Mapping[str, Rows] | None = None,
) -> Launch:
    """One launch on one node. `values` are those of its `server_args` line, `argv` is its command line."""
    printed = [ArgumentsPrinted(where=where(1, "10:02:37"), values=values)] if values else []
    typed = [CommandLine(where=where(1, source="ps.txt"), argv=tuple(argv.split()))] if argv else []
    return Launch(
        id="launch-1",
        role="standalone",
        name="server.log",
        sources=("server.log",),
        nodes={"n0": ("server.log",)},
        events=[timed(event) for event in (*printed, *events)],
        outside=[timed(event) for event in (*typed, *outside)],
        arguments=from_events(printed, typed),
        release=Release.of(release),
        tables=dict(tables or {}),
    )


def turned(made: Launch) -> Launch:
    """The same launch where its sources list their newest line first."""
    events, outside = ([replace(t, newest_first=True) for t in items] for items in (made.events, made.outside))
    return replace(made, events=events, outside=outside, newest_first=frozenset(made.sources))


def incident(made: Launch, *, given: Given | None = None, as_of: str | None = None) -> Incident:
    """A launch in its surroundings, as rules see it; `as_of` is the clock that the user gives."""
    facts = given or Given()
    laid_out = timeline.build(made, instant(as_of).seconds if as_of else None)
    return with_own_limits(Incident(made, laid_out, hosts_of(made, laid_out, facts), facts))
