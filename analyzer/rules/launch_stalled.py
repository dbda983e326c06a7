"""The launch made no progress in a phase, and nothing says why.

What it is. The last thing known: which phase the processes stand in, since when, and what was expected next.

How it shows. No line (or only repeats: retries, polls, 503s to a health check) while a clock outside the log goes on,
for longer than the phase is usually quiet.

What it is mistaken for. A paste that simply ends; a phase that is silent by nature (pinning host memory, a first
compilation, a large model on a slow disk, a node whose head draws the bars); a launch that was ended from outside
while it advanced.

What confirms and refutes it. Stacks of all ranks (py-spy dump), their states (ps), the host's memory (free).

How it is fixed. By its cause, which this finding does not name.

Since and until which release. Any. Up to 0.5.9 the launcher waits for its ranks one after the other and does not
notice one that died.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.ledgers import endings
from analyzer.ledgers.durations import between, patience
from analyzer.ledgers.processes import listing
from analyzer.ledgers.stacks import EVERY_STACK
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount, Second
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(EVERY_STACK, "what each rank waits for", where="container"),
    Confirm("ps -eo pid,stat,wchan:30,rss,args | grep sglang::", "whether the ranks live, and in which state"),
    Confirm("free -g; dmesg -T | tail -50", "whether the host ran out of memory or a device failed"),
)


@rule("launch-stalled")
def stalled(incident: Incident) -> Iterator[Verdict]:
    """Silent before ready, for longer than the phase explains, against a clock outside the log."""
    if endings.past_launch(incident):
        yield Cleared("it had left its launch behind")
        return
    phase = incident.timeline.phase()
    if phase is None or _ended(incident):
        return
    quiet, allowed = _quiet(incident), patience(incident, phase)
    if quiet is not None and quiet.value < allowed.value:
        yield Cleared(f"{phase} may be quiet for {allowed.number():,.0f} s; it was for {quiet.number():,.0f} s")
        return
    hung = any(t.event.topic == "hung" for t in incident.of(ev.Complaint))
    if quiet is not None or hung:
        yield _found(incident, phase, quiet)


def _ended(incident: Incident) -> bool:
    """Whether something other than silence ended it: an error, a request, a record of a kill."""
    if endings.own_error(incident) is not None or endings.stop(incident) is not None:
        return True
    if endings.probed(incident) or endings.limited(incident):
        return True
    kill = endings.kill(incident)
    return kill is not None and isinstance(kill.item.event, (ev.OomKill, ev.RankDead, ev.OrchestratorAct))


def _quiet(incident: Incident) -> Amount[Second] | None:
    last, clock = incident.timeline.progress, incident.timeline.clock
    if last is None or clock is None or last.ref is None or clock.at.seconds <= last.at.seconds:
        return None
    return between((last.at, last.ref), (clock.at, clock.ref or last.ref), "time without progress")


def _found(incident: Incident, phase: Phase, quiet: Amount[Second] | None) -> Found:
    last, clock = incident.timeline.progress, incident.timeline.clock
    lines = tuple(s.ref for s in (last, clock) if s is not None and s.ref is not None)
    says = tuple(t.ref for t in incident.of(ev.Complaint) if t.event.topic == "hung")
    since = f"for {units.shown(quiet)}" if quiet is not None else "any more"
    firm = Status.SUPPORTED if quiet is not None else Status.HYPOTHESIS
    dead = listing(incident)
    gone = dead.dead if dead is not None and dead.parent_alive else ()
    link = (
        f"{len(gone)} of its schedulers have ended without a word, and their parent has not noticed; why is not known"
    )
    allowed = patience(incident, phase).called("quiet that means nothing")
    return Found(
        summary=f"no progress {since} in {phase} (it {phase.sentence}); next would have come {_next(incident, phase)}"
        + (f"; {len(gone)} of its schedulers have ended" if gone else ""),
        claims=(
            Claim(Part.EFFECT, f"no line of progress {since}", firm, (*lines, *says)),
            *((Claim(Part.LINK, link, Status.HYPOTHESIS, tuple(t.ref for t in gone)),) if gone else ()),
        ),
        numbers=(quiet, allowed) if quiet is not None else (),
        sum=_sum(quiet, allowed) if quiet is not None else None,
        lines=(*lines[:1], *(t.ref for t in gone)),
        remedy=(Remedy("mitigate", "collect stacks, states and memory before killing anything; then restart"),),
        confirm=_CONFIRM,
        at=last.at if last is not None else None,
        explains=("killed-by-unknown-sender",),
        not_known=("what it waits for",),
        lose="killing the processes first loses their stacks and states, which alone tell a hang from a slow phase",
    )


def _sum(quiet: Amount[Second], allowed: Amount[Second]) -> str:
    return f"{units.shown(quiet)} without a line of progress; up to {units.shown(allowed)} would mean nothing here"


def _next(incident: Incident, phase: Phase) -> str:
    order = knowledge.phase_order(incident.launch.release)
    if phase not in order or phase is order[-1]:
        return "ready"
    following = [p for p in order[order.index(phase) + 1 :] if p is not Phase.HOST_POOL or _hicache(incident)]
    return following[0].value if following else "ready"


def _hicache(incident: Incident) -> bool:
    return incident.arguments.flag("enable_hierarchical_cache")
