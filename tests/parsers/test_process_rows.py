"""Rows of process tables, cut by their header."""

from __future__ import annotations

import pytest

from analyzer.events import CommandLine, ProcessListed
from analyzer.parsers.process_rows import cut, listed
from tests.parsers.build_blocks import around, texts


def test_the_command_keeps_its_blanks_at_the_end() -> None:
    cells = cut(("PID", "STAT", "CMD"), "  1 Ssl  python3 -m sglang.launch_server --tp 8")
    assert cells == {"PID": "1", "STAT": "Ssl", "CMD": "python3 -m sglang.launch_server --tp 8"}


def test_columns_behind_the_command_are_counted_from_the_right() -> None:
    assert cut(("PID", "COMMAND", "RSS"), "7 kworker/0:1H events 12") == {
        "PID": "7",
        "COMMAND": "kworker/0:1H events",
        "RSS": "12",
    }


@pytest.mark.parametrize(
    ("text", "started"),
    [
        ("7 Thu Aug 27 20:57:57 2026 python3", "Thu Aug 27 20:57:57 2026"),
        ("7 10:02:11 python3", "10:02:11"),
        ("7   Aug 27 python3", "Aug 27"),
    ],
)
def test_a_start_takes_as_many_words_as_it_has(text: str, started: str) -> None:
    cells = cut(("PID", "STARTED", "CMD"), text)
    assert (cells["STARTED"], cells["CMD"]) == (started, "python3")


@pytest.mark.parametrize("text", ["", "7", "7 Ssl"])
def test_a_row_cut_before_its_command_is_none(text: str) -> None:
    assert cut(("PID", "STAT", "CMD"), text) == {}


@pytest.mark.parametrize("cells", [{"PID": "x"}, {"PID": "7", "RSS": "GiB"}, {"PID": "7", "STAT": "[6]"}])
def test_what_is_no_process_gives_nothing(cells: dict[str, str]) -> None:
    assert listed(cells, texts("x")[0], around(), 1) == []


def test_a_server_gives_its_command_line_with_its_number() -> None:
    cells = {"PID": "4100", "CMD": "python3 -m sglang.launch_server --tp 4"}
    process, command = listed(cells, texts("x")[0], around(), 1)
    assert isinstance(process, ProcessListed)
    assert isinstance(command, CommandLine)
    assert (command.pid, command.argv[-2:]) == (4100, ("--tp", "4"))


def test_the_branches_of_a_tree_are_no_part_of_the_command() -> None:
    (process,) = listed({"PID": "7", "COMMAND": " |   \\_ sglang::scheduler_TP0"}, texts("x")[0], around(), 1)
    assert isinstance(process, ProcessListed)
    assert process.command == "sglang::scheduler_TP0"
