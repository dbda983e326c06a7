"""Kubernetes events as typed facts: failed probes, kills, evictions, restarts, and what the kernel killed on a node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.events import Fact, OomKill, OrchestratorAct, ProbeFailed
from analyzer.expression import lazy
from analyzer.parsers.oom import OomRecord

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
_PART = lazy(r"ontainers\{([^}]{1,253})\}$")
_CONTAINER = lazy(r"[Cc]ontainer (\S+)")
_RECORD = lazy(r"(?:(?:Memory cgroup out|Out) of memory: )?Kill(?:ed)? process \d.*")
_SYSTEM_OOM = lazy(r"victim process: (.{1,64}), pid: (\d{1,10})")
_PLAIN = lazy(r"\d{1,7}$")
_TIMES = lazy(r"\(x(\d{1,7}) over ")


def times(told: str, message: str) -> int:
    """How often an event was seen: `told` is a number, or an age such as `5m (x4 over 6m)`; else the message has it."""
    if _PLAIN.match(told):
        return int(told)
    found = _TIMES.search(told[:400]) or _TIMES.search(message[:400])
    return int(found[1]) if found else 1


def event(reason: str, message: str, where: Where, text: str, on: str, *, count: int) -> Event:  # noqa: PLR0913 - one event's parts
    """One event that was seen `count` times; `on` is whose it is."""
    kill = _kill(message[:1000], where) if reason in {"OOMKilling", "SystemOOM"} else None
    if kill is not None:
        return replace(kill, count=count, node=on or "unknown")
    probe = _PROBE.search(message[:400])
    if reason in {"Unhealthy", "ProbeWarning", "ProbeError"} or (probe and reason not in _ACTS):
        named = probe[1].lower() if probe else ""
        return ProbeFailed(where=where, text=text, count=count, probe=named, detail=message[:300])
    if reason in _ACTS:
        return OrchestratorAct(where=where, text=text, count=count, act=_ACTS[reason], reason=message[:300])
    return Fact(where=where, text=text, count=count, name=f"kubernetes.{reason}", value=message[:300])


def owner(pod: str, event: Event, part: str = "") -> str:
    """What an event of a pod is of: the container that it names (`part` is the field's path), or the whole pod."""
    named = _PART.search(part) or _CONTAINER.search(getattr(event, "reason", ""))
    return f"pod {pod}/{named[1]}" if named and pod else f"pod {pod}" if pod else ""


def _kill(message: str, where: Where) -> OomKill | None:
    """The kernel's record as a node's event quotes it, or the kubelet's own words on it."""
    record = OomRecord()
    said = _RECORD.search(message)
    record.takes(said[0] if said else message, where)
    quoted = next((made for made in record.events() if isinstance(made, OomKill)), None)
    told = _SYSTEM_OOM.search(message)
    if quoted is not None or told is None:
        return quoted
    return OomKill(where=where, text=message[:400], pid=int(told[2]), command=told[1], scope="node")
