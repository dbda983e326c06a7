"""An orchestrator's probe."""

from __future__ import annotations

import pytest

from analyzer.events import (
    ExitCode,
    OrchestratorAct,
    ProbeFailed,
    ProbeSettings,
    ServerReady,
    ShardsProgress,
    StopRequested,
    WeightLoadBegun,
)
from analyzer.evidence import Where
from analyzer.vocabulary import Part, Status
from tests.build import ref, size, stamp, tp, where
from tests.rules.answers import answers, found, numbers, raised

RULE = "probe-killed"
POD = "pod.txt"
STARTUP = OrchestratorAct(
    where=where(9, source=POD), act="killed", reason="Container sglang failed startup probe, will be restarted"
)
LIVENESS = OrchestratorAct(
    where=where(9, source=POD), act="killed", reason="Container sglang failed liveness probe, will be restarted"
)
SETTINGS = ProbeSettings(
    where=where(5, source=POD),
    probe="startup",
    delay=size("60 s", 5, POD),
    period=size("30 s", 5, POD),
    failures=size("18 count", 5, POD),
)
LOAD = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))
ARGUMENTS = {"tp_size": 8}  # printed at 10:02:37


def frame(done: int, elapsed: int) -> ShardsProgress:
    amounts = {"done": size(f"{done} count", 4), "total": size("163 count", 4), "elapsed": size(f"{elapsed} s", 4)}
    return ShardsProgress(where=Where(ref(4), stamp("10:03:00"), direct=False), **amounts)


def test_failed_probes_alone_end_nothing() -> None:
    assert answers(RULE, LOAD, outside=(ProbeFailed(where=where(8, source=POD), probe="Startup"), SETTINGS)) == []


def test_a_startup_probe_ends_no_server_that_came_up() -> None:
    assert answers(RULE, ServerReady(where=where(5, "10:05:00")), outside=(STARTUP, SETTINGS)) == []


def test_the_words_about_an_earlier_container_accuse_no_server_that_serves() -> None:
    assert answers(RULE, ServerReady(where=where(5, "10:05:00")), outside=(LIVENESS,)) == []


def test_a_crash_that_made_the_probe_fail_is_the_cause() -> None:
    crash = raised("ValueError", "no", 30, "10:04:00", tp(0))
    assert answers(RULE, LOAD, crash, outside=(STARTUP, SETTINGS)) == []


def test_the_budget_is_held_against_what_the_load_needs() -> None:
    verdict = found(RULE, LOAD, frame(100, 552), outside=(STARTUP, SETTINGS), values=ARGUMENTS)
    assert verdict.status is Status.ESTABLISHED
    shown = numbers(verdict)
    assert shown["what the startup probe allows"] == 600  # 60 + 18 x 30
    # 23 s until the load began, and 163 shards at 552 / 100 s each
    assert shown["what the launch needs at the least"] == pytest.approx(23 + 163 * 5.52)
    assert [c.part for c in verdict.claims] == [Part.EFFECT, Part.LIMIT, Part.DEMAND]
    # one and a half times 922.76 s are 1,384.14 s, in periods of 30 s
    assert verdict.remedy[0].after == "47"


def test_a_liveness_probe_that_ended_a_serving_server_leaves_the_why_open() -> None:
    stop = StopRequested(where=where(40, "10:20:00"), signal="SIGTERM")
    code = ExitCode(where=where(7, "10:20:05", source=POD), code=size("137 count", 7, POD))
    verdict = found(RULE, ServerReady(where=where(5, "10:05:00")), stop, outside=(LIVENESS, code))
    assert verdict.not_known == ("why the server did not answer the probe",)
    assert numbers(verdict) == {"exit code": 137}
