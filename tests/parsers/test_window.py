"""Lines may be looked at before they are taken, those of one node without those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.evidence import Ref
from analyzer.parsers.block import Text
from analyzer.parsers.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADED = "[2026-02-17 10:02:51 TP1] Load weight begin."


def texts(*lines: str) -> list[Text]:
    return [Text(line, Ref("s", number, number)) for number, line in enumerate(lines, start=1)]


def at_nodes(*lines: str) -> list[Text]:
    """Lines with their node before a colon."""
    return [text._replace(node=text.text[0], text=text.text[2:]) for text in texts(*lines)]


def test_looking_ahead_shows_one_node_s_lines_among_those_of_others() -> None:
    window = Window(iter(at_nodes("a:1", "b:2", f"b:{HEADED}", "a:3", "b:4", "a:5")))
    assert [text.text for text in window.peek(2, "a")] == ["1", "3"]
    window.skip(2, "a")
    assert [text.text for text in iter(window.take, None) if isinstance(text, Text)] == ["2", HEADED, "4", "5"]


def test_a_snapshot_is_looked_for_among_many_hosts_lines() -> None:
    """Sixty hosts with 20 lines each: a host's last line is 1,140 lines behind its first one."""
    lines = [
        text._replace(node=f"n{host}", text=str(row)) for row in range(20) for host in range(60) for text in texts("")
    ]
    assert [text.text for text in Window(iter(lines)).peek(400, "n7")] == [str(row) for row in range(20)]


def test_the_lines_of_others_are_looked_at_within_bounds() -> None:
    def endless() -> Iterator[Text]:
        yield Text("own", Ref("s", 1, 1))
        while True:
            yield Text("other", Ref("s", 2, 2), node="n")

    assert [text.text for text in Window(endless()).peek(400)] == ["own"]


def test_looking_ahead_takes_nothing() -> None:
    window = Window(iter(texts("a", "b", "c")))
    assert [text.text for text in window.peek(2)] == ["a", "b"]
    assert [text.text for text in iter(window.take, None)] == ["a", "b", "c"]


def test_a_block_ends_before_the_next_log_header() -> None:
    window = Window(iter(texts("a", HEADED, "b")))
    assert [text.text for text in window.peek(9)] == ["a"]


def test_what_was_taken_out_of_the_middle_is_not_met_again() -> None:
    window = Window(iter(at_nodes("a:1", "b:2", "a:3", "b:4", "a:5", "b:6")))
    assert [text.text for text in window.peek(9, "b")] == ["2", "4", "6"]
    window.skip(2, "b")
    assert [text.text for text in window.peek(9, "b")] == ["6"]
    assert [text.text for text in window.peek(9, "a")] == ["1", "3", "5"]
    assert [text.text for text in iter(window.take, None) if isinstance(text, Text)] == ["1", "3", "5", "6"]


def test_behind_a_header_that_was_taken_the_node_s_lines_are_shown_again() -> None:
    window = Window(iter(texts("a", HEADED, "b")))
    assert [text.text for text in window.peek(9)] == ["a"]
    assert [window.take() is not None for _ in range(2)] == [True, True]
    assert [text.text for text in window.peek(9)] == ["b"]
