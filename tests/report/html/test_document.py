"""The page is complete without script, holds no markup of a log, loads nothing, and stays small."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.bundle.own import is_report
from analyzer.contract import Unexplained
from analyzer.report.html import embed, own_part, render
from analyzer.report.html.document import MOST_CHARACTERS
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, line, straggler
from tests.report.html.outline import ATTACKS, Outline, hostile

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

    Make = Callable[[], Report]

REPORTS = [founding, healthy, cannot_tell, straggler, hostile]
every_report = pytest.mark.parametrize("make", REPORTS)


@every_report
def test_every_element_is_closed_and_every_link_leads_somewhere(make: Make) -> None:
    page = Outline(render(make()))
    assert page.open_ == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] or "" for attributes in page.named("a")]
    assert [link for link in links if link[:1] != "#" or link[1:] not in ids] == []


@every_report
def test_nothing_is_loaded_and_nothing_is_handled_inline(make: Make) -> None:
    page = Outline(render(make()))
    assert not [tag for tag, _ in page.elements if tag in {"img", "iframe", "object", "embed", "base", "form", "svg"}]
    assert page.named("link") == [{"rel": "icon", "href": "data:,"}]
    names = {name for _, attributes in page.elements for name in attributes}
    assert not [name for name in names if name.startswith("on")]
    assert not names & {"src", "srcset", "style", "action", "formaction", "srcdoc"}


@every_report
def test_the_policy_allows_exactly_the_scripts_and_the_style_on_the_page(make: Make) -> None:
    page = Outline(render(make()))
    policy = next(m["content"] for m in page.named("meta") if m.get("http-equiv") == "Content-Security-Policy") or ""
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    scripts = [t for t, a in zip(page.inside["script"], page.named("script"), strict=True) if "type" not in a]
    sums = {
        kind: {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts}
        for kind, texts in (("script-src", scripts), ("style-src", page.inside["style"]))
    }
    assert {kind: set(rules[kind].split()) for kind in sums} == sums
    assert len(scripts) == 2, "the library and our own"


@every_report
def test_the_data_block_is_json(make: Make) -> None:
    page = Outline(render(make()))
    (data,) = (t for t, a in zip(page.inside["script"], page.named("script"), strict=True) if a.get("id") == "data")
    assert len(json.loads(data)) == len(make().launches)


def test_the_answer_stands_before_everything_else() -> None:
    text = Outline(render(founding())).text
    text = text[text.index("HUNG Kimi-K2.5") :]  # behind the links to the parts
    order = ["HUNG Kimi-K2.5", "Cause Established", "Sum 8 × 300 GB = 2,400 GB", "Do now Killing it first loses", "Stop the launch",
             "Not known Whether the kernel killed a rank", "Timeline", "Findings", "Ruled out", "The lines in their files",
             "Environment", "What was looked at"]  # fmt: skip
    places = [text.find(part) for part in order]
    assert -1 not in places
    assert places == sorted(places)


def test_without_script_all_of_the_report_is_there() -> None:
    report = founding()
    text = Outline(render(report)).text
    finding = founding_finding()
    said = [
        *(step.expression for step in finding.calculation),
        *(claim.text for claim in finding.claims),
        *(remedy.action.rstrip(".") for remedy in finding.remedy),
        *(cited.text for cited in report.lines.values()),
        *(argument.value for argument in report.launches[0].arguments),
        *(phase.phase for phase in report.launches[0].processes[0].phases),
        *(source.name for source in report.coverage.sources),
        finding.explanation, finding.remedy[0].command_line or "", finding.confirm[0].command, report.cleared[0].why,
        "gave up after 600 s", "n0/TP7",
    ]  # fmt: skip
    assert [part for part in said if " ".join(part.split()) not in text] == []


def test_what_only_the_script_serves_is_hidden_until_it_runs() -> None:
    page = Outline(render(founding()))
    served = [
        a for _, a in page.elements if a.get("class") in {"controls", "explore", "readout"} or a.get("id") == "theme"
    ]
    assert len(served) == 4
    assert all("hidden" in attributes for attributes in served)
    assert all("open" in a for a in page.named("details") if a.get("class") == "table")


def test_steps_of_the_calculation_unfold_to_their_lines() -> None:
    document = own_part(render(founding()))
    step = document[document.index('id="step-1-1"') : document.index('id="step-1-2"')]
    assert "<details>" in step
    assert "Allocating 300.00 GB host memory for hierarchical KV cache." in step
    assert 'href="#line-l88"' in step


def test_a_hostile_log_stays_text() -> None:
    document = own_part(render(hostile()))
    page, calm = Outline(document), Outline(own_part(render(founding())))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in calm.elements} | {"h3"}, "two launches have headings"
    assert ATTACKS[0] in page.text
    assert "{{ 7*7 }}{% raw %}" in page.text
    assert "\\u202e\\u2066\\u200b\\x1b]0;x\\x07\\x1b[31m\\x00" in page.text
    assert not re.search(
        r"[\p{Cf}\x00-\x08\x0b-\x1f\x7f]".replace(r"\p{Cf}", "\u200b\u202e\u2066\u2028\u2029"), document
    )


def test_words_that_become_attributes_cannot_leave_them() -> None:
    bad = '"><b onclick=x>'
    process = founding().launches[0].processes[0]
    phase = replace(process.phases[0], state=bad, phase=bad)
    launch = replace(founding().launches[0], id=bad, processes=[replace(process, node=bad, id=bad, phases=[phase])])
    finding = replace(founding_finding(), id=bad, status=bad, role="root", kind=bad)
    report = replace(founding(), launches=[launch], findings=[finding], lines={bad: line(1, "x")})
    assert Outline(render(report)).named("b") == []


def endless() -> Report:
    """More of everything than a page can hold, every line of it of its own kind."""
    letters = str.maketrans("0123456789", "abcdefghij")
    lines = {f"x{n}": line(n, str(n).translate(letters) + "<&\u202e" * 130) for n in range(1, 4_000)}
    finding = replace(founding_finding(), lines=list(lines), explanation="& " * 100_000)
    findings = [replace(finding, id=f"finding-{n}", role="root") for n in range(40)]
    unexplained = [Unexplained(name, 1) for name in lines]
    launches = [replace(founding().launches[0], id=f"L{n}") for n in range(30)]
    return replace(founding(), findings=findings, lines=lines, unexplained=unexplained, launches=launches)


@pytest.mark.parametrize("most", [MOST_CHARACTERS, 200_000])
def test_the_page_keeps_its_size_and_says_what_was_cut(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("analyzer.report.html.document.MOST_CHARACTERS", most)
    document = own_part(render(endless()))
    assert len(document) <= most
    text = Outline(document).text
    assert "Left out to keep this page small" in text
    for what in ("cited lines", "launches", "findings in full", "error lines", "signs of long texts"):
        assert re.search(rf"[\d,]+ {what}", text)


def test_an_ordinary_page_is_below_two_megabytes_and_leaves_nothing_out() -> None:
    document = render(founding())
    assert len(document.encode()) < 2_000_000
    assert "left-out" not in document


def test_our_own_page_is_known_among_evidence() -> None:
    assert is_report(render(founding()).encode()[:1024])


def test_the_library_is_no_part_of_what_is_searched_for_names() -> None:
    document = render(founding())
    assert embed.library() in document
    assert len(document) - len(own_part(document)) == len(embed.library())
