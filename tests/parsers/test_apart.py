"""Sources that several processes read are what one process makes of them."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle import OnDisk, Source
from analyzer.catalog import Catalog
from analyzer.parsers import apart, parse
from analyzer.scan.crew import Crew
from analyzer.tables.spill import Spill
from analyzer.tables.table import batches
from analyzer.vocabulary import INTERRUPTED
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

CATALOG = Catalog.load()
LINE = "[2026-02-17 10:{0:02d}:{1:02d} TP0] Decode batch. #running-req: {1}, #token: {0}, token usage: 0.07, #queue-req: 0, \n"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "TOGETHER", 0)
    monkeypatch.setattr(apart, "EACH", 0)


def sources(paths: list[Path]) -> list[Source]:
    return [Source(path.name, path.stat().st_size, OnDisk(path)) for path in paths]


def a_log(folder: Path) -> Path:
    path = folder / "steady.log"
    path.write_text("".join(LINE.format(n // 60, n % 60) for n in range(300)), "utf-8")
    return path


def test_every_source_is_read_as_by_itself_and_in_its_place(tmp_path: Path) -> None:
    paths = [a_log(tmp_path), *sorted((SAMPLES / "hicache-300-per-rank").iterdir()), tmp_path / "gone.log"]
    given = [Source(path.name, path.stat().st_size if path.exists() else 9, OnDisk(path)) for path in paths]
    heard: list[int] = []
    with Spill(rows=100) as spill:
        found = apart.read(given, CATALOG, heard.append, spill, 2)
        rows = [
            row for part in batches(found[0].tables["DecodeBatch"], ["line", "running_count"]) for row in part.rows()
        ]
    assert rows == [(n + 1, float(n % 60)) for n in range(300)]
    alone = [parse(source, CATALOG) for source in given]
    for one, other in zip(found, alone, strict=True):
        one.tables, other.tables = {}, {}
        assert repr(one) == repr(other)
    assert sum(size for size in heard if size) == sum(source.size for source in given[:-1])


def test_sources_that_were_not_read_when_the_reading_ended_say_so(tmp_path: Path) -> None:
    given = sources([a_log(tmp_path)] * 3)
    with Spill() as spill:
        found = apart.read(given, CATALOG, lambda _: False, spill, 2)
    assert [parsed.errors for parsed in found] == [[f"steady.log: {INTERRUPTED}"]] * 3
    assert all(parsed.truncated for parsed in found)


def test_what_a_killed_worker_leaves_is_read_by_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "Reader", partial(os._exit, 9))  # what a worker does first
    with Spill() as spill:
        found = apart.read(sources([a_log(tmp_path)] * 2), CATALOG, None, spill, 2)
    assert [parsed.recognised for parsed in found] == [300, 300]


@pytest.mark.parametrize("workers", [0, 1])
def test_where_there_is_one_processor_nothing_is_started(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Crew, "_start", lambda _: pytest.fail("started"))
    with Spill() as spill:
        found = apart.read(sources([a_log(tmp_path)] * 2), CATALOG, None, spill, workers)
    assert [parsed.lines for parsed in found] == [300, 300]
