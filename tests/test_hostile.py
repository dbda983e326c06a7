"""A log is hostile text: in no format does it execute, hide, escape its place or make the document endless."""

from __future__ import annotations

import functools
import json as plain_json
import re
import unicodedata
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from analyzer import bundle
from analyzer.cli.archive import Asked, archive
from analyzer.pipeline import Given, analyse
from analyzer.redact import Private, redact
from analyzer.redact.walk import rewritten
from analyzer.report import brief, form, html, json, markdown, one_line, sarif, text, timeline, trace
from analyzer.report.page import Look
from tests.cli.test_archive import members
from tests.report.build_report import founding
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from analyzer.contract import Report

MARKUP = (
    "</details></pre></script><script>canary()</script><img src=x onerror=canary()> ![i](javascript:canary()) "
    "[a](http://evil.example) @everyone #1 GH-1 :bug: ``` ~~~ ***b*** | c | $x$ [bold red]rich[/] {{ 7*7 }} {% x %} "
    "-->|x| click A call canary() %%{init: {}}%% =HYPERLINK(1)"
)
SIGNS = "\x1b[2J\x1b]0;owned\x07\x9b31m\x00\x08\r\N{RIGHT-TO-LEFT OVERRIDE}fed\N{ZERO WIDTH SPACE}\u2028\U000e0041"
HOSTILE = f"{MARKUP} {SIGNS} {'x' * 50}"
HOMOGLYPH = (
    "[2026-02-17 10:06:43 \N{CYRILLIC CAPITAL LETTER TE}\N{CYRILLIC CAPITAL LETTER ER}0] Scheduler hit an exception"
)
KB = 1000
FORMATS: dict[str, tuple[Callable[[Report], str], int]] = {
    "text": (lambda report: text.render(report, Look(80)), 200 * KB),
    "ascii": (lambda report: text.render(report, Look(60, ascii=True)), 250 * KB),
    "timeline": (lambda report: timeline.render(report, Look(120)), 100 * KB),
    "line": (one_line.render, 5 * KB),
    "markdown": (markdown.render, 66 * KB),
    "bug": (functools.partial(form.render, "sglang-bug"), 66 * KB),
    "postmortem": (functools.partial(form.render, "postmortem"), 66 * KB),
    "brief": (brief.render, 5 * KB),
    "json": (json.dumps, 2000 * KB),
    "sarif": (sarif.render, 1000 * KB),
    "trace": (trace.render, 2000 * KB),
    "html": (html.render, 4000 * KB),
}
MARKDOWN = ["markdown", "bug", "postmortem"]
GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
OURS = {"<details>", "<summary>", "</summary>", "</details>", "<br>"}


@functools.cache
def in_every_text() -> Report:
    """A report that says it in every text that an input can reach."""
    return redact(rewritten(founding(), lambda said: f"{said} {HOSTILE}"))[0]


