"""A file read in parts, by this process or by others, gives what one pass over it gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import polars as pl
import pytest

from analyzer import parsers
from analyzer.bundle import OnDisk, Source
from analyzer.catalog import Catalog
from analyzer.parsers.parts import PartReader
from analyzer.scan.crew import Crew
from analyzer.tables import TABLES
from analyzer.tables.spill import Spill
from analyzer.tables.table import batches

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.parsers import Parsed

pytest.importorskip("numpy")
parts = pytest.importorskip("analyzer.scan.fast.parts")
CATALOG = Catalog.load()

DECODE = "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, frobs: 1, gen throughput (token/s): 386.24, #queue-req: 0, "
OTHERS = [
    'INFO:     10.0.3.77:53442 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
    'INFO:     10.0.3.77:53442 - "GET /health HTTP/1.1" 503 Service Unavailable',
    "{head}radix cache evict 17 pages",
    "{head}Scheduler hit an exception: Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 3, in run_scheduler_process',
    "    scheduler = Scheduler(server_args)",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.",
    "{head}KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.43 -> 0.83",
    "{head}Receive: obj=GenerateReqInput(text='[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 9')",
    "bad bytes \udcff\udcfe",
    "",
]


def log(seed: int, *, end: str) -> bytes:
    chance = random.Random(seed)  # noqa: S311 - the same logs every time
    lines = []
    for second in range(700):
        head = f"[2026-02-17 10:{second // 60:02d}:{second % 60:02d}{chance.choice(['', ' TP0', ' DP1 TP3 EP3'])}] "
        said = head + DECODE if chance.random() < 0.6 else chance.choice(OTHERS).format(head=head)
        lines.append(said if second > 200 else f"{head}radix cache evict 17 pages")
    lines.insert(500, "a very long line " + "x" * 700_000)
    return ("\n".join(lines) + end).encode(errors="surrogateescape")


def read(path: Path, crew: Crew[object, object] | None, spill: Spill, *, size: int, fast_from: int = 0) -> Parsed:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsers, "FAST_FROM", fast_from)
        patch.setattr(parsers, "PARTS_FROM", 0)
        patch.setattr(parts, "PART", size)
        patch.setattr(parts, "_PIECE", max(1, size // 3))
        if crew and not crew.count:
            crew.count = 1  # so that it is asked at all; it does the work itself
            patch.setattr(Crew, "apply", lambda _, tasks: map(PartReader(spill), tasks))
        return parsers.parse(Source("server.log", path.stat().st_size, OnDisk(path)), CATALOG, spill=spill, crew=crew)  # type: ignore[arg-type]


def assert_same(one: Parsed, other: Parsed) -> None:
    for field in (
        "kind",
        "lines",
        "recognised",
        "undecodable",
        "first",
        "last",
        "errors",
        "unknown_keys",
        "sha256",
        "bytes",
    ):
        assert getattr(one, field) == getattr(other, field), field
    assert repr(one.events) == repr(other.events)
    assert one.tables.keys() == other.tables.keys()
    for name in one.tables:
        frames = [pl.concat(list(batches(of.tables[name], TABLES[name]))) for of in (one, other)]
        assert frames[0].equals(frames[1])


@pytest.mark.parametrize(("seed", "size", "end"), [(0, 1500, "\n"), (1, 5000, ""), (2, 40_000, "\n"), (3, 1 << 20, "")])
def test_parts_of_any_size_give_what_one_pass_gives(seed: int, size: int, end: str, tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(log(seed, end=end))
    with Spill() as spill, Spill() as other:
        exact = read(path, None, spill, size=size, fast_from=1 << 60)
        assert_same(read(path, Crew(0, PartReader), other, size=size), exact)


def test_other_processes_give_what_one_pass_gives(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(log(7, end="\n"))
    with Spill() as spill, Spill() as other, Crew(2, PartReader, (other,)) as crew:
        exact = read(path, None, spill, size=9000, fast_from=1 << 60)
        assert_same(read(path, crew, other, size=9000), exact)  # type: ignore[arg-type]


def test_rows_beyond_what_may_be_held_are_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(log(9, end="\n"))
    with Spill() as spill, Spill(rows=50) as small, Spill(rows=50) as smaller:
        held = read(path, None, spill, size=9000, fast_from=1 << 60)
        assert_same(read(path, None, small, size=9000, fast_from=1 << 60), held)
        assert_same(read(path, None, smaller, size=9000), held)
