"""Bars show what each process did when, without colour and at any width."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.contract import Launch, PhaseSpan, Span
from analyzer.report.bars import NAMES, axis_of, bars, elapsed
from analyzer.report.page import LABEL, Look, printed
from analyzer.vocabulary import Phase
from tests.report.build_report import founding_launch, healthy, straggler


def drawn(launch: Launch, look: Look, most: int = 8) -> list[str]:
    return printed(bars(launch, look, most), look).removesuffix("\n").split("\n")


def one_process(*phases: PhaseSpan, last: float | None = None) -> Launch:
    launch = founding_launch()
    return replace(launch, spans=[], processes=[replace(launch.processes[0], phases=list(phases), last=last)])


def test_a_launch_without_phases_and_spans_draws_nothing() -> None:
    assert bars(replace(founding_launch(), processes=[], spans=[]), Look(100), 8) == []


def test_every_phase_has_a_letter_of_its_own() -> None:
    assert set(NAMES) == set(Phase)
    assert len({names[-1] for names in NAMES.values()}) == len(NAMES)


def test_the_axis_ends_with_the_last_thing_known() -> None:
    assert axis_of(founding_launch(), Look(100)).end == 604.0


def test_eight_ranks_alike_are_one_bar() -> None:
    assert [line.split()[0] for line in drawn(founding_launch(), Look(100))[:4]] == [
        "TIMELINE", "n0/TP0-7", "health-wait", "silence",
    ]  # fmt: skip


def test_an_open_phase_says_so_and_is_dotted_after_the_last_line() -> None:
    bar = drawn(founding_launch(), Look(100))[1]
    assert bar.endswith("→ open")
    # The last line is at 245 s, the axis ends at 604 s: 359 of 604 s are silent.
    cells = Look(100).width - LABEL - 9
    assert bar.count("·") == pytest.approx(cells * 359 / 604, abs=12)  # the phase's name takes some of the cells


def test_a_phase_that_ended_is_not_dotted() -> None:
    bar = drawn(one_process(PhaseSpan("weight-load", 0, 100, 100, "done")), Look(100))[1]
    assert "·" not in bar
    assert "open" not in bar


def test_a_failed_phase_says_so() -> None:
    assert drawn(one_process(PhaseSpan("weight-load", 0, 100, 100, "failed")), Look(100))[1].endswith("✗ failed")


def test_time_between_phases_is_left_blank() -> None:
    first, second = PhaseSpan("weight-load", 0, 40, 40, "done"), PhaseSpan("serving", 60, 100, 40, "done")
    bar = drawn(one_process(first, second), Look(100))[1]
    cells = 100 - LABEL - 9
    assert bar[LABEL:].index("│serving") == round(0.6 * cells)
    assert bar[LABEL + round(0.4 * cells) : LABEL + round(0.6 * cells)].strip() == ""


def test_a_phase_too_short_for_its_name_is_a_letter_that_is_explained() -> None:
    launch = one_process(PhaseSpan("kv-pool", 0, 1, 1, "done"), PhaseSpan("serving", 1, 600, 599, "done"))
    lines = drawn(launch, Look(100))
    assert lines[1][LABEL] == "K"
    assert lines[-1].strip() == "K kv-pool"


def test_the_odd_one_out_of_sixty_four_has_its_own_bar() -> None:
    lines = drawn(straggler().launches[0], Look(100))
    assert [line.split()[0] for line in lines[1:3]] == ["63", "n4/TP37"]
    assert lines[2].index("K") > lines[1].index("K")


def test_the_wait_of_the_health_check_is_a_span_with_its_words() -> None:
    line = drawn(founding_launch(), Look(100))[2]
    assert "├──" in line
    assert " gave up after 600 s " in line
    assert line.endswith("─┤")


def test_a_span_without_an_end_is_open_and_one_without_length_a_point() -> None:
    launch = one_process(PhaseSpan("serving", 0, 100, 100, "done"))
    launch = replace(launch, spans=[Span("outage", 50, None, []), Span("kill", 90, 90, [], "SIGKILL")])
    outage, kill = drawn(launch, Look(100))[2:4]
    assert outage.endswith("─→")
    assert "●" in kill
    assert "SIGKILL" in kill


@pytest.mark.parametrize("width", [60, 80, 100, 160])
@pytest.mark.parametrize("ascii_", [False, True])
@pytest.mark.parametrize("most", [4, 8])
def test_bars_keep_to_their_lines_and_columns(width: int, most: int, *, ascii_: bool) -> None:
    for launch in (founding_launch(), straggler().launches[0], healthy().launches[0]):
        lines = drawn(launch, Look(width, ascii=ascii_), most)
        assert len(lines) <= most
        assert max(map(len, lines)) <= width
        assert not ascii_ or "".join(lines).isascii()


def test_the_first_tick_is_the_clock_of_the_first_line() -> None:
    assert drawn(founding_launch(), Look(100))[0].startswith("TIMELINE".ljust(LABEL) + "10:02:37")
    assert drawn(replace(founding_launch(), began=None), Look(100))[0].startswith("TIMELINE".ljust(LABEL) + "0 s")


@pytest.mark.parametrize(("seconds", "said"), [(120, "120 s"), (599, "599 s"), (1200, "20 min"), (7200, "2 h")])
def test_ticks_read_like_times(seconds: int, said: str) -> None:
    assert elapsed(seconds) == said
