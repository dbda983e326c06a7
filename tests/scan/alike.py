"""A log read both ways, exactly and fast: what the two find must be the same in every cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer import parsers
from analyzer.bundle import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.parsers import Parsed, parse
from analyzer.scan import fast

if TYPE_CHECKING:
    import polars as pl

    from analyzer.tables.spill import Spill

CATALOG = Catalog.load()

STAMP = "[2026-02-17 10:02:51"
HEAD = STAMP + " TP1] "
DECODE = (
    "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, gen throughput (token/s): 386.24, #queue-req: 0, "
)
ACCESS = 'INFO:     10.0.3.77:53442 - "POST /v1/chat/completions HTTP/1.1" 200 OK'
CHATTER = "radix cache evict 17 pages"
PRELUDE = [f"[2026-02-17 10:00:{second % 60:02d} TP0] {CHATTER}" for second in range(200)]  # the head is read exactly


def read(lines: list[str] | bytes, *, fast_from: int, piece: int = 4096, spill: Spill | None = None) -> Parsed:
    """What a log holds: lines behind a head, or bytes; read fast if it has so many."""
    data = lines if isinstance(lines, bytes) else "\n".join([*PRELUDE, *lines, ""]).encode(errors="surrogateescape")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsers, "FAST_FROM", fast_from)
        patch.setattr(
            fast, "scan", lambda stream, known, silent, after: fast.reader.scan(stream, known, silent, after, piece)
        )
        return parse(Source("server.log", len(data), InMemory(data)), CATALOG, spill=spill)


def assert_same(lines: list[str] | bytes, *pieces: int) -> Parsed:
    """Compares the two, the fast one with blocks of each of these sizes; gives the exact one."""
    exact = read(lines, fast_from=1 << 60)
    for piece in pieces or (4096,):
        _assert_like(read(lines, fast_from=0, piece=piece), exact)
    return exact


def _assert_like(quick: Parsed, exact: Parsed) -> None:
    assert {name: frame.schema for name, frame in quick.tables.items()} == {
        name: frame.schema for name, frame in exact.tables.items()
    }
    for name, frame in exact.tables.items():
        assert _rows(quick.tables[name]) == _rows(frame)
    assert repr(quick.events) == repr(exact.events)
    for field in ("kind", "lines", "recognised", "undecodable", "first", "last", "errors", "unknown_keys", "sha256"):
        assert getattr(quick, field) == getattr(exact, field), field
    assert sorted(quick.layers) == sorted(exact.layers)


def _rows(frame: pl.DataFrame) -> list[dict[str, object]]:
    """The rows as they stand; of several origins by line, as the exact reading gives each when its record is whole."""
    several = frame["node"].n_unique() > 1
    return (frame.sort("line", maintain_order=True) if several else frame).to_dicts()
