"""An orchestrator's probe ended the server.

What it is. A startup or liveness probe failed as often as it may, and the orchestrator stopped the container:
SIGTERM, then SIGKILL. A startup probe mostly allows less time than the launch needs; a liveness probe meets a stall,
or a first batch that waits for a compiler.

How it shows. `Container … failed startup probe, will be restarted` in the events; exit code 143 or 137; a log that
ends in the middle of a steady load, again and again.

What it is mistaken for. An OOM kill (the last state would say OOMKilled), a crash, a stop by a person. After a stall
the probe is only the messenger.

What confirms and refutes it. `kubectl describe pod`: the probe's settings, the events, the last state.

How it is fixed. A budget (delay + failures × period) above what the launch needs, or a faster launch.

Since and until which release. Any.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.durations import between, budget, load
from analyzer.rule import rule
from analyzer.verdict import Claim, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Second
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(
        "kubectl describe pod POD | sed -n '/Last State/,/Events/p'",
        "the last state, the probe's settings and its events",
    ),
)
_ROOM = units.assumed("1.5", "ratio", "a load from shared storage varies by half between launches")


@rule("probe-killed", explains=("stopped-on-request", "killed-by-unknown-sender", "launch-stalled"))
def killed(incident: Incident) -> Iterator[Verdict]:
    """The orchestrator's own word, with the probe's budget against what the launch needs."""
    act = endings.probed(incident)
    if act is not None and endings.first_error(incident) is None:
        yield _found(incident, act)


def _found(incident: Incident, act: Timed[ev.OrchestratorAct]) -> Found:
    settings = _settings(incident, act.event.reason)
    allowed = budget(settings.event) if settings is not None else None
    need = None if endings.past_launch(incident) else _need(incident)
    short = allowed is not None and need is not None and allowed.surely_below(need)
    failed = incident.of(ev.ProbeFailed)
    claims = [Claim(Part.EFFECT, act.event.reason, Status.ESTABLISHED, (act.ref, *(t.ref for t in failed[:1])))]
    if allowed is not None and settings is not None:
        claims.append(
            Claim(Part.LIMIT, f"the probe allows {units.shown(allowed)}", Status.ESTABLISHED, (settings.ref,))
        )
    if need is not None:
        shards = load(incident)
        lines = shards.lines if shards is not None else ()
        claims.append(Claim(Part.DEMAND, f"the launch needs at least {units.shown(need)}", Status.ESTABLISHED, lines))
    reason = act.event.reason[:1].lower() + act.event.reason[1:]
    return Found(
        summary=f"the orchestrator ended it: {reason}"
        + (
            f"; it allows {units.shown(allowed)}, the load alone needs {units.shown(need)}"
            if short and allowed is not None and need is not None
            else ""
        ),
        claims=tuple(claims),
        numbers=tuple(n for n in (allowed, need, *_code(incident)) if n is not None),
        sum=_sum(settings, allowed, need),
        lines=(act.ref, *(t.ref for t in failed), *(t.ref for t in incident.of(ev.ExitCode)[:2])),
        remedy=_remedies(settings, allowed, need),
        confirm=_CONFIRM,
        at=act.at,
        not_known=() if short else ("why the server did not answer the probe",),
    )


def _sum(
    settings: Timed[ev.ProbeSettings] | None, allowed: Amount[Second] | None, need: Amount[Second] | None
) -> str | None:
    """What the probe allows, in its own settings, against what the launch needs."""
    if settings is None or allowed is None:
        return None
    event = settings.event
    times = f"{units.shown(event.period)} × {units.shown(event.failures)}" if event.period and event.failures else ""
    delay = f"{units.shown(event.delay)} + " if event.delay is not None and event.delay.value > 0 else ""
    needs = f"; the launch needs at least {units.shown(need)}" if need is not None else ""
    return f"{delay}{times} = {units.shown(allowed)} allowed by the {event.probe} probe{needs}"


def _settings(incident: Incident, reason: str) -> Timed[ev.ProbeSettings] | None:
    """The settings of the probe that the orchestrator names."""
    named = [t for t in incident.of(ev.ProbeSettings) if t.event.probe and t.event.probe.lower() in reason.lower()]
    return named[0] if named else None


def _need(incident: Incident) -> Amount[Second] | None:
    """What the launch needs at the least: the time until the load began, and the whole load at its own rate."""
    shards = load(incident)
    begun, start = incident.first(ev.WeightLoadBegun), incident.first(ev.ArgumentsPrinted)
    if shards is None:
        return None
    if begun is None or start is None or begun.at is None or start.at is None:
        return shards.whole
    before = between((start.at, start.ref), (begun.at, begun.ref), "until the load began")
    return (before + shards.whole).called("what the launch needs at the least")


def _code(incident: Incident) -> tuple[Amount[Any], ...]:
    codes = [t.event.code for t in incident.of(ev.ExitCode) if t.event.code is not None]
    return (codes[0].called("exit code"),) if codes else ()


def _remedies(
    settings: Timed[ev.ProbeSettings] | None, allowed: Amount[Second] | None, need: Amount[Second] | None
) -> tuple[Remedy, ...]:
    if settings is None or allowed is None or need is None or settings.event.period is None:
        return (
            Remedy("fix", "raise what the probe allows above what the server needs, or find why it did not answer"),
        )
    wanted = (need * _ROOM).called("what the probe should allow")
    failures = math.ceil(wanted.value / settings.event.period.value)
    now = units.shown(settings.event.failures) if settings.event.failures is not None else None
    return (
        Remedy(
            "fix",
            f"set failureThreshold of the {settings.event.probe} probe to {failures} (or load faster)",
            argument="failureThreshold",
            before=now,
            after=str(failures),
            numbers=(wanted,),
        ),
        Remedy("fix", "keep the weights on local disks"),
    )
