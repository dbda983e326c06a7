"""Time limits, preemptions, evictions."""

from __future__ import annotations

import pytest

from analyzer.events import OrchestratorAct, ServerReady, StopRequested
from analyzer.vocabulary import Status
from tests.build import tp, where
from tests.rules.answers import answers, cleared, found, raised

RULE = "job-limit-reached"
READY = ServerReady(where=where(5, "10:05:00"))


def act(kind: str, reason: str, time: str | None = None) -> OrchestratorAct:
    return OrchestratorAct(where=where(3, time, source="slurm.txt"), act=kind, reason=reason, text=reason)


def test_a_job_that_a_person_cancelled_reached_no_limit() -> None:
    assert answers(RULE, READY, outside=(act("killed", "JOB 4170 ON gpu-a1 CANCELLED AT 2026-02-17T10:12:41"),)) == []


def test_a_limit_of_an_earlier_job_is_not_this_one_s() -> None:
    assert answers(RULE, READY, outside=(act("timed-out", "TIMEOUT", "09:00:00"),)) == []


def test_an_undated_eviction_may_be_another_pod_s_where_the_server_shows_no_end() -> None:
    assert answers(RULE, READY, outside=(act("evicted", "The node was low on resource: memory"),)) == []


def test_an_undated_eviction_counts_where_the_orchestrator_says_that_it_stopped_the_container() -> None:
    stopping = act("killed", "Stopping container sglang")
    verdict = found(RULE, READY, outside=(act("evicted", "The node was low on resource: memory"), stopping))
    assert verdict.summary.startswith("the node evicted it")


def test_an_error_before_the_limit_came_first() -> None:
    crash = raised("ValueError", "no", 30, "10:20:00", tp(0))
    assert "own came first" in cleared(RULE, READY, crash, outside=(act("timed-out", "TIMEOUT", "10:30:00"),))


@pytest.mark.parametrize(
    ("kind", "reason", "what"),
    [
        ("timed-out", "JOB 4170 CANCELLED AT 2026-02-17T10:30:00 DUE TO TIME LIMIT", "its time limit was reached"),
        ("preempted", "Preempted by default/big-job", "it was preempted"),
        ("evicted", "The node was low on resource: memory", "the node evicted it"),
    ],
)
def test_the_orchestrator_s_word_is_the_cause(kind: str, reason: str, what: str) -> None:
    stop = StopRequested(where=where(40, "10:30:00"), signal="SIGTERM")
    verdict = found(RULE, READY, stop, outside=(act(kind, reason, "10:30:00"),))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary == f"{what}: {reason}"
