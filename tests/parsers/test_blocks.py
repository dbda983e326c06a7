"""Block parsers are found by their files, asked cheaply, and shown as many lines as they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.evidence import Ref
from analyzer.parsers import blocks
from analyzer.parsers.block import Around, Block, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADED = "[2026-02-17 10:02:51 TP1] Load weight begin."
AROUND = Around("s")


def texts(*lines: str) -> list[Text]:
    return [Text(line, Ref("s", number, number)) for number, line in enumerate(lines, start=1)]


def test_every_parser_file_is_registered_in_the_order_of_names() -> None:
    kinds = [parser.kind for parser in blocks.block_parsers()]
    assert {"free", "ps"} <= set(kinds)
    assert all(parser.heads and all(parser.heads) for parser in blocks.block_parsers())


@pytest.mark.parametrize("text", [HEADED, "Killed", "", "The server is fired up and ready to roll!"])
def test_a_log_line_begins_no_block(text: str) -> None:
    assert blocks.claimant(text, AROUND) is None


def test_a_snapshots_first_line_finds_its_parser() -> None:
    head = "               total        used        free      shared  buff/cache   available"
    assert blocks.may_begin_block(head)
    parser = blocks.claimant(head, AROUND)
    assert parser is not None
    assert parser.kind == "free"


def test_the_cheap_test_lets_every_head_through() -> None:
    for parser in blocks.block_parsers():
        for head in parser.heads:
            assert blocks.may_begin_block(f"x {head} y"), head


def at_nodes(*lines: str) -> list[Text]:
    """Lines with their node before a colon."""
    return [text._replace(node=text.text[0], text=text.text[2:]) for text in texts(*lines)]


def test_looking_ahead_shows_one_node_s_lines_among_those_of_others() -> None:
    window = blocks.Window(iter(at_nodes("a:1", "b:2", f"b:{HEADED}", "a:3", "b:4", "a:5")))
    assert [text.text for text in window.peek(2, "a")] == ["1", "3"]
    window.skip(2, "a")
    assert [text.text for text in iter(window.take, None) if isinstance(text, Text)] == ["2", HEADED, "4", "5"]


def test_a_snapshot_is_looked_for_among_many_hosts_lines() -> None:
    """Sixty hosts with 20 lines each: a host's last line is 1,140 lines behind its first one."""
    lines = [
        text._replace(node=f"n{host}", text=str(row)) for row in range(20) for host in range(60) for text in texts("")
    ]
    assert [text.text for text in blocks.Window(iter(lines)).peek(400, "n7")] == [str(row) for row in range(20)]


def test_the_lines_of_others_are_looked_at_within_bounds() -> None:
    def endless() -> Iterator[Text]:
        yield Text("own", Ref("s", 1, 1))
        while True:
            yield Text("other", Ref("s", 2, 2), node="n")

    assert [text.text for text in blocks.Window(endless()).peek(400)] == ["own"]


def test_looking_ahead_takes_nothing() -> None:
    window = blocks.Window(iter(texts("a", "b", "c")))
    assert [text.text for text in window.peek(2)] == ["a", "b"]
    assert [text.text for text in iter(window.take, None)] == ["a", "b", "c"]


def test_a_block_ends_before_the_next_log_header() -> None:
    window = blocks.Window(iter(texts("a", HEADED, "b")))
    assert [text.text for text in window.peek(9)] == ["a"]


@pytest.mark.parametrize("size", [1, blocks.SHORT, blocks.SHORT + 5, blocks.LONG + 50])
def test_a_parser_is_shown_enough_lines_and_what_it_leaves_comes_next(size: int) -> None:
    def reads(lines: Sequence[Text], _: Around) -> Block:
        taken = sum(line.text == "row" for line in lines)
        return Block(taken, taken)

    first, *rest = texts(*["row"] * size, "after")
    window = blocks.Window(iter(rest))
    parser = blocks.Parser("rows", ("row",), lambda *_: True, reads)
    block = blocks.read_block(parser, first, window, AROUND)
    assert block.lines == min(size, blocks.LONG + 1)
    following = window.take()
    assert following is not None
    assert following.text == ("after" if size <= blocks.LONG else "row")
