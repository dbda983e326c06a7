"""Limits of a shell or of a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import Fact
from analyzer.parsers import ulimit
from tests.parsers.build_blocks import KIB, MIB, around, claims, facts, of, read, texts, value
from tests.parsers.snapshots import SAMPLES

if TYPE_CHECKING:
    from analyzer.parsers.block import Around

PROC = """
Limit                     Soft Limit           Hard Limit           Units
Max locked memory         67108864             67108864             bytes
Max open files            1024                 524288               files
Max processes             unlimited            unlimited            processes
"""


@pytest.mark.parametrize(
    "line",
    [
        "open files (-n) is 1024",
        "Max open files reached",
        "Soft Limit",
        "the limit (-n) 5",
        "vm.max_map_count is too low",
        "kernel.cu(12): error",
        "llvm.x = 5 of",
        "max virtual memory areas vm.max_map_count [65530] is too low",
    ],
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


SYSCTL = """
abi.vsyscall32 = 1
fs.file-max = 9223372036854775807
kernel.pid_max = 4194304
kernel.shmmax = 18446744073692774399
net.ipv4.tcp_mem = 10000000	10000000	10000000
vm.max_map_count = 65530
vm.min_free_kbytes = 90112
vm.overcommit_memory = 2
vm.overcommit_ratio = 80
"""


def settings(text: str, place: Around | None = None) -> dict[str, float | None]:
    return {fact.name: value(fact.amount) for fact in of(Fact, read("ulimit", text, place))}


def test_the_kernel_s_settings_have_their_units() -> None:
    told = settings(SYSCTL)
    assert [told[f"sysctl.vm.{name}"] for name in ("max_map_count", "overcommit_memory", "overcommit_ratio")] == [
        65530,
        2,
        0.8,
    ]
    assert told["sysctl.vm.min_free_kbytes"] == 90112 * KIB
    assert told["sysctl.kernel.pid_max"] == 4194304
    assert read("ulimit", SYSCTL).understood == 9


def test_a_number_for_none_at_all_has_no_amount() -> None:
    (fact,) = of(Fact, read("ulimit", "kernel.shmmax = 18446744073692774399"))
    assert (fact.value, fact.amount) == ("18446744073692774399", None)


@pytest.mark.parametrize("line", ["vm.max_map_count=65530", "/proc/sys/vm/max_map_count:65530"])
def test_a_file_of_settings_and_a_grep_in_the_kernel_s_own_have_the_same_names(line: str) -> None:
    assert settings(line) == {"sysctl.vm.max_map_count": 65530}


def test_bare_numbers_answer_the_echoed_cat_in_its_order() -> None:
    place = around("cat /proc/sys/vm/overcommit_memory /proc/sys/vm/overcommit_ratio")
    assert ulimit.claims("2", place)
    assert not ulimit.claims("2", around("cat /proc/sys/net/core/somaxconn"))
    block = ulimit.reads(texts("2\n50\n7"), place)
    assert [(fact.name, fact.value) for fact in of(Fact, block)] == [
        ("sysctl.vm.overcommit_memory", "2"),
        ("sysctl.vm.overcommit_ratio", "50"),
    ]
    assert block.lines == 2


def test_one_limit_counts_below_the_command_that_asks_for_it() -> None:
    for command, line, name in (
        ("ulimit -n", "1024", "ulimit.open-files"),
        ("docker exec sgl bash -c 'ulimit -Hl'", "unlimited", "ulimit.max-locked-memory"),
    ):
        assert ulimit.claims(line, around(command))
        assert facts(ulimit.reads(texts(line), around(command))) == {name: line}
    assert not ulimit.claims("1024", around("ulimit -a"))
    assert not ulimit.claims("1024 files", around("ulimit -n"))
