"""A page fits its width and its encoding, and nothing of a log gets through it raw."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from analyzer.report.page import LABEL, Look, heading, paragraph, printed, quote, row, sided

HOSTILE = "\x1b]0;title\x07[bold]not markup[/bold] :smile: \N{RIGHT-TO-LEFT OVERRIDE}"


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def test_rich_markup_and_emoji_codes_of_a_log_stay_text() -> None:
    shown = printed(paragraph([HOSTILE], Look(100)), Look(100))
    assert "[bold]not markup[/bold] :smile:" in shown
    assert r"\x1b]0;title\x07" in shown
    assert r"\u202e" in shown


def test_no_colour_means_no_escape_byte() -> None:
    assert "\x1b" not in printed(paragraph([("loud", "bold red")], Look(100)), Look(100))


def test_colour_adds_nothing_but_escapes() -> None:
    look = Look(100, color=True)
    assert "\x1b[1;31mloud\x1b[0m" in printed(paragraph([("loud", "bold red")], look), look)


def test_the_style_of_a_label_ends_with_it() -> None:
    look = Look(100, color=True)
    assert printed(row("SUM", ["8"], look), look) == f"\x1b[1m{'SUM':<{LABEL}}\x1b[0m8\n"


def test_an_ascii_page_holds_ascii_alone() -> None:
    look = Look(60, ascii=True)
    page = heading("8 × 300 内存", look) + row("SUM", ["8 × 300 → 2,400 …"], look)
    assert printed(page, look).isascii()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
@pytest.mark.parametrize("text", ["word " * 60, "x" * 300, "内存" * 80])
def test_every_line_fits_the_width(width: int, text: str) -> None:
    look = Look(width)
    page = row("LABEL", [text], look) + paragraph([text], look, 4, 2) + heading(text, look) + sided([text], text, look)
    assert max(cell_len(line) for line in lines_of(printed(page, look))) <= width


def test_a_row_hangs_under_its_text() -> None:
    first, second = lines_of(printed(row("SUM", ["aa " * 20], Look(LABEL + 30)), Look(LABEL + 30)))
    assert first.startswith("SUM" + " " * (LABEL - 3) + "aa")
    assert second.startswith(" " * LABEL + "aa")


def test_a_row_that_is_cut_says_so() -> None:
    page = lines_of(printed(row("SUM", ["aa " * 60], Look(60), 2), Look(60)))
    assert len(page) == 2
    assert page[1].endswith("…")


def test_a_row_that_just_fits_is_not_cut() -> None:
    assert lines_of(printed(row("SUM", ["a" * (60 - LABEL)], Look(60), 1), Look(60)))[0].endswith("a")


def test_a_note_stands_at_the_right_edge_where_there_is_room() -> None:
    assert printed(sided(["left"], "server.log:88", Look(40)), Look(40)) == "left" + " " * 23 + "server.log:88\n"


def test_a_note_without_room_stands_below() -> None:
    page = lines_of(printed(sided(["left " * 7], "server.log:88", Look(40), 2, 2), Look(40)))
    assert page[-1] == "    server.log:88"


def test_a_quote_keeps_its_lines() -> None:
    page = lines_of(printed(quote(["a.log:1  "], "Traceback:\n  File x\nError: y", Look(60)), Look(60)))
    assert page == ["a.log:1  Traceback:", "    File x", "  Error: y"]
