"""The table of `docker stats`."""

from __future__ import annotations

from analyzer.events import CgroupMemory
from tests.parsers.build_blocks import GIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


def test_a_sentence_with_its_words_is_no_header() -> None:
    assert not claims("docker_stats", "see MEM USAGE / LIMIT")


def test_use_and_limit_are_binary() -> None:
    (memory,) = of(CgroupMemory, read("docker_stats", SAMPLES["docker_stats"]))
    assert [value(a) for a in (memory.used, memory.limit)] == [98.5 * GIB, 100 * GIB]
