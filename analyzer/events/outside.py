"""What orchestrators, scripts and people outside the server saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, One, Second


@event
class ProbeFailed(Event):
    """A health check from outside failed or gave up. `waited` is its whole budget where it is told.

    `owner` is what was checked, as `Workload` names it; empty where it is not told.
    """

    probe: str = ""
    waited: Amount[Second] | None = None
    gave_up: bool = False
    detail: str = ""
    owner: str = ""


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
    """An orchestrator did something to the server.

    `act`: killed, evicted, preempted, timed-out, stop-timed-out (a stop that took too long, and was forced), restarted.
    `owner` is what it was done to, as `Workload` names it, and `when` the time that its own words name; both empty
    where they are not told.
    """

    act: str = ""
    reason: str = ""
    owner: str = ""
    when: str = ""


@event
class Workload(Event):
    """A container, pod, unit or batch job that a tool shows.

    `owner` is its kind and its name: `container redis`, `pod llm-0/main`, `unit sglang.service`, `job 4170`.
    `server` tells whether its name, image or command is SGLang's, `None` where they say neither. `ids` are what the
    runtime calls it, whole or by their first twelve characters: a container's id, its pod's; `argv` is the command line
    of an SGLang server that it was started with. `rival`: it serves, and is not the one whose log is here.
    `mentioned`: only a list of events names it, and no list of what there is.
    """

    owner: str = ""
    server: bool | None = None
    ids: tuple[str, ...] = ()
    argv: tuple[str, ...] = ()
    rival: bool = False
    mentioned: bool = False


@event
class ClockRead(Event):
    """A time read outside the server's log (`date`, a shell prompt, a snapshot's banner)."""

    label: str = ""


@event
class Complaint(Event):
    """A person says what they saw. `topic`: hung, slow, killed, working."""

    topic: str = ""
