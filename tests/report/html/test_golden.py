"""The founding incident's page is the one that was last looked at."""

from __future__ import annotations

from tests.report.html.golden import GOLDEN, current


def test_the_page_is_as_it_was_last_looked_at() -> None:
    command = "look at the page; `python -m tests.report.html.golden` writes it anew"
    assert current().split("\n") == GOLDEN.read_text("utf-8").split("\n"), command
