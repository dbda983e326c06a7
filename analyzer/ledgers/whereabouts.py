"""Where a server was whose launch no line shows: by a scheduler's stack, an exception's frames, the watchdog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.knowledge.functions import LAUNCH_MOSTLY, LAUNCH_STEPS, SERVING_STEPS
from analyzer.ledgers.stacks import stacks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident

_LAUNCH = tuple(step for steps in LAUNCH_STEPS.values() for step in steps)
_MOSTLY = tuple(step for steps in LAUNCH_MOSTLY.values() for step in steps)
_IMPORT, _RUNS = "__init__.py:<module>", ("run_server", "launch_server")
# Errors that only a scheduler with requests, or behind them, can have: of its pool, and of a request's KV on its way.
_OF_REQUESTS = ("kv-pool-leak", "kv-allocation-failure")
_REQUEST_FAILED = "pd-request-failed"
_DISPATCHES = "utils.py:__call__"  # by which the detokenizer hands a batch's outputs to whom they concern
# Errors of arguments, files, packages and ports, of what is joined, sized and compiled before the first request.
_OF_A_LAUNCH = frozenset(
    {
        "invalid-arguments",
        "model-not-supported",
        "model-download-failed",
        "checkpoint-unreadable",
        "package-mismatch",
        "unsupported-gpu-architecture",
        "kernel-compile-failed",
        "graph-capture-failed",
        "kv-pool-no-room",
        "hicache-refused",
        "hicache-pool-too-small",
        "host-pin-failure",
        "shm-too-small",
        "port-in-use",
        "nodes-disagree",
        "distributed-init-stalled",
        "pd-memory-registration-failed",
        "process-limit-reached",
        "warmup-failed",
    }
)
_SCHEDULER = ("", "Scheduler")  # whose watchdog: up to 0.5.6 it does not say
# Whose making is the launch; Markdown takes the underscores of `__init__` for its own.
_MADE = ("scheduler.py:init", "modelrunner.py:init", "tpworker.py:init", "tpworkeroverlapthread.py:init")
_IMPORTS = ("ImportError", "ModuleNotFoundError")  # what only a program that is starting raises, mostly


def serving(incident: Incident) -> bool:
    """Whether its event loop ran: a frame of it, a watchdog that counts only with a batch in hand, requests' errors."""
    if _stands_in(incident, _LAUNCH):
        return False
    hard = any(not t.event.soft and t.event.name in _SCHEDULER for t in incident.of(ev.WatchdogFired))
    return hard or _stands_in(incident, SERVING_STEPS) or _has_requests(incident)


def _has_requests(incident: Incident) -> bool:
    """Whether an error speaks of requests, of a pool that they have left, or of an output to be put into words."""
    failed = incident.of(ev.Failure)
    if any(t.event.topic in _OF_REQUESTS or t.event.where.pattern == _REQUEST_FAILED for t in failed):
        return True
    raised = [t.event for t in incident.of(ev.ExceptionRaised) if t.event.process == "detokenizer"]
    return any(frame.endswith(_DISPATCHES) or ":handle_batch" in frame for event in raised for frame in event.frames)


def launching(incident: Incident) -> bool:
    """Whether a frame stands in a step that only a launch takes, or a module was missing."""
    raised = [t.event for t in incident.of(ev.ExceptionRaised)]
    missing = any(event.type.endswith(_IMPORTS) for event in raised)
    made = any(frame.replace("_", "").endswith(_MADE) for event in raised for frame in event.frames)
    return missing or made or _stands_in(incident, _LAUNCH)


def starting(incident: Incident) -> bool:
    """Whether an error is there that, as a rule, only a server has that starts, or one where a start mostly stands."""
    told = incident.first(ev.InitializationFailed, ev.HostPoolRefused) is not None
    of_it = told or any(t.event.topic in _OF_A_LAUNCH for t in incident.of(ev.Failure))
    return of_it or _stands_in(incident, _MOSTLY) or any(_imports(t.event) for t in incident.of(ev.ExceptionRaised))


def _imports(event: ev.ExceptionRaised) -> bool:
    """Whether the main process raised it while it imported its modules, before it ran anything."""
    ran = any(frame.rpartition(":")[2] in _RUNS for frame in event.frames)
    return event.process == "main" and _IMPORT in event.frames and not ran


def _stands_in(incident: Incident, steps: tuple[str, ...]) -> bool:
    return any(name.lstrip("_").startswith(steps) for name in _functions(incident))


def _functions(incident: Incident) -> Iterator[str]:
    for item in incident.of(ev.ExceptionRaised):
        if item.event.process in {"scheduler", "main"}:
            yield from (frame.rpartition(":")[2] for frame in item.event.frames)
    for fact in incident.of(ev.Fact):
        if fact.event.name == ev.CRASH_STACK:
            yield from (frame.rpartition(":")[2] for frame in fact.event.value.split("\n"))
    for stack in stacks(incident):
        yield from (frame.function for frame in stack.frames)
