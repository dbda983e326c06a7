"""Pressure stall information."""

from __future__ import annotations

import pytest

from analyzer.events import Fact
from tests.parsers.build_blocks import around, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["some avg10=high", "full avg10=0.00", "in full avg10=0.00 avg60=0.00 avg300=0.00 total=0"]
)
def test_other_lines_with_such_words_are_none(line: str) -> None:
    assert not claims("pressure", line)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("psi.txt", "pressure.some"),
        ("memory.pressure", "pressure.memory.some"),
        ("proc/pressure/io", "pressure.io.some"),
    ],
)
def test_the_file_names_what_was_waited_for(source: str, name: str) -> None:
    assert name in facts(read("pressure", SAMPLES["pressure"], around(source=source)))


def test_the_figure_is_the_share_of_the_last_ten_seconds() -> None:
    some, full = of(Fact, read("pressure", SAMPLES["pressure"]))
    assert [value(fact.amount) for fact in (some, full)] == [0.619, 0.5802]


def test_a_line_behind_its_files_name_is_read() -> None:
    text = "/sys/fs/cgroup/memory.pressure:full avg10=1.00 avg60=2.00 avg300=3.00 total=9"
    assert list(facts(read("pressure", text))) == ["pressure.memory.full"]
