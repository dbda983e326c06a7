"""Every line of a text is told apart by its bytes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import NO_RANK, Rank
from analyzer.parsers.steady import Steady

pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
memory = pytest.importorskip("analyzer.scan.fast.memory")
words = pytest.importorskip("analyzer.scan.fast.words")

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

REMEMBERED = memory.Memory(Steady(Catalog.load()))


def read() -> object:
    text = "".join(line + "\n" for line in LINES).encode()
    return chunk.Chunk(text + words.PAD, 0, len(text), REMEMBERED)


def test_kinds_of_lines() -> None:
    assert read().kinds.tolist() == [1, 3, 2, 0, 1, 0, 0, 0]  # type: ignore[attr-defined]


def test_times_and_ranks_of_dated_lines() -> None:
    found = read()
    ranks = [REMEMBERED.ranks[found.label[line]] for line in (0, 1, 4)]  # type: ignore[attr-defined]
    assert ranks == [Rank(tp=1), NO_RANK, Rank(dp=1, tp=4, ep=4)]
    first = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    assert found.seconds[[0, 1, 4]].tolist() == [first, first, first + 1]  # type: ignore[attr-defined]


def test_a_message_begins_behind_its_plain_header() -> None:
    found = read()
    said = [line.partition("] ")[2][:6].encode() for line in LINES[:2]]
    begins = found.message.tolist()  # type: ignore[attr-defined]
    assert [found.words.text[at : at + 6] for at in begins[:2]] == said  # type: ignore[attr-defined]
    assert (begins[2], begins[6]) == (0, 0)


def test_rows_of_steady_lines() -> None:
    rows = {getattr(part.form, "table", "Access"): part.lines.tolist() for part in read().parts}  # type: ignore[attr-defined]
    assert rows == {"DecodeBatch": [0, 4], "Access": [2]}
