"""The shipped patterns hold what their own samples and decoys say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog, Problem, check
from analyzer.catalog.load import shipped_folder
from analyzer.catalog.wording import compiled
from analyzer.events import HostPoolAnnounced, KvPoolAllocated
from analyzer.evidence import Ref
from analyzer.recognise import Recogniser
from analyzer.records import Record

if TYPE_CHECKING:
    from analyzer.events import Event

FILES = sorted(path.relative_to(shipped_folder()).as_posix() for path in shipped_folder().rglob("*.toml"))


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    return check(Catalog.load())


@pytest.mark.parametrize("file", FILES)
def test_every_sample_and_decoy_of_a_file_holds(problems: list[Problem], file: str) -> None:
    assert [str(problem) for problem in problems if problem.file == file] == []


def test_the_shipped_patterns_pass_the_checks_that_a_users_files_do() -> None:
    assert Catalog.load([shipped_folder()]).patterns == Catalog.load().patterns


def test_no_expression_runs_away_on_a_long_text() -> None:
    """Repeated, cut and padded literals of 16 KiB; a `TimeoutError` would name the expression that backtracks."""
    for pattern in Catalog.load().patterns:
        for variant in pattern.variants:
            expression = compiled(variant.regex)
            for literal in variant.literals:
                for text in (literal * 9999, literal[:-1] * 9999, literal + "a" * 16384, "0 " * 8000 + literal):
                    expression.search(text[:16384], timeout=5)


def said(text: str) -> Event:
    recogniser = Recogniser(Catalog.load(), "server.log")
    recogniser.see(Record(Ref("server.log", 1, 1), text))
    (event,) = recogniser.finish()
    return event


def test_what_a_gpu_line_calls_gb_is_binary() -> None:
    event = said("KV Cache is allocated. #tokens: 116171, KV size: 7.60 GB")
    assert isinstance(event, KvPoolAllocated)
    assert event.kv_size is not None
    assert event.kv_size.value * 100 == 760 * 2**30


def test_what_a_host_pool_line_calls_gb_is_decimal() -> None:
    event = said("Allocating 300.00 GB host memory for hierarchical KV cache.")
    assert isinstance(event, HostPoolAnnounced)
    assert event.size is not None
    assert event.size.value == 300 * 10**9
    assert event.size.decimal
    assert event.pool == "kv"
