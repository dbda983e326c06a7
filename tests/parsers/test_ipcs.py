"""`ipcs`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import GIB, claims, facts, of, read
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS


@pytest.mark.parametrize("line", ["------ Shared Memory", "------ Message ------", "Shared Memory Segments"])
def test_other_rules_are_not_its(line: str) -> None:
    assert not claims("ipcs", line)


def test_segments_are_told_and_queues_and_semaphores_are_not() -> None:
    assert facts(read("ipcs", SAMPLES["ipcs"])) == {
        "shm-segment 32768": "4194304 bytes, 2 attached",
        "shm-segment 5": f"{GIB} bytes, 0 attached",
    }


def test_a_limit_that_is_none_has_no_amount() -> None:
    [text] = VARIANTS["ipcs"]
    amounts = {fact.name: fact.amount for fact in of(Fact, read("ipcs", text))}
    assert amounts["ipcs.max-total-shared-memory"] is None
    assert amounts["ipcs.max-number-of-segments"] is not None


def test_sums_and_other_limits_are_understood() -> None:
    text = """
------ Shared Memory Status --------
segments allocated 1
pages allocated 1024
pages resident  512
pages swapped   0
Swap performance: 0 attempts	 0 successes

------ Messages Limits --------
max queues system wide = 32000
max size of message (bytes) = 8192
default max size of queue (bytes) = 16384

------ Semaphore Limits --------
max number of arrays = 32000
semaphore max value = 32767
"""
    block = read("ipcs", text)
    assert (block.understood, block.events) == (15, [])
