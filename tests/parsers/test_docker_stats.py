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
    assert memory.group == "sgl"


SHORT = """
NAME      MEM USAGE / LIMIT
sgl       98.5GiB / 100GiB
ended     -- / --
cache     52.43MB / 1.074GB
"""


def test_columns_of_a_format_are_read_to_the_end_of_the_line() -> None:
    block = read("docker_stats", SHORT)
    found = of(CgroupMemory, block)
    assert (block.lines, [memory.group for memory in found]) == (4, ["sgl", "cache"])
    assert [value(a) for a in (found[1].used, found[1].limit)] == [52.43e6, 1.074e9], "podman prints powers of ten"


def test_the_form_for_programs_is_read() -> None:
    row = '{"CPUPerc":"800.12%","ID":"3be1c0aabbcc","MemUsage":"98.5GiB / 100GiB","Name":"sgl","PIDs":"421"}'
    block = read("docker_stats", f"{row}\n{row.replace('sgl', 'cache').replace('98.5GiB / 100GiB', '-- / --')}")
    (memory,) = of(CgroupMemory, block)
    assert (block.understood, memory.group) == (2, "sgl")
    assert [value(a) for a in (memory.used, memory.limit)] == [98.5 * GIB, 100 * GIB]


def test_a_runtime_without_limits_tells_the_use() -> None:
    text = """
CONTAINER           NAME                CPU %               MEM                 DISK                INODES              SWAP
3be1c0aabbcc1       sglang              812.12              98.51GB             1.2GB               12                  0B
"""
    (memory,) = of(CgroupMemory, read("docker_stats", text))
    assert (memory.group, value(memory.used), memory.limit) == ("sglang", 98.51e9, None)
