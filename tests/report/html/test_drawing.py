"""The data that the page's script draws: times, bars, curves, each with its text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from analyzer.contract import Series
from analyzer.report.html.cut import Cut
from analyzer.report.html.drawing import Clock, began, drawing, in_utc, points_of, rows, thinned
from tests.report.build_report import GIB, founding, healthy, straggler
from tests.report.html.outline import hostile


def drawn(report: Any) -> dict[str, Any]:
    launch = report.launches[0]
    return drawing(report, launch, rows(launch, Cut()), Cut())


def series(values: list[float], unit: str = "1", step: float = 10.0) -> Series:
    return Series("figure", unit, "n0", [step * n for n in range(len(values))], values, {})


def test_a_time_is_shown_on_the_clock_of_the_log() -> None:
    clock = Clock.of(founding().launches[0])  # 2026-02-17 10:02:37
    assert clock.at(245.0) == "245 s (10:06:42)"
    assert clock.at(None) == ""
    assert clock.zero == 1_771_322_557_000  # date -u -d '2026-02-17 10:02:37' +%s


def test_without_a_stamp_only_seconds_are_shown() -> None:
    clock = Clock.of(replace(founding().launches[0], began="not a time"))
    assert clock.at(245.5) == "245.5 s"
    assert clock.zero is None


def test_a_log_of_times_of_day_shows_no_date() -> None:
    assert began(replace(founding().launches[0], began="1970-01-01 10:02:37")) == "10:02:37"
    assert not drawn(replace(founding(), launches=[replace(founding().launches[0], began="1970-01-01 10:02:37")]))[
        "dated"
    ]


def test_the_beginning_is_given_in_utc_where_the_zone_is_known() -> None:
    launch = founding().launches[0]
    assert in_utc(replace(launch, utc_offset=3600.0)) == "2026-02-17 09:02:37", "an hour behind a clock at +01:00"
    assert in_utc(launch) == ""


def test_a_time_beyond_the_calendar_is_shown_in_seconds() -> None:
    assert Clock.of(founding().launches[0]).at(1e12) == "1,000,000,000,000 s"


def test_every_process_has_a_row_and_a_bar_for_each_phase_that_began() -> None:
    data = drawn(founding())
    assert [row["label"] for row in data["rows"]] == [f"n0/TP{rank}" for rank in range(8)]
    last = data["rows"][3]["bars"][-1]
    assert (last["from"], last["to"], last["state"], last["names"][0]) == (244.0, None, "open", "host-pool")
    assert last["spoken"] == 245.0
    assert last["said"][:2] == ["n0/TP3: host-pool", "from 244 s (10:06:41), open"]
    assert "server.log:91" in last["said"], "rank 3's allocation is line 88 + 3"


def test_too_many_processes_share_rows_and_the_odd_one_stays_alone() -> None:
    labels = [row.label for row in rows(straggler().launches[0], Cut())]
    assert len(labels) <= 48
    assert "n4/TP37" in labels


def test_spans_seen_from_outside_are_drawn_with_their_label() -> None:
    span = drawn(founding())["spans"][0]
    assert (span["from"], span["to"], span["label"]) == (4.0, 604.0, "health-wait")
    assert span["said"][1] == "gave up after 600 s"
    assert span["names"] == ["gave up after 600 s", "600 s"], "the shorter one where the bar is narrow"


def test_memory_usage_and_throughput_share_one_axis() -> None:
    data = drawn(healthy())
    assert [(chart["title"], chart["unit"]) for chart in data["charts"]] == [
        ("Host memory", "GiB"), ("Token usage", ""), ("Throughput", "tok/s"),
    ]  # fmt: skip
    assert data["charts"][0]["lines"][0]["points"][0] == (100.0, 110.0), "100 GiB and a tenth of 100 s"
    assert data["to"] == 990.0


def test_thinning_keeps_every_least_and_most() -> None:
    values = [5.0] * 10_000
    values[1_234], values[7_777] = 100.0, 0.0
    kept = points_of(series(values), 200)
    assert len(kept) <= 200
    assert (12_340.0, 100.0) in kept
    assert (77_770.0, 0.0) in kept
    assert [time for time, _ in kept] == sorted(time for time, _ in kept)


def test_few_points_stay_as_they_are() -> None:
    assert thinned([(0.0, 1.0), (1.0, 2.0)], 2) == [(0.0, 1.0), (1.0, 2.0)]


def test_bytes_become_gib_and_what_is_no_number_is_left_out() -> None:
    assert points_of(series([GIB, float("nan"), 3.5 * GIB, float("inf")], "B"), 10) == [(0.0, 1.0), (20.0, 3.5)]


def test_a_curve_is_interrupted_where_nothing_was_measured() -> None:
    with_gap = replace(series([1.0, 2.0, 3.0, 4.0]), time=[0.0, 10.0, 20.0, 20_000.0])
    assert points_of(with_gap, 10) == [(0.0, 1.0), (10.0, 2.0), (20.0, 3.0), (20.0, None), (20_000.0, 4.0)]


def test_nothing_unseen_reaches_the_drawing() -> None:
    texts = [text for row in drawn(hostile())["rows"] for bar in row["bars"] for text in bar["said"]]
    assert any("\\u202e" in text and "\\x1b" in text for text in texts)
    assert not any(sign in text for text in texts for sign in "\u202e\x1b\n\u2028")
