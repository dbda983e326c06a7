"""The scheduler makes no forward progress: a watchdog fired, or health checks fail over a heartbeat that stands still.

What it is. A batch was started and never came back, or the event loop stands. The finding says since when, and who
noticed; it does not say why.

How it shows. `Watchdog timeout (self.watchdog_timeout=300)` on some or all ranks, then SIGQUIT and the server's own
tree kill (a shell prints `Killed`); `Health check failed. … last_heartbeat time: 03:17:38` again and again with the
same heartbeat, while the HTTP front still answers. Without either: probes that fail again and again, or a person who
waits, after the last batch.

What it is mistaken for. A first batch that waits for a kernel to be compiled: the heartbeat moves again, and work
goes on. An overload: then batches are printed. A full KV pool: `available` may be low while nearly all of it is
evictable. The OOM killer, because of the `Killed` that follows.

What confirms and refutes it. Stacks of all ranks at the next stall; GPU utilisation (all at 100 % points at a
collective, one at 0 % at its rank).

How it is fixed. By its cause. A probe should ask /health_generate, with a time-out above the longest compilation.

Since and until which release. Watchdogs since 0.3.6.post3, the heartbeat in the message since 0.4.3.post4. The time
in `last_heartbeat` is when the stall began; the message may come much later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.collectives import gave_up_first, timed_out
from analyzer.ledgers.durations import between
from analyzer.ledgers.health import Frozen, fired, frozen, recovered
from analyzer.ledgers.stacks import EVERY_STACK
from analyzer.ledgers.whereabouts import launching
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(EVERY_STACK, "which call each rank waits in", where="container"),
    Confirm("nvidia-smi; curl -sm 30 localhost:30000/health_generate", "whether the GPUs spin, and whether it answers"),
)
_REMEDY = (
    Remedy(
        "mitigate",
        "at the next stall take the stacks of all ranks before anything is killed, then restart",
        risk="killing first loses the only evidence of the cause",
    ),
    Remedy(
        "prevent",
        "let the orchestrator probe /health_generate: /health may answer 200 over a scheduler that stands still",
    ),
)
_EXPLAINS = (
    "launch-stalled",
    "warmup-failed",
    "killed-by-unknown-sender",
    "stopped-on-request",
    "zombie-server",
    "pd-transfer-failed",
)


@rule("scheduler-stalled", explains=_EXPLAINS)
def stalled(incident: Incident) -> Iterator[Verdict]:
    """A watchdog, a frozen heartbeat, or somebody outside who waits in vain; no work was done after."""
    barked, still = fired(incident), frozen(incident)
    if barked:
        yield _watchdog(incident, barked)
    elif still is not None:
        yield _heartbeat(incident, still)
    elif endings.waited_for(incident):
        yield _from_outside(incident)
    elif came_back := recovered(incident):
        beats = {t.event.heartbeat for t in came_back}
        yield Cleared(
            f"{len(came_back)} health checks failed over {len(beats)} heartbeats, and work went on", (came_back[0].ref,)
        )


def _watchdog(incident: Incident, barked: list[Timed[ev.WatchdogFired]]) -> Found:
    ranks = sorted({t.process for t in barked})
    limit = next((t.event.timeout for t in barked if t.event.timeout is not None), None)
    last = incident.timeline.progress
    numbers: list[Amount[Any]] = [
        units.counted(len(ranks), tuple(t.ref for t in barked), "ranks").called("ranks reporting it")
    ]
    if limit is not None:
        numbers.insert(0, limit.called("watchdog time-out"))
    if last is not None and last.ref is not None and barked[0].at is not None:
        numbers.append(
            between((last.at, last.ref), (barked[0].at, barked[0].ref), "from the last progress to the watchdog")
        )
    after = f" after {units.shown(limit)} without progress" if limit is not None else ""
    of = len([p for p in incident.timeline.schedulers if p.role == "scheduler"])
    who = f"{len(ranks)} of {of} ranks" if of > 1 else ranks[0]
    stood = next((t.event.name for t in barked if t.event.name), "") or "scheduler"
    stood = "scheduler" if stood == "Scheduler" else stood
    return Found(
        summary=f"the watchdog fired on {who}{after}: the {stood} made no forward progress{_where(incident)}",
        claims=(Claim(Part.EFFECT, barked[0].event.text[:160], Status.ESTABLISHED, tuple(t.ref for t in barked[:8])),),
        explanation=_which(incident, ranks, of),
        numbers=tuple(numbers),
        lines=tuple(t.ref for t in barked),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=last.at if last is not None else barked[0].at,
        explains=_caused(incident),
        not_known=("why the scheduler stood still",),
    )


def _from_outside(incident: Incident) -> Found:
    """A silence that probes, or a person, noticed."""
    noticed: list[Timed[Any]] = [*endings.unanswered(incident), *endings.complaints(incident)]
    lines, last = tuple(t.ref for t in noticed), incident.timeline.progress
    numbers: list[Amount[Any]] = [units.counted(len(noticed), lines, "words from outside").called("words from outside")]
    dated = next((t for t in reversed(noticed) if t.at is not None), None)
    if last is not None and last.ref is not None and dated is not None and dated.at is not None:
        numbers.append(
            between((last.at, last.ref), (dated.at, dated.ref), "from the last progress to the last of them")
        )
    return Found(
        summary=f"no forward progress after it was ready, by what was seen from outside: {noticed[0].event.text[:120]}",
        claims=(Claim(Part.EFFECT, noticed[0].event.text[:160], Status.SUPPORTED, lines[:8]),),
        numbers=tuple(numbers),
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=last.at if last is not None else noticed[0].at,
        not_known=("why the scheduler stood still",),
    )


def _caused(incident: Incident) -> tuple[str, ...]:
    """A collective given up before the watchdog fired is what the scheduler waited for, not what came of it."""
    wait = timed_out(incident)
    return () if wait is not None and gave_up_first(incident, wait) else ("collective-timeout",)


def _where(incident: Incident) -> str:
    if endings.past_launch(incident):
        return " after it was ready"
    if launching(incident):
        return " while it was launching"
    phase = incident.timeline.phase()
    return " before it was ready" + (
        ", at its own first request" if phase in {None, Phase.WARM_UP} else f", in {phase}"
    )


def _which(incident: Incident, ranks: list[str], of: int) -> str:
    """What it tells that only some ranks' watchdogs fired."""
    if len(ranks) == of or of < 2:  # noqa: PLR2004 - nothing to compare
        return "All ranks report it: they wait for each other, or for something outside." if of > 1 else ""
    quiet = sorted(p.id for p in incident.timeline.schedulers if p.id not in ranks)
    return (
        f"Only {', '.join(ranks[:8])} report it; {', '.join(quiet[:8])} had no batch in hand, "
        "or are the ones that stand: their stacks decide."
    )


def _heartbeat(incident: Incident, still: Frozen) -> Found:
    first, last = still.checks[0], still.checks[-1]
    lines = tuple(t.ref for t in still.checks)
    numbers: list[Amount[Any]] = [units.counted(len(lines), lines, "health checks").called("failed health checks")]
    for name, item in (
        ("from the stall to the first failed check", first),
        ("from the stall to the last failed check", last),
    ):
        if item.at is not None:
            numbers.append(between((still.since, first.ref), (item.at, item.ref), name))
    stop = endings.stop(incident)
    if stop is not None and stop.item.at is not None:
        numbers.append(
            between((still.since, first.ref), (stop.item.at, stop.ref), "from the stall to the request to stop")
        )
    return Found(
        summary=f"the scheduler stands still since {first.event.heartbeat}: "
        f"{len(lines)} health checks failed over that one heartbeat",
        claims=(Claim(Part.EFFECT, first.event.text[:200], Status.ESTABLISHED, lines[:8]),),
        numbers=tuple(numbers),
        lines=lines,
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=still.since,
        explains=("probe-killed", *_caused(incident)),
        not_known=("why the scheduler stood still",),
    )
