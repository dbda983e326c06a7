"""Kubernetes events as typed facts."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, OrchestratorAct, ProbeFailed
from analyzer.evidence import Ref, Where
from analyzer.parsers.pod_events import event, times

HERE = Where(Ref("s", 1, 1))


def test_an_ordinary_reason_is_a_fact() -> None:
    made = event("Pulled", "image already present", HERE, "text", "", count=1)
    assert isinstance(made, Fact)
    assert (made.name, made.value) == ("kubernetes.Pulled", "image already present")


def test_an_unhealthy_pod_failed_its_probe_as_often_as_it_says() -> None:
    made = event("Unhealthy", "Startup probe failed: connection refused", HERE, "text", "", count=90)
    assert isinstance(made, ProbeFailed)
    assert (made.probe, made.count) == ("startup", 90)


@pytest.mark.parametrize(
    ("reason", "act"),
    [
        ("Killing", "killed"),
        ("Evicted", "evicted"),
        ("Preempted", "preempted"),
        ("BackOff", "restarted"),
        ("DeadlineExceeded", "timed-out"),
    ],
)
def test_what_was_done_to_the_pod_is_an_act(reason: str, act: str) -> None:
    made = event(reason, "message", HERE, "text", "", count=1)
    assert isinstance(made, OrchestratorAct)
    assert (made.act, made.reason, made.count) == (act, "message", 1)


def test_a_kill_for_a_probe_is_the_kill() -> None:
    made = event("Killing", "Container sglang failed liveness probe, will be restarted", HERE, "text", "", count=1)
    assert isinstance(made, OrchestratorAct)


@pytest.mark.parametrize(
    ("told", "message", "count"),
    [("3", "", 3), ("2m (x90 over 61m)", "", 90), ("5m", "failed (x4 over 6m)", 4), ("5m", "failed", 1), ("", "", 1)],
)
def test_how_often_it_was_seen_is_a_number_or_stands_in_the_age_or_in_the_message(
    told: str, message: str, count: int
) -> None:
    assert times(told, message) == count
