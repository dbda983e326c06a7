"""The report for a terminal: the first screen holds what a person on call needs, in a fixed order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from analyzer.report.page import Look
from analyzer.report.text import render
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, straggler, symptom

if TYPE_CHECKING:
    from analyzer.contract import Report

EVERY = [founding, healthy, cannot_tell, straggler]


def page(report: Report, width: int = 100) -> list[str]:
    return render(report, Look(width)).removesuffix("\n").split("\n")


def screen(report: Report) -> list[str]:
    """What stands above the first heading."""
    lines = page(report)
    return lines[: next(n for n, line in enumerate(lines) if line.startswith("── ")) - 1]


def labels(lines: list[str]) -> list[str]:
    return [line[:15].strip() for line in lines if line[:15].strip()]


def test_a_healthy_server_is_not_told_what_to_do() -> None:
    shown = labels(screen(healthy()))
    assert shown == ["READY", "TIMELINE", "n0/TP0"]


def test_the_first_screen_keeps_its_order() -> None:
    assert labels(screen(founding())) == [
        "HUNG", "CAUSE", "SUM", "DO NOW", "NOT KNOWN", "TIMELINE", "n0/TP0-7", "health-wait", "silence",
    ]  # fmt: skip


def test_the_founding_incident_is_answered_in_the_first_screen() -> None:
    shown = "\n".join(screen(founding()))
    for said in ("host-pool", "10:06:42", "Established", "8 × 300 GB = 2,400 GB = 2,235 GiB", "449 GiB", "1,786 GiB"):
        assert said in shown
    for said in ("--hicache-size 48", "dmesg", "gave up after 600 s", "359 s without a line", "→ open"):
        assert said in shown


@pytest.mark.parametrize("make", EVERY)
def test_the_first_screen_has_at_most_twenty_four_lines(make: object) -> None:
    assert len(screen(make())) <= 24  # type: ignore[operator]


def test_a_wordy_finding_still_leaves_room_for_the_timeline() -> None:
    words = "many words about it " * 20
    remedies = [replace(founding_finding().remedy[1], action=words)] * 5
    checks = [replace(founding_finding().confirm[0], decides=f"{n} {words}") for n in range(4)]
    root = replace(founding_finding(), summary=words, remedy=remedies, confirm=checks, lose=words)
    more = [symptom(f"finding-{n}", words, "contributing") for n in range(5)]
    shown = screen(replace(straggler(), findings=[root, *more]))
    assert len(shown) <= 24
    assert "TIMELINE" in labels(shown)
    assert any("…" in line for line in shown)


@pytest.mark.parametrize("make", EVERY)
@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_every_line_fits(make: object, width: int) -> None:
    assert max(map(cell_len, page(make(), width))) <= width  # type: ignore[operator]


def test_narrow_sentences_are_not_cut() -> None:
    assert "359 s before the health check gave up at 10:12:41." in " ".join(
        line.strip() for line in page(founding(), 60)[:6]
    )


def test_colour_carries_nothing_alone() -> None:
    import regex

    coloured = render(founding(), Look(100, color=True))
    assert regex.sub(r"\x1b\[[\d;]*m", "", coloured) == render(founding(), Look(100))


def test_below_the_fold_every_step_names_its_line() -> None:
    shown = "\n".join(page(founding()))
    assert "1. per rank: 300 GB" in shown
    steps = [
        line for line in page(founding()) if line.strip().startswith(("1. per rank", "3. asked", "4. host memory"))
    ]
    assert [line.split()[-1] for line in steps] == ["server.log:88", "2", "free.txt:3"]


def test_lines_alike_are_quoted_once() -> None:
    shown = "\n".join(page(founding(), 120))
    assert shown.count("Allocating 300.00 GB host memory") == 1
    assert "7 more like it: server.log:89-95" in shown


def test_contributing_findings_beyond_three_are_one_sentence_each() -> None:
    more = [symptom(f"finding-{n}", f"sentence {n}", "contributing") for n in range(5)]
    shown = page(replace(founding(), findings=[founding_finding(), *more]))
    full = [line for line in shown if line.startswith("── CONTRIBUTING")]
    assert len(full) == 3
    assert any(line.startswith("finding-4 (established): sentence 4") for line in shown)


def test_other_launches_are_listed() -> None:
    report = founding()
    earlier = replace(report.launches[0], id="L0", verdict=healthy().verdict)
    shown = page(replace(report, launches=[earlier, *report.launches]))
    assert "Launch 2 of 2 (Kimi-K2.5)." in shown[0]
    assert any(line.startswith("L0 READY") for line in shown)


def test_what_was_looked_at_and_ruled_out_is_said() -> None:
    shown = "\n".join(page(founding()))
    for said in (
        "graph-capture-oom: graph capture ended on all 8 ranks",
        "host-oom-kill: needs a kernel log",
        "notes.txt:1  2026-02-17 10:12:41 deploy script",
        "server.log: sglang-log; 95 lines, 95 recognised",
        "231,174 KV tokens",
        "weight-load      done         from 24 s for 182 s",
    ):
        assert said in shown


def test_too_little_input_is_said() -> None:
    assert "This is not enough to say that nothing is wrong." in page(cannot_tell())
