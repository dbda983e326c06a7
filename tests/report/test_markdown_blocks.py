"""Parts of a Markdown document are cut where they are too long, and say so."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import Calculation, Remedy
from analyzer.report.markdown_blocks import (
    Room,
    calculation,
    command,
    confirming,
    folded,
    more,
    quotes,
    remedy,
    said,
    table,
)
from tests.report.build_report import founding, founding_finding

ROOM = Room(rows=2, quotes=1, text=20, command=10)


def test_nothing_makes_no_part() -> None:
    assert table(["a"], [], ROOM) == ""
    assert folded("title", "") == ""
    assert quotes(founding(), "Lines", [], ROOM) == ""
    assert more(0, "rows") == ""


def test_a_table_says_how_many_rows_are_left_out() -> None:
    shown = table(["a", "b"], [["1", "2"], ["3", "4"], ["5", "6"]], ROOM)
    assert shown == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n*1 more rows are left out.*"


def test_a_long_text_is_cut() -> None:
    assert said("x" * 21, ROOM) == f"{'x' * 20}… (cut)"
    assert said("x" * 20, ROOM) == "x" * 20


def test_a_long_command_says_that_it_is_cut() -> None:
    assert command("python3 -m sglang", ROOM) == "```sh\npython3 -m … (cut)\n```"


def test_lines_beyond_the_room_are_counted() -> None:
    shown = quotes(founding(), "Lines", ["l88", "l89", "f3", "n1"], ROOM)
    assert "server.log:88: " in shown
    assert "1 more like it: server.log:89" in shown
    assert "*2 more lines are left out.*" in shown


def test_an_assumption_comes_with_its_reason() -> None:
    step = Calculation("a", "system", "8 GiB", "assumed", [], 8, "B", "8 GiB", note="the operating system")
    assert "| 1 | system | 8 GiB (the operating system) | assumed |" in calculation(founding(), "", [step], Room())


def test_a_reason_that_the_sum_states_is_not_said_twice() -> None:
    step = Calculation("a", "system", "8 GiB, assumed so", "assumed", [], 8, "B", "8 GiB", note="assumed so")
    assert calculation(founding(), "", [step], Room()).count("assumed so") == 1


def test_a_change_without_a_command_line_says_what_to_type() -> None:
    change = Remedy("fix", "less of it", "hicache-size", "300", "48")
    assert "- Change: --hicache-size 300 → 48" in "\n".join(remedy(founding(), change, Room()))


def test_open_questions_stand_with_the_commands_that_decide() -> None:
    shown = confirming(replace(founding_finding(), not_known=["what holds it"]), Room())
    assert shown.startswith(
        "**To confirm**\n\n- Open: what holds it\n- whether the kernel killed a rank (on the host): `"
    )
