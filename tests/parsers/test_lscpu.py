"""`lscpu`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

PART = """
CPU(s):                                  256
Model name:                              AMD EPYC 9575F 64-Core Processor
BIOS Model name:                         AMD EPYC 9575F 64-Core Processor                Unknown CPU @ 3.3GHz
CPU(s) scaling MHz:                      85%
"""


@pytest.mark.parametrize(
    "line", ["Architecture: LlamaForCausalLM", "Model name: Qwen3-32B", "CPU(s): many", "the CPU(s): 4", "NUMA: off"]
)
def test_other_words_are_no_processor(line: str) -> None:
    assert not claims("lscpu", line)


def test_what_counts_is_kept() -> None:
    block = read("lscpu", SAMPLES["lscpu"])
    assert facts(block) == {
        "cpu.count": "128",
        "cpu.model": "Intel(R) Xeon(R) Platinum 8480+",
        "cpu.sockets": "2",
        "numa.nodes": "2",
    }
    assert [value(fact.amount) for fact in of(Fact, block)] == [128, None, 2, 2]


def test_an_excerpt_is_read() -> None:
    block = read("lscpu", PART)
    assert (block.understood, list(facts(block))) == (4, ["cpu.count", "cpu.model"])
