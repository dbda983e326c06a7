"""Amounts become the steps that a report shows."""

from __future__ import annotations

from analyzer.diagnose.findings import calculation
from analyzer.diagnose.lines import Lines
from tests.build import counted, size

GB = 10**9


def test_steps_cite_lines_and_the_steps_before_them() -> None:
    lines = Lines()
    per_rank = size("300.00 GB", 88).called("host pool of one rank")
    asked = (per_rank * counted(8, 88).called("ranks")).called("asked")
    steps = {s.name: s for s in calculation([asked], lines)}
    assert steps["host pool of one rank"].of == ["L1"]
    assert steps["host pool of one rank"].typed is not None
    assert steps["host pool of one rank"].typed.number == "300.00"
    assert steps["asked"].of == [steps["host pool of one rank"].id, steps["ranks"].id]
    assert steps["asked"].value == 8 * 300 * GB
    assert steps["asked"].shown == "2,400 GB = 2,235 GiB"  # 2.4e12 / 2^30 = 2235.17


def test_an_unnamed_operand_cites_its_line_inside_the_step() -> None:
    lines = Lines()
    left = (size("11 GiB", 3) - size("10 GiB", 4).called("reserve")).called("usable")
    reserve, usable = calculation([left], lines)
    assert usable.expression == "11 GiB − 10 GiB (reserve) = 1 GiB"
    assert reserve.of == ["L1"]
    assert usable.of == [reserve.id, "L2"]


def test_nothing_to_show_is_no_step() -> None:
    assert calculation([], Lines()) == []
