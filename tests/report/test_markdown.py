"""The Markdown report reads as meant on GitHub, whatever the log holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from analyzer.report.markdown import render
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, straggler

if TYPE_CHECKING:
    from markdown_it.token import Token

    from analyzer.contract import Report

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
OURS = {"<details>", "<summary>", "</summary>", "</details>", "<br>"}


def inline_of(source: str) -> list[Token]:
    return [child for token in GITHUB.parse(source) for child in token.children or []]


def html_of(source: str) -> str:
    return "".join(token.content for token in GITHUB.parse(source) if token.type == "html_block")


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_every_report_parses_to_known_blocks(make: object) -> None:
    source = render(make())  # type: ignore[operator]
    assert source.startswith("<!-- postmortem.report/1 -->\n\n# ")
    assert {token.type for token in inline_of(source)} <= {
        "text", "text_special", "code_inline", "strong_open", "strong_close", "em_open", "em_close", "html_inline",
        "softbreak",
    }  # fmt: skip


def test_verdict_and_remedy_come_first() -> None:
    source = render(founding())
    order = ["# HUNG: Kimi-K2.5", "**Cause.** Established", "**Sum.**", "**Do now.**", "1. Stop the launch",
             "**Not known**", "**Calculation**", "## Timeline", "## Ruled out", "## Environment", "## What was looked at"]  # fmt: skip
    places = [source.index(part) for part in order]
    assert places == sorted(places)


def test_the_calculation_is_a_table_with_places() -> None:
    assert "| 1 | per rank | 300 GB | `server.log:88` |" in render(founding())
    assert "| 3 | asked by all ranks | 8 × 300 GB = 2,400 GB = 2,235 GiB | (1), (2) |" in render(founding())


def test_cited_lines_are_folded_quotes() -> None:
    source = render(founding())
    assert "<details><summary>Lines it rests on (9)</summary>" in source
    fences = [token.content for token in GITHUB.parse(source) if token.type == "fence"]
    assert any("server.log:88: [2026-02-17 10:06:42 TP0] Allocating 300.00 GB" in content for content in fences)


def test_a_command_with_a_pipe_stays_one_cell() -> None:
    row = next(line for line in render(founding()).split("\n") if line.startswith("| `host-oom-kill`"))
    assert row.replace("\\|", "").count("|") == 4


def headings_of(source: str) -> list[str]:
    return [token.tag for token in GITHUB.parse(source) if token.type == "heading_open"]


HOSTILE = "</details><script>x</script> ``` @user #12 [a](http://b) | **c** \x1b[2J\n# head"


def hostile() -> Report:
    """The founding incident with a hostile text in every place that a log can reach."""
    report = founding()
    lines = {name: replace(line, text=HOSTILE, source=f"{HOSTILE}.log") for name, line in report.lines.items()}
    claims = [replace(claim, text=HOSTILE) for claim in founding_finding().claims]
    remedy = [replace(founding_finding().remedy[0], action=HOSTILE, command_line=HOSTILE, risk=HOSTILE)]
    root = replace(founding_finding(), summary=HOSTILE, explanation=HOSTILE, claims=claims, remedy=remedy, lose=HOSTILE)
    server = replace(report.launches[0].server, name=HOSTILE)
    launch = replace(report.launches[0], server=server, command_line=HOSTILE, began=HOSTILE)
    verdict = replace(report.verdict, last_sign_of_life=HOSTILE)
    return replace(report, lines=lines, findings=[root], launches=[launch], verdict=verdict)


def test_hostile_text_opens_no_html_no_link_and_no_heading() -> None:
    source = render(hostile())
    tokens = inline_of(source)
    assert not {token.type for token in tokens} & {"link_open", "image"}
    assert {token.content for token in tokens if token.type == "html_inline"} <= OURS
    assert "<script" not in html_of(source)
    tame = render(replace(founding(), findings=[founding_finding()]))
    assert headings_of(source) == headings_of(tame)


def test_hostile_text_holds_no_control_byte_and_closes_no_fold() -> None:
    source = render(hostile())
    assert "\x1b" not in source
    assert html_of(source).count("<details>") == html_of(source).count("</details>")
