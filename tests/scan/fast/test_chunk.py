"""Every line of a text is told apart by its bytes."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import NO_RANK, Rank

pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
memory = pytest.importorskip("analyzer.scan.fast.memory")

LINES = [
    "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #token: 20253, #queue-req: 0",
    "[2026-02-17 10:02:51] radix cache evict 17 pages",
    'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK',
    'INFO:     10.0.0.1/2:41 - "GET /health HTTP/1.1" 200 OK',
    "[2026-02-17 10:02:52 DP1 TP4 EP4] Decode batch. #running-req: 9, #token: 20253, #queue-req: 0",
    "[2026-02-17 10:02:52 DP1 TP4 EP4] Decode batch. #running-req: nine, #token: 20253, #queue-req: 0",
    "[2026-02-17 10:02:52",
    "",
]


def read() -> object:
    from analyzer.parsers.steady import Steady

    return chunk.Chunk("".join(line + "\n" for line in LINES).encode(), memory.Memory(Steady(Catalog.load())))


def test_kinds_of_lines() -> None:
    assert read().kinds.tolist() == [1, 3, 2, 0, 1, 0, 0, 0]  # type: ignore[attr-defined]


def test_times_and_ranks_of_dated_lines() -> None:
    found = read()
    ranks = [found.ranks[found.label[line]] for line in (0, 1, 4)]  # type: ignore[attr-defined]
    assert ranks == [Rank(tp=1), NO_RANK, Rank(dp=1, tp=4, ep=4)]
    times = [found.stamps[found.moment[line]].text for line in (0, 1, 4)]  # type: ignore[attr-defined]
    assert times == ["2026-02-17 10:02:51", "2026-02-17 10:02:51", "2026-02-17 10:02:52"]


def test_rows_of_steady_lines() -> None:
    rows = {part.table: part.lines.tolist() for part in read().parts}  # type: ignore[attr-defined]
    assert rows == {"DecodeBatch": [0, 4], "Access": [2]}
