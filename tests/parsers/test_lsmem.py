"""`lsmem` and `dmidecode -t memory`."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, HostNote
from tests.parsers.build_blocks import GIB, around, claims, of, read, value
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS

[MODULES] = VARIANTS["lsmem"]


@pytest.mark.parametrize(
    "line",
    ["RANGE of sizes", "Total online memory: unknown", "Handle 0x0034, DMI type 4, 48 bytes", "# dmidecode -t memory"],
)
def test_other_lines_on_memory_are_not_its(line: str) -> None:
    assert not claims("lsmem", line)


def test_what_is_online_is_a_note_on_the_host() -> None:
    assert [value(note.memory) for note in of(HostNote, read("lsmem", SAMPLES["lsmem"]))] == [448 * GIB]


def test_the_sum_alone_tells_as_much() -> None:
    assert [value(note.memory) for note in of(HostNote, read("lsmem", "Total online memory:     448G"))] == [448 * GIB]


def test_modules_are_added_where_every_place_is_listed() -> None:
    second = MODULES.replace("Size: No Module Installed", "Size: 65536 MB")
    assert [value(note.memory) for note in of(HostNote, read("lsmem", second))] == [128 * GIB]


def test_of_modules_that_may_not_be_all_no_whole_is_told() -> None:
    cut = MODULES.replace("Number Of Devices: 2", "Number Of Devices: 16")
    block = read("lsmem", cut)
    assert not of(HostNote, block)
    assert [(fact.name, value(fact.amount)) for fact in of(Fact, block)] == [("memory.modules-listed", 64 * GIB)]


def test_modules_without_their_array_are_all_where_these_were_asked_for() -> None:
    alone = MODULES[MODULES.index("Handle 0x003A") :]
    assert not of(HostNote, read("lsmem", alone))
    assert not of(HostNote, read("lsmem", alone, around("dmidecode -t 17 | head -40")))
    assert of(HostNote, read("lsmem", alone, around("sudo dmidecode -t 17")))
