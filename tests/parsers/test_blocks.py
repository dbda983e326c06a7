"""Block parsers are found by their files, asked cheaply, and shown as many lines as they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.evidence import Ref
from analyzer.parsers import blocks
from analyzer.parsers.block import Around, Block, Text
from analyzer.parsers.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

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


@pytest.mark.parametrize("size", [1, blocks.SHORT, blocks.SHORT + 5, blocks.LONG + 50])
def test_a_parser_is_shown_enough_lines_and_what_it_leaves_comes_next(size: int) -> None:
    def reads(lines: Sequence[Text], _: Around) -> Block:
        taken = sum(line.text == "row" for line in lines)
        return Block(taken, taken)

    first, *rest = texts(*["row"] * size, "after")
    window = Window(iter(rest))
    parser = blocks.Parser("rows", ("row",), lambda *_: True, reads)
    block = blocks.read_block(parser, first, window, AROUND)
    assert block.lines == min(size, blocks.LONG + 1)
    following = window.take()
    assert following is not None
    assert following.text == ("after" if size <= blocks.LONG else "row")
