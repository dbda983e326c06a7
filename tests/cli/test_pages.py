"""Help pages fit a narrow terminal, and stay to be read and copied from."""

from __future__ import annotations

import pytest

from analyzer.cli.pages import folded
from tests.cli.run import run
from tests.cli.test_terminal import SUB_COMMANDS


@pytest.mark.parametrize("words", SUB_COMMANDS, ids=" ".join)
@pytest.mark.parametrize("width", [60, 80])
def test_a_page_is_no_wider_than_the_terminal(
    words: list[str], width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    page = run(capsys, *words, "--help").out
    assert max(map(len, page.split("\n"))) <= width
    assert "Usage: postmortem" in page


def test_what_stands_in_columns_goes_on_in_its_own_column() -> None:
    assert folded("\b\nCodes:\n  3  something is wrong here\n  4  fine", 24) == (
        "\b\nCodes:\n  3  something is wrong\n     here\n  4  fine"
    )


def test_a_column_without_room_stands_below() -> None:
    assert (
        folded("\b\n  a long name here  what it says of it", 24) == "\b\n  a long name here\n      what it says of it"
    )


def test_a_command_goes_on_behind_a_backslash_and_keeps_its_words() -> None:
    made = folded("\b\n  postmortem explain hicache-size --release 0.5.9", 36)
    assert made == "\b\n  postmortem explain hicache-size \\\n      --release 0.5.9"


def test_what_fits_and_what_is_folded_elsewhere_stay_as_they_are() -> None:
    text = "One sentence that is longer than that.\n\n\b\nshort\n  lines"
    assert folded(text, 20) == text