def written(path: Path, errors: int) -> Path:
    """The founding incident with hostile lines among its own, under a hostile name."""
    log = (SAMPLES / "hicache-300-per-rank" / "server.log").read_text("utf-8").rstrip("\n").split("\n")
    flood = [f"[2026-02-17 10:06:42 TP{n % 8}] RuntimeError: {chr(97 + n % 26)}{n:x} failed" for n in range(errors)]
    ten_megabytes = f"[2026-02-17 10:06:42 TP0] ERROR {'A<b>' * 2_500_000}"
    hostile = [f"{HOMOGLYPH} {HOSTILE}", f"[2026-02-17 10:06:42 TP0] RuntimeError: {HOSTILE}", ten_megabytes]
    (path / "a\x1b[31m<b>|`@x \N{RIGHT-TO-LEFT OVERRIDE}[z](y).log").write_text(
        "\n".join([*log[:60], *hostile, *flood, *log[60:]]) + "\n", "utf-8"
    )
    (path / "notes.txt").write_bytes(f"ERROR: {HOSTILE}\n".encode() + bytes(range(128, 256)) + b"\n")
    return path


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report on hostile inputs with a hundred thousand errors, as it would be passed on."""
    private = Private()
    folder = written(tmp_path_factory.mktemp("hostile"), 100_000)
    return redact(analyse([str(folder)], private=private), private)[0]


def unseen(document: str) -> set[str]:
    """The signs that a terminal or a browser would obey or hide; only our own zero-width spaces are meant."""
    return {c for c in document if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - {"\n", "\u200b"}


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_unseen_is_in_any_format(name: str, flooded: Report) -> None:
    render, _ = FORMATS[name]
    for report in (in_every_text(), flooded):
        assert unseen(render(report)) == set()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_bounded(name: str, flooded: Report) -> None:
    render, most = FORMATS[name]
    assert len(render(in_every_text()).encode()) <= most
    assert len(render(flooded).encode()) <= most


@pytest.mark.parametrize("name", MARKDOWN)
def test_markdown_holds_no_markup_but_its_own(name: str, flooded: Report) -> None:
    for report in (in_every_text(), flooded):
        source = FORMATS[name][0](report)
        tokens = GITHUB.parse(source)
        inline = [child for token in tokens for child in token.children or []]
        assert not {token.type for token in inline} & {"link_open", "image", "s_open"}
        assert {token.content for token in inline if token.type == "html_inline"} <= OURS
        blocks = "".join(token.content for token in tokens if token.type == "html_block")
        assert set(re.findall(r"</?\w+", blocks)) <= {"<details", "</details", "<summary", "</summary"}
        assert blocks.count("<details>") == blocks.count("</details>")
        said = " ".join(token.content for token in inline if token.type == "text")
        assert not re.search(r"@everyone|#1|GH-1|:bug:", said), "no mention, no reference, no picture"
        assert all(token.info in {"sh", "text"} for token in tokens if token.type == "fence"), "no diagram is drawn"


def test_html_shows_the_log_as_text(flooded: Report) -> None:
    for report in (in_every_text(), flooded):
        page = html.render(report)
        assert "<script>canary" not in page
        assert "<img src=x" not in page
        assert "http://evil" not in re.sub(r">[^<]*<", "><", page), "in text, and in no attribute"


@pytest.mark.parametrize("name", ["json", "sarif", "trace"])
def test_machine_formats_are_ascii_and_parse(name: str, flooded: Report) -> None:
    for report in (in_every_text(), flooded):
        document = FORMATS[name][0](report)
        assert document.isascii()
        plain_json.loads(document)


def test_rich_markup_of_a_log_is_printed_as_it_is() -> None:
    shown = text.render(in_every_text(), Look(200, color=True))
    assert "[bold red]rich[/]" in re.sub(r"\x1b\[[\d;]*m", "", shown).replace("\n", "")
    assert set(re.findall(r"\x1b.", shown)) == {"\x1b["}
    assert set(re.findall(r"\x1b\[[\d;]*(.)", shown)) == {"m"}, "our own colours, and nothing else"


def test_a_rank_written_in_other_letters_is_no_rank(flooded: Report) -> None:
    ids = {process.id for launch in flooded.launches for process in launch.processes}
    assert ids == {"n0/main", *(f"n0/TP{rank}" for rank in range(8))}


def test_the_verdict_stands_over_a_flood_of_errors(flooded: Report) -> None:
    assert flooded.verdict.outcome != "ready"
    assert len(flooded.unexplained) <= 200


def test_an_archive_of_it_is_bounded_and_holds_nothing_unseen(tmp_path: Path) -> None:
    private, inputs = Private(), bundle.gather([str(written(tmp_path, 500))])
    report = analyse(inputs, private=private)
    packed = archive(inputs, report, Asked(Given(), [], private, names=True))
    held = members(packed.data)
    assert len(packed.data) < 1000 * KB
    for name, document in held.items():
        assert unseen(name) == set()
        assert unseen(document) - {"\t", "\r"} == set()
