"""The table of `smem`."""

from __future__ import annotations

from analyzer.events import Fact, ProcessListed
from tests.parsers.build_blocks import KIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


def test_a_sentence_on_pss_is_no_table() -> None:
    assert not claims("smem", "RSS and PSS of the scheduler")


def test_processes_have_their_resident_memory_in_kib() -> None:
    (process,) = of(ProcessListed, read("smem", SAMPLES["smem"]))
    assert (process.pid, process.command, value(process.resident)) == (4170, "sglang::scheduler_TP0", 15010000 * KIB)


def test_suffixes_of_smem_k_are_read() -> None:
    text = SAMPLES["smem"].replace("15010000", "14.3G")
    assert value(of(ProcessListed, read("smem", text))[0].resident) == 14.3 * 2**30


def test_the_whole_host_is_facts_by_area() -> None:
    text = "Area                           Used      Cache   Noncache\nuserspace memory             333260      61824     271436\nfree memory                21543880   21543880          0"
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("smem", text))}
    assert told == {"memory.userspace-memory": 333260 * KIB, "memory.free-memory": 21543880 * KIB}


def test_the_totals_below_the_rule_belong_to_the_table() -> None:
    rule = "-" * 79
    text = f"{SAMPLES['smem'].rstrip()}\n{rule}\n    2 1                                           0    15.1G    15.6G    16.2G"
    block = read("smem", text)
    assert (block.understood, len(of(ProcessListed, block))) == (4, 1)
