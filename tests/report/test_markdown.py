"""The Markdown report reads as meant on GitHub, whatever the log holds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from analyzer.report.markdown import MOST, render, title
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, straggler

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.token import Token

    from analyzer.contract import Report

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
SAMPLES = ["hicache-300-per-rank", "healthy-two-ranks", "illegal-access-through-ray", "zombie-behind-health-ok",
           "leftover-processes-on-gpus", "hicache-refused-two-ranks", "startup-probe-too-short", "model-download-refused",
           "package-too-old", "arguments-refused", "two-nodes-rank-zero", "ecc-double-bit-error"]  # fmt: skip
# What GitHub makes a mention or a reference of where it stands in the text, and an address of where in the source.
LIVE = re.compile(r"(?i)(?<![\w`])@[a-z0-9]|(?<!\w)#\d|\bGH-\d")
ADDRESS = re.compile(r"(?i)\b(?:https?|ftp|mailto):|\bwww\.")
CODE = re.compile(r"(?s)(`{3,}).*?\n\1|(`+) .*? \2|`[^`\n]*`")
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
        "softbreak", "hardbreak",
    }  # fmt: skip


def test_verdict_and_remedy_come_first() -> None:
    source = render(founding())
    order = ["# HUNG in host-pool: per-rank-host-memory-oversubscription", "**Cause.** Established", "**Sum.**",
             "**Do now.**", "1. Stop the launch", "**Not known**", "> Fingerprint", "> Not redacted", "**Calculation**",
             "## Timeline", "## Ruled out", "## For the maintainer", "## Environment", "## What was looked at",
             "Written by sglang-postmortem 0.1.0"]  # fmt: skip
    places = [source.index(part) for part in order]
    assert places == sorted(places)


def test_a_title_names_what_duplicates_share() -> None:
    assert title(founding()) == "HUNG in host-pool: per-rank-host-memory-oversubscription"
    assert title(healthy()) == "READY: Kimi-K2.5"
    assert title(cannot_tell()) == "UNKNOWN: no launch recognised"


def test_the_calculation_is_a_table_with_places() -> None:
    assert "| 1 | per rank | 300 GB | `server.log:88` |" in render(founding())
    assert "| 3 | asked by all ranks | 8 × 300 GB = 2,400 GB = 2,235 GiB | (1), (2) |" in render(founding())


def test_cited_lines_are_folded_quotes_and_those_alike_are_counted() -> None:
    source = render(founding())
    assert "<details><summary>Lines it rests on (9)</summary>" in source
    fences = [token.content for token in GITHUB.parse(source) if token.type == "fence"]
    shown = next(content for content in fences if "Allocating" in content and "server.log:88: " in content)
    assert shown.count("Allocating") == 1
    assert "7 more like it: server.log:89-95" in shown, "eight ranks said it, lines 88 to 95"


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


LONG = "long " * 3_000


def huge() -> Report:
    """A report of which every part is too long."""
    report = founding()
    lines = {
        f"l{n}": replace(report.lines["f3"], line=n, text=f"{chr(97 + n % 26) * (n // 26 + 1)} {LONG}")
        for n in range(900)
    }
    root = replace(founding_finding(), summary=LONG, explanation=LONG, lines=list(lines))
    others = [replace(root, id=f"thin-gpu-headroom-{n}", role="bystander") for n in range(40)]
    cleared = [replace(report.cleared[0], why=f"{n} {LONG}") for n in range(99)]
    arguments = [replace(report.launches[0].arguments[0], name=f"a{n}", value=LONG) for n in range(99)]
    launch = replace(report.launches[0], arguments=arguments, command_line=LONG)
    sources = [replace(report.coverage.sources[0], name=f"{n} {LONG}"[:200]) for n in range(900)]
    return replace(report, lines=lines, findings=[root, *others], cleared=cleared, launches=[launch],
                   coverage=replace(report.coverage, sources=sources, notes=[LONG] * 100))  # fmt: skip


def test_a_document_stays_below_the_limit_and_says_what_was_cut() -> None:
    source = render(huge())
    assert len(source) <= MOST < 65_536
    assert "**Cut to stay below GitHub's limit of 65,536 characters.**" in source
    assert source.startswith("<!-- postmortem.report/1 -->\n\n# HUNG in host-pool")
    assert "are left out" in source
    assert source.count("<details>") == source.count("</details>")
    assert source.rstrip().endswith("`postmortem analyze incident`")


def test_signs_beyond_the_first_plane_count_twice_as_a_browser_counts_them() -> None:
    report = founding()
    root = replace(founding_finding(), explanation="\N{CJK UNIFIED IDEOGRAPH-20000}" * 4_000)
    source = render(replace(report, findings=[root] * 40))
    assert len(source.encode("utf-16-le")) // 2 <= MOST


@pytest.mark.parametrize("name", SAMPLES)
def test_the_markdown_of_samples_renders_on_github_as_meant(name: str, report_of: Callable[[str], Report]) -> None:
    source = render(report_of(name))
    tokens = inline_of(source)
    assert not {token.type for token in tokens} & {"link_open", "image", "s_open"}
    assert {token.content for token in tokens if token.type == "html_inline"} <= OURS
    blocks = html_of(source)
    assert blocks.count("<details>") == blocks.count("</details>") == source.count("<details>")
    assert "<script" not in blocks
    assert not [token for token in tokens if token.type == "text" and LIVE.search(token.content)]
    assert not ADDRESS.search(CODE.sub("", source))
