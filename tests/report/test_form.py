"""A form is filled with what is known, leaves to people what only they know, and lets no log write into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from analyzer.report.form import moments, render
from analyzer.report.markdown import MOST
from tests.report.build_report import cannot_tell, founding, founding_launch, healthy, straggler
from tests.report.test_markdown import HOSTILE, OURS, hostile, huge

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
FORMS = ["sglang-bug", "postmortem"]
MAKES = [founding, healthy, cannot_tell, straggler]


def headings(source: str) -> list[str]:
    tokens = GITHUB.parse(source)
    return [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", MAKES)
def test_every_report_fills_every_form(form: str, make: Callable[[], Report]) -> None:
    source = render(form, make())
    assert source.startswith("<!-- postmortem.report/1 -->"), "known again as no evidence"
    assert "{{" not in source
    assert "\f" not in source
    assert source.count("<details>") == source.count("</details>")


def test_the_issue_form_has_its_sections() -> None:
    source = render("sglang-bug", founding())
    assert headings(source)[:4] == ["Checklist", "Describe the bug", "Reproduction", "Environment"]
    assert source.count("- [ ] ") == 5, "a person has to tick them"
    assert "**Cause.** Established: All 8 ranks together ask for 2,400 GB" in source
    assert "```sh\npython3 -m sglang.launch_server" in source


def test_the_issue_form_asks_for_a_command_that_no_log_shows() -> None:
    report = replace(founding(), launches=[replace(founding_launch(), command_line=None)])
    assert "The launch command is not in the logs; please add it" in render("sglang-bug", report)


def test_a_postmortem_has_rows_for_what_people_know() -> None:
    source = render("postmortem", founding())
    for row in ("**Detection:**", "**Diagnosis:**", "**Mitigation:**"):
        assert row in source
    assert {"Root cause", "Timeline", "Conditions", "What would have caught it"} <= set(headings(source))
    assert "| configuration |" in source, "who can solve it"


def test_times_are_utc_only_where_the_zone_is_known() -> None:
    assert "| time | what | from |" in render("postmortem", founding())
    report = replace(founding(), launches=[replace(founding_launch(), utc_offset=7200.0)])
    source = render("postmortem", report)
    assert "| time (UTC) | what | from |" in source
    assert "| 2026-02-17 08:02:37 | first line of the launch |" in source, "10:02:37 at +2 h"
    assert "the server's own clock was +2 h from it" in source


def test_moments_stand_in_the_order_of_time() -> None:
    found = moments(founding_launch())
    assert found == sorted(found, key=lambda item: item[0])
    assert ("2026-02-17 10:12:41", "health-wait ends: gave up after 600 s") in found
    assert moments(None) == []


@pytest.mark.parametrize("form", FORMS)
def test_text_of_a_log_opens_no_html_no_link_and_no_heading(form: str) -> None:
    source = render(form, hostile())
    tokens = GITHUB.parse(source)
    inline = [child for token in tokens for child in token.children or []]
    assert not {token.type for token in inline} & {"link_open", "image"}
    assert {token.content for token in inline if token.type == "html_inline"} <= OURS
    assert "<script" not in "".join(token.content for token in tokens if token.type == "html_block")
    assert headings(source)[1:] == headings(render(form, replace(founding(), findings=hostile().findings)))[1:]


def test_text_of_a_log_is_no_template() -> None:
    report = replace(founding(), verdict=replace(founding().verdict, last_sign_of_life="{{ 7 * 7 }} {% raw %}"))
    assert "{{ 7 \\* 7 }}" in render("postmortem", report)
    assert HOSTILE not in render("postmortem", hostile())


@pytest.mark.parametrize("form", FORMS)
def test_a_form_stays_below_the_limit(form: str) -> None:
    source = render(form, huge())
    assert len(source) <= MOST
    assert "Cut to stay below GitHub's limit" in source
