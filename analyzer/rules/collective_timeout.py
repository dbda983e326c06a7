"""A collective timed out: ranks waited for one that did not come.

What it is. NCCL's watchdog, or gloo, gave up a collective operation. The ranks that say so are the ones that waited.
The culprit is the one that never queued it, queued another one, or was gone.

How it shows. `Watchdog caught collective operation timeout: WorkNCCL(SeqNum=…, OpType=ALLREDUCE, …)` on many ranks,
then an abort (`terminate called`, `Fatal Python error: Aborted`); gloo's `Connection closed by peer`, TCPStore's
`recvValue failed` on peers.

What it is mistaken for. A network fault, because NCCL says it (an unequal batch, a slow compilation, an exception or
a kill of one rank look the same). A watchdog that carries another error (illegal memory access, ECC) means that
error. Lost connections are what victims see of a peer that ended first, and normal while a server stops.

What confirms and refutes it. The log of the rank (or node) without such a line; stacks of all ranks; the sequence
numbers: the rank whose last queued work lies before the others' is the one that did not come.

How it is fixed. By what kept that rank. A longer --dist-timeout hides a stall and cures none.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings, topology
from analyzer.ledgers.collectives import Wait, earlier, gave_up_first, timed_out
from analyzer.ledgers.stacks import EVERY_STACK
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("grep -n 'last enqueued' server.log", "which rank never queued the collective", where="node"),
    Confirm(EVERY_STACK, "where each rank waits, at the next stall", where="container"),
)
_EXPLAINS = ("scheduler-crashed", "graph-capture-failed", "warmup-failed", "launch-stalled")


@rule("collective-timeout")
def timeout(incident: Incident) -> Iterator[Verdict]:
    """The time-out that ended the server; else what a lost peer shows of a node whose log is not here."""
    wait = timed_out(incident)
    lost = endings.lost_peer(incident)
    stop = endings.stop(incident)
    if stop is not None and (wait is None or endings.came_first(stop.item, wait.lines[0])):
        if wait is not None or lost is not None:
            yield Cleared("ranks lost each other after it was asked to stop", (stop.ref,))
    elif wait is not None:
        yield _found(incident, wait)
    elif lost is not None:
        yield _victims(incident, lost)


def _found(incident: Incident, wait: Wait) -> Found:
    lines = tuple(t.ref for t in wait.lines)
    what = (
        f"{wait.operation} {units.shown(wait.sequence)}"
        if wait.operation and wait.sequence is not None
        else "a collective"
    )
    after = f" after {units.shown(wait.elapsed)}" if wait.elapsed is not None else ""
    waited = topology.named(incident, wait.waiting) if wait.waiting else "ranks"
    return Found(
        summary=f"{waited} gave up waiting for {what}{after}: {_who(incident, wait)}",
        claims=(
            Claim(Part.EFFECT, wait.lines[0].event.text[:200], Status.ESTABLISHED, lines[:8]),
            *_link(incident, wait),
        ),
        explanation="The ranks that complain are the ones that came; the missing one says something else, or nothing.",
        numbers=_numbers(wait, lines),
        lines=(*lines, *_echoes(incident)),
        remedy=(
            Remedy("mitigate", "restart all nodes together; keep every rank's log before that"),
            Remedy("fix", f"find what kept {_culprit(incident, wait)}; --dist-timeout only hides it"),
        ),
        confirm=_CONFIRM,
        at=wait.lines[0].at,
        explains=_explained(incident, wait),
        not_known=(f"why {_culprit(incident, wait)} did not come",),
    )


def _explained(incident: Incident, wait: Wait) -> tuple[str, ...]:
    if earlier(incident, wait):
        return ()
    return (*_EXPLAINS, "scheduler-stalled") if gave_up_first(incident, wait) else _EXPLAINS


def _numbers(wait: Wait, lines: tuple[Any, ...]) -> tuple[Amount[Any], ...]:
    found: list[Amount[Any]] = []
    if wait.sequence is not None:
        found.append(wait.sequence.called("number of the collective"))
    if wait.elapsed is not None:
        found.append(wait.elapsed.called("time waited"))
    if wait.waiting:
        found.append(units.counted(len(wait.waiting), lines, "ranks that waited").called("ranks that waited"))
    return tuple(found)


def _who(incident: Incident, wait: Wait) -> str:
    if wait.behind:
        return f"{topology.named(incident, wait.behind)} never queued it"
    if wait.guilty:
        return f"only {topology.named(incident, wait.guilty)} reports nothing"
    if wait.unheard and not wait.absent:
        return f"the missing rank is one of {topology.named(incident, wait.unheard)}, whose log is not here"
    return "which rank did not come is not in these logs"


def _culprit(incident: Incident, wait: Wait) -> str:
    if wait.guilty:
        return topology.named(incident, wait.guilty)
    return f"one of {topology.named(incident, wait.unheard)}" if wait.unheard else "the rank that did not come"


def _link(incident: Incident, wait: Wait) -> tuple[Claim, ...]:
    """The missing logs make every word about the culprit a hypothesis."""
    if wait.unheard:
        text = f"the culprit is on {topology.named(incident, wait.unheard)}: no log of that node is here"
        return (Claim(Part.LINK, text, Status.HYPOTHESIS),)
    return ()


def _echoes(incident: Incident) -> tuple[Any, ...]:
    """Aborts that the watchdog causes, and peers that lose the aborted ranks."""
    aborts = [t for t in incident.failures("scheduler-crashed") if "Abort" in t.event.detail]
    return tuple(t.ref for t in (*aborts, *(t for t in incident.of(ev.Failure) if t.event.victim)))


def _victims(incident: Incident, lost: endings.Ending) -> Found:
    items = [t for t in incident.of(ev.Failure) if t.event.victim]
    away = topology.missing_nodes(incident)
    where = (
        f"node {', '.join(map(str, away))}, whose log is not here"
        if away
        else "a process whose end is not in these logs"
    )
    return Found(
        summary=f"{units.many(len({t.process for t in items}), 'process')} lost the connection to {where}",
        claims=(
            Claim(Part.EFFECT, lost.why[:200], Status.ESTABLISHED, tuple(t.ref for t in items[:8])),
            Claim(Part.LINK, f"the other side ended first: {where}", Status.HYPOTHESIS),
        ),
        lines=tuple(t.ref for t in items),
        remedy=(Remedy("fix", "get the log of the process that went away first; these lines are only its echo"),),
        confirm=(
            Confirm("the last lines of every other node's log", "which process ended first, and of what", where="node"),
        ),
        at=lost.item.at,
        explains=_EXPLAINS,
        not_known=("which process ended first",),
    )
