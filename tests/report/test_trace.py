"""The trace holds each phase where it happened, in a form that trace viewers take."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.report.trace import MOST_EVENTS, render
from tests.report.build_report import cannot_tell, founding, founding_launch, healthy, rank_process, straggler

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

SECOND = 1_000_000  # the format counts microseconds


def events(report: Report) -> list[dict[str, Any]]:
    """The events of a report's trace, each with what its type needs."""
    found = json.loads(render(report))["traceEvents"]
    for event in found:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        assert event["ph"] in {"M", "X", "i", "C"}
        assert event["ph"] == "M" or isinstance(event["ts"], int)
        assert event["ph"] != "X" or event["dur"] >= 0
        assert event["ph"] != "C" or all(isinstance(value, float | int) for value in event["args"].values())
    return found  # type: ignore[no-any-return]  # JSON


def named(report: Report, what: str) -> list[str]:
    return [event["args"]["name"] for event in events(report) if event["name"] == what]


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_every_report_is_a_trace(make: Callable[[], Report]) -> None:
    events(make())


@pytest.mark.parametrize("name", ["hicache-300-per-rank", "kv-cache-saturated-prelude", "two-nodes-rank-zero"])
def test_every_sample_is_a_trace(name: str, report_of: Callable[[str], Report]) -> None:
    assert events(report_of(name))


def test_a_node_is_a_process_and_a_rank_a_thread() -> None:
    report = straggler(ranks=16)
    assert named(report, "process_name") == ["Kimi-K2.5 n0 (L1)", "Kimi-K2.5 n1 (L1)"]
    assert named(report, "thread_name")[:2] == ["n0/TP0", "n0/TP1"]
    pids = {event["args"]["name"]: event["pid"] for event in events(report) if event["name"] == "thread_name"}
    assert pids["n0/TP7"] != pids["n1/TP8"]


def test_a_phase_is_a_slice_from_its_begin_for_its_length() -> None:
    load = next(event for event in events(founding()) if event["name"] == "weight-load")
    assert (load["ts"], load["dur"]) == (24 * SECOND, (206 - 24) * SECOND)


def test_an_open_phase_lasts_to_the_end_and_says_so() -> None:
    pool = next(event for event in events(founding()) if event["name"] == "host-pool (open)")
    assert pool["ts"] + pool["dur"] == 604 * SECOND, "the health check gave up at 604 s"
    assert pool["args"]["state"] == "open"


def test_slices_of_a_thread_do_not_overlap() -> None:
    slices = [e for e in events(founding()) if e["ph"] == "X" and e["cat"] == "phase"]
    for thread in {(e["pid"], e["tid"]) for e in slices} - {(1, 1)}:  # what was seen from outside may overlap
        own = sorted((e["ts"], e["dur"]) for e in slices if (e["pid"], e["tid"]) == thread)
        assert all(one[0] + one[1] <= other[0] for one, other in pairwise(own))


def test_decisive_lines_stand_where_they_were_printed() -> None:
    instants = [event for event in events(founding()) if event["ph"] == "i"]
    assert len(instants) == 8, "the allocations of eight ranks; free.txt prints no time"
    # 10:06:42 is 245 s after the launch's first line at 10:02:37.
    assert {event["ts"] for event in instants} == {245 * SECOND}
    assert instants[0]["name"] == "server.log:88"


def test_a_series_is_a_counter_in_its_unit() -> None:
    counters = {event["name"] for event in events(healthy()) if event["ph"] == "C"}
    assert counters == {"generation throughput of n0/TP0 (token/s)", "token usage of n0/TP0",
                        "host memory used of n0 (GiB)"}  # fmt: skip
    used = next(e for e in events(healthy()) if e["ph"] == "C" and e["name"].startswith("host memory"))
    assert used["args"]["value"] == 110, "100 + 100 s / 10 GiB"


def test_a_series_of_the_launch_does_not_name_it_again(report_of: Callable[[str], Report]) -> None:
    counters = {e["name"] for e in events(report_of("kv-cache-saturated-prelude")) if e["ph"] == "C"}
    assert {"token usage", "generation throughput (token/s)"} <= counters


def test_launches_share_one_axis() -> None:
    later = replace(founding_launch(), id="L2", began="2026-02-17 10:12:37")
    found = events(replace(founding(), launches=[founding_launch(), later]))
    loads = sorted({event["ts"] for event in found if event["name"] == "weight-load"})
    assert loads == [24 * SECOND, (600 + 24) * SECOND]


def test_a_launch_without_a_time_begins_at_zero() -> None:
    found = events(replace(founding(), launches=[replace(founding_launch(), began=None)]))
    assert min(event["ts"] for event in found if event["ph"] == "X") == 0


def test_a_trace_is_bounded() -> None:
    many = [rank_process(rank, node=f"n{rank // 8}") for rank in range(20_000)]
    report = replace(founding(), launches=[replace(founding_launch(), processes=many)])
    document = json.loads(render(report))
    assert len(document["traceEvents"]) == MOST_EVENTS
    assert document["otherData"]["left out"] > 0
