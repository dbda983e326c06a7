"""Kubernetes events as typed facts: failed probes, kills, evictions, restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact, OrchestratorAct, ProbeFailed
from analyzer.expression import lazy

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Where

# What a reason of Kubernetes says was done to the pod; other reasons are kept as facts.
_ACTS = {
    "Killing": "killed",
    "Evicted": "evicted",
    "TaintManagerEviction": "evicted",
    "Preempted": "preempted",
    "Preempting": "preempted",
    "BackOff": "restarted",
    "DeadlineExceeded": "timed-out",
    "NodeNotReady": "evicted",
}
_PROBE = lazy(r"(Liveness|Readiness|Startup) probe (?:failed|errored)")
_TIMES = lazy(r"\(x(\d{1,7}) over ")


def event(reason: str, message: str, age: str, where: Where, text: str) -> Event:
    """One event; `(x4 over 5m40s)` in its age, or in its message, is how often it was seen."""
    times = _TIMES.search(f"{age} {message}"[:400])
    count = int(times[1]) if times else 1
    probe = _PROBE.search(message[:400])
    if reason in {"Unhealthy", "ProbeWarning", "ProbeError"} or (probe and reason not in _ACTS):
        named = probe[1].lower() if probe else ""
        return ProbeFailed(where=where, text=text, count=count, probe=named, detail=message[:300])
    if reason in _ACTS:
        return OrchestratorAct(where=where, text=text, count=count, act=_ACTS[reason], reason=message[:300])
    return Fact(where=where, text=text, count=count, name=f"kubernetes.{reason}", value=message[:300])
