"""Limits of a shell or of a process."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import KIB, MIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

PROC = """
Limit                     Soft Limit           Hard Limit           Units
Max locked memory         67108864             67108864             bytes
Max open files            1024                 524288               files
Max processes             unlimited            unlimited            processes
"""


@pytest.mark.parametrize(
    "line", ["open files (-n) is 1024", "Max open files reached", "Soft Limit", "the limit (-n) 5"]
)
def test_sentences_on_limits_are_none(line: str) -> None:
    assert not claims("ulimit", line)


def test_a_shell_s_limits_have_their_units() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("ulimit", SAMPLES["ulimit"]))}
    assert told == {"ulimit.locked-memory": 65536 * KIB, "ulimit.open-files": 1024, "ulimit.user-processes": None}


def test_a_process_s_limits_have_the_same_names() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("ulimit", PROC))}
    assert told == {"ulimit.locked-memory": 64 * MIB, "ulimit.open-files": 1024, "ulimit.user-processes": None}


def test_queues_by_their_standard_are_a_limit_too() -> None:
    (fact,) = of(Fact, read("ulimit", "POSIX message queues         (bytes, -q) 819200"))
    assert (fact.name, value(fact.amount)) == ("ulimit.posix-message-queues", 819200)
