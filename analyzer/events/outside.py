"""What orchestrators, scripts and people outside the server saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, One, Second


@event
class ProbeFailed(Event):
    """A health check from outside failed or gave up. `waited` is its whole budget where it is told."""

    probe: str = ""
    waited: Amount[Second] | None = None
    gave_up: bool = False
    detail: str = ""


@event
class ProbeSettings(Event):
    """How an orchestrator probes: delay and period in seconds, failures allowed."""

    probe: str = ""
    delay: Amount[Second] | None = None
    period: Amount[Second] | None = None
    failures: Amount[One] | None = None
    timeout: Amount[Second] | None = None


@event
class OrchestratorAct(Event):
    """An orchestrator did something to the server. `act`: killed, evicted, preempted, timed-out, restarted."""

    act: str = ""
    reason: str = ""


@event
class ClockRead(Event):
    """A time read outside the server's log (`date`, a shell prompt, a snapshot's banner)."""

    label: str = ""


@event
class Complaint(Event):
    """A person says what they saw. `topic`: hung, slow, killed, working."""

    topic: str = ""
