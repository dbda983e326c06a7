"""Text of a log arrives harmless wherever it is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from analyzer.report.escape import code, fenced, markdown, plain, visible

GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


@pytest.mark.parametrize(
    "text",
    [
        "[2026-02-17 10:06:42 TP0] Allocating 300.00 GB",
        "内存: 449",
        "50% |████▌     | 3/6",
        "no\N{NO-BREAK SPACE}break",
    ],
)
def test_ordinary_log_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\x00b\x7fc", r"a\x00b\x7fc"),
        ("one\rtwo\nthree", r"one\rtwo\nthree"),
        ("abc\N{RIGHT-TO-LEFT OVERRIDE}fed", r"abc\u202efed"),
        ("zero\N{ZERO WIDTH SPACE}width", r"zero\u200bwidth"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("lone \udcff surrogate", r"lone \udcff surrogate"),
        ("line\u2028end", r"line\u2028end"),
    ],
    ids=[
        "colour",
        "eight-bit CSI",
        "control bytes",
        "line ends",
        "bidi",
        "zero width",
        "tag",
        "surrogate",
        "separator",
    ],
)
def test_what_cannot_be_seen_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_tab_becomes_two_spaces() -> None:
    assert visible("a\tb") == "a  b"


@given(st.text())
def test_what_is_shown_prints_on_one_line(text: str) -> None:
    assert not {unicodedata.category(character) for character in visible(text)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_typeset_signs_have_stand_ins_in_ascii() -> None:
    assert plain("8 × 300 GB − 5 … 300 → 48 · more") == "8 x 300 GB - 5 ... 300 -> 48; more"


def test_a_letter_without_a_stand_in_is_escaped_in_ascii() -> None:
    assert plain("内") == r"\u5185"


@pytest.mark.parametrize("text", ["4.52 GiB are left", "--hicache-size 48 of 300", "8 × 48 GB = 384 GB", "a (b) c: d"])
def test_plain_prose_is_rendered_as_written(text: str) -> None:
    assert rendered(markdown(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "# heading",
        "- item",
        "12. item",
        "***bold***",
        "`code`",
        "[text](http://example.com)",
        "![image](x.png)",
        "&amp; &lt;",
        "| a | b |",
        "~~gone~~",
        r"back\slash",
        "<!-- hidden",
        "    indented",
    ],
)
def test_markup_from_a_log_is_rendered_as_itself(text: str) -> None:
    assert rendered(markdown(text)).strip() == text.strip()


def test_a_mention_and_an_issue_number_are_kept_apart_from_their_sign() -> None:
    assert "@user" not in markdown("ask @user about #12")
    assert "#12" not in markdown("ask @user about #12")


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1))
def test_no_markup_ever_comes_of_prose(text: str) -> None:
    kinds = {token.type for token in GITHUB.parse(markdown(text))}
    inline = {child.type for token in GITHUB.parse(markdown(text)) for child in token.children or []}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}
    assert inline <= {"text", "text_special"}


@given(st.text(alphabet="`ab |"))
def test_a_code_span_outgrows_every_run_of_backticks(text: str) -> None:
    children = [child for token in GITHUB.parse(code(text)) for child in token.children or []]
    assert [child.type for child in children] == ["code_inline"]


def test_a_fence_outgrows_every_run_of_backticks() -> None:
    block = fenced(["```", "````text", "<b>"])
    tokens = GITHUB.parse(block)
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == "```\n````text\n<b>\n"


def rendered(source: str) -> str:
    """The characters that a reader sees."""
    tokens = GITHUB.parse(source)
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    return "".join(child.content for token in tokens for child in token.children or []).replace("\u200b", "")
