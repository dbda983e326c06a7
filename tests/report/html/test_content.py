"""What the template is given: links to lines, quoted texts, the timeline as a table."""

from __future__ import annotations

from dataclasses import replace

from analyzer.report.html.content import Quotes, cells, phases_of, prose, serving, step_sources
from analyzer.report.html.cut import Cut
from analyzer.report.html.drawing import rows
from tests.report.build_report import founding, founding_calculation, line
from tests.report.html.outline import ATTACK


def test_a_place_is_a_link_to_its_first_line() -> None:
    quotes = Quotes(founding(), Cut())
    assert quotes.at(["l88", "l89", "f3"]) == '<a class="at" href="#line-l88">server.log:88-89; free.txt:3</a>'
    assert quotes.at([]) == ""
    assert quotes.at(["no such line"]) == ""


def test_lines_that_are_not_quoted_are_named_without_a_link() -> None:
    many = {f"x{n}": line(n, "text") for n in range(1, 400)}
    quotes = Quotes(replace(founding(), lines=many), Cut())
    assert "99 more cited lines" in quotes.more
    assert quotes.at(["x399"]) == "server.log:399"


def test_quoted_lines_stand_in_their_file_s_order_with_the_gaps_between() -> None:
    lines = {"b": line(90, "second"), "a": line(88, "first"), "c": line(91, "third"), "d": line(2, "other", "free.txt")}
    (source, cited), (other, _) = Quotes(replace(founding(), lines=lines), Cut()).by_source()
    assert (source, other) == ("server.log", "free.txt"), "the file that is cited first comes first"
    assert [(c.number, c.text, c.skipped) for c in cited] == [
        ("88", "first", 87), ("90", "second", 1), ("91", "third", 0),
    ]  # fmt: skip


def test_what_stands_beside_a_cited_line_is_shown_once_and_without_an_anchor() -> None:
    lines = {
        "a": replace(line(10, "ten"), before=["eight", "nine"], after=["eleven", "twelve"]),
        "b": replace(line(12, "twelve"), last_line=13, before=["ten", "eleven"], after=["fourteen"]),
    }
    ((_, cited),) = Quotes(replace(founding(), lines=lines), Cut()).by_source()
    assert [(c.id, c.number, c.text, c.skipped) for c in cited] == [
        ("", "8", "eight", 7), ("", "9", "nine", 0), ("a", "10", "ten", 0), ("", "11", "eleven", 0),
        ("b", "12-13", "twelve", 0), ("", "14", "fourteen", 0),
    ]  # fmt: skip


def test_a_quoted_line_names_the_findings_that_rest_on_it() -> None:
    by_source = dict(Quotes(founding(), Cut()).by_source())
    free = {c.number: c.by for c in by_source["free.txt"]}
    assert free["3"][:2] == ["per-rank-host-memory-oversubscription", "host-memory-exhausted"]


def test_a_quoted_text_keeps_its_line_ends_and_shows_what_is_unseen() -> None:
    quotes = Quotes(founding(), Cut())
    assert quotes.lines("a <b>\n\u202ec\rd") == "a &lt;b&gt;\n\\u202ec\\rd"


def test_backticks_mark_code_and_an_odd_one_stays() -> None:
    assert prose("run `ps <x>` now", Cut()) == "run <code>ps &lt;x&gt;</code> now"
    assert prose("5` wide", Cut()) == "5` wide"
    assert prose(None, Cut()) == ""


def test_an_attack_stays_text() -> None:
    assert "<" not in prose(ATTACK, Cut()).replace("<code>", "").replace("</code>", "")


def test_the_table_has_a_column_for_each_phase_and_a_cell_for_each_occurrence() -> None:
    drawn = rows(founding().launches[0], Cut())
    assert phases_of(drawn) == [
        "arguments", "distributed-init", "weight-load", "kv-pool", "graph-capture", "host-pool",
    ]  # fmt: skip
    (load,) = cells(drawn[0], "weight-load")
    assert (load.took, load.begins, load.state) == ("182 s", "24 s", "done"), "206 − 24"
    (pool,) = cells(drawn[0], "host-pool")
    assert (pool.took, pool.state) == ("", "open")
    assert cells(drawn[0], "warm-up") == []


def test_a_step_leads_to_the_steps_it_is_made_of() -> None:
    steps = founding_calculation()
    assert [(number, step.name) for number, step in step_sources(steps[2], steps)] == [
        (1, "per rank"), (2, "ranks on the host"),
    ]  # fmt: skip


def test_a_figure_of_the_serving_is_folded() -> None:
    from analyzer.contract import Figure

    item = Figure("token usage", "ratio", 1_200, 0.1, 0.5, 0.97, 0.6)
    assert serving(item) == "least 0.1, median 0.5, most 0.97 in 1,200 lines"
