"""Tables aligned under a header by two or more blanks."""

from __future__ import annotations

from analyzer.parsers.columns import Columns

HEADER = "NAME    READY   LAST SEEN   NODE"


def test_names_may_hold_a_blank() -> None:
    assert Columns(HEADER).names == ("NAME", "READY", "LAST SEEN", "NODE")


def test_cells_go_to_their_columns() -> None:
    assert Columns(HEADER).row("llm-0   1/1     5m ago      n1")["LAST SEEN"] == "5m ago"


def test_an_empty_cell_is_told_by_the_offsets() -> None:
    assert Columns(HEADER).row("llm-0   1/1                 n1") == {
        "NAME": "llm-0",
        "READY": "1/1",
        "LAST SEEN": "",
        "NODE": "n1",
    }


def test_an_empty_header_has_no_cells() -> None:
    assert Columns("").row("a  b") == {}
