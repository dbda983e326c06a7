"""What goes with excerpts says what they are, and is known as no input."""

from __future__ import annotations

from dataclasses import replace

from analyzer.bundle.own import is_enclosed
from analyzer.excerpt import Excerpt
from analyzer.report.enclosed import readme, report_of
from tests.report.build_report import founding

INPUTS = [("inputs/server.log", Excerpt("server.log", "…", 91, 1200))]


def test_what_is_enclosed_is_known_by_its_first_bytes() -> None:
    assert is_enclosed(report_of(founding()).encode())
    assert is_enclosed(readme(founding(), INPUTS, [], "Nothing was cut.", None).encode())
    assert not is_enclosed(b"# An incident to run again\n")


def test_the_page_says_how_to_run_it_and_what_was_kept() -> None:
    page = readme(founding(), INPUTS, ["--ram 449GiB"], "At least 5 lines were kept.", None)
    assert "    postmortem analyze incident.tar.gz --ram 449GiB\n" in page
    assert "give the same verdict: HUNG, per-rank-host-memory-oversubscription (established). At least 5 lines" in page
    assert "| `inputs/server.log` | 91 | 1,200 |" in page


def test_the_page_says_that_the_verdict_is_another_one() -> None:
    page = readme(founding(), INPUTS, [], "Nothing was cut.", "ready, serving")
    assert "the cut ones here give another: ready, serving. Nothing was cut." in page


def test_the_page_says_what_was_replaced() -> None:
    clean = replace(founding(), tool=replace(founding().tool, redacted={"user": 1, "host": 3}))
    assert "in every file: 3 hosts, 1 user." in readme(clean, INPUTS, [], "", None)
    assert "users, hosts, addresses and folders stand as they were printed" in readme(founding(), INPUTS, [], "", None)
