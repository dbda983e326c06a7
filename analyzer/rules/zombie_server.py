"""A live parent stands over dead workers.

What it is. The scheduler processes have ended and the process that started them has not: the port listens, /health
may say 200, and no request is answered. Or a shutdown waits for requests that nobody serves any more.

How it shows. `<defunct>` schedulers under a live `sglang.launch_server` in `ps`; no SIGQUIT line after the last
error; `Gracefully exiting... Remaining number of requests N` again and again with the same N.

What it is mistaken for. A healthy server, by probes that ask /health. A parent that is just cleaning up.

What confirms and refutes it. `ps --forest`, `curl -sm 30 …/health_generate`.

How it is fixed. By hand: kill the parent and start again. A probe of /health_generate ends it by itself.

Since and until which release. Up to 0.5.9 a parent does not notice a death without an exception while it waits; from
0.5.10 on a subprocess watchdog does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import drains, endings
from analyzer.ledgers.durations import between
from analyzer.ledgers.processes import listing
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("ps -eo pid,ppid,stat,etime,args --forest | grep -E 'sglang|launch_server'", "which processes are left"),
    Confirm("curl -sm 30 localhost:30000/health_generate", "whether it can still answer", where="container"),
)
_REMEDY = (
    Remedy("mitigate", "kill the parent with SIGKILL and start again; it will not come back by itself"),
    Remedy("prevent", "probe /health_generate instead of /health, or take 0.5.10 or later, which notices dead workers"),
)


@rule("zombie-server", explains=("launch-stalled",))
def zombie(incident: Incident) -> Iterator[Verdict]:
    """Dead schedulers under a live parent; else a shutdown that waits for nobody."""
    drain = drains.stuck(incident)
    seen = listing(incident)
    if endings.zombie(incident) and seen is not None:
        dead = list({t.event.pid: t for t in seen.dead}.values())
        yield _found(incident, dead)
    elif drain is not None:
        yield _drains(*drain)
    elif seen is not None and seen.parent_alive and seen.alive and not seen.dead:
        yield Cleared("the schedulers in the process listing live", (seen.alive[0].ref,))


def _found(incident: Incident, dead: list[Timed[ev.ProcessListed]]) -> Found:
    lines = tuple(t.ref for t in dead)
    answers = [t for t in incident.of(ev.Fact) if t.event.name == "health.status" and t.event.value == "200"]
    health = "; /health answers 200 all the same" if answers else ""
    return Found(
        summary=f"{units.many(len(dead), 'scheduler')} defunct under a live parent{health}",
        claims=(
            Claim(
                Part.EFFECT, dead[0].event.text[:160], Status.ESTABLISHED, (*lines[:8], *(t.ref for t in answers[:1]))
            ),
        ),
        explanation="/health does not ask the scheduler; only /health_generate does.",
        numbers=(units.counted(len(dead), lines, "processes").called("defunct schedulers"),),
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=dead[0].at,
        not_known=("why the schedulers ended",),
    )


def _drains(first: Timed[ev.ShutdownStep], last: Timed[ev.ShutdownStep]) -> Found:
    waited = (
        between((first.at, first.ref), (last.at, last.ref), "time spent draining") if first.at and last.at else None
    )
    return Found(
        summary="the shutdown waits for requests that nobody serves any more"
        + (f", for {units.shown(waited)}" if waited is not None else ""),
        claims=(
            Claim(Part.EFFECT, last.event.text[:120], Status.ESTABLISHED, (first.ref, last.ref)),
            Claim(
                Part.LINK, "no batch was run in that time, so the schedulers are gone or stand still", Status.SUPPORTED
            ),
        ),
        numbers=(waited,) if waited is not None else (),
        lines=(first.ref, last.ref),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=first.at,
        explains=("stopped-on-request",),
    )
