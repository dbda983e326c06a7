"""A time limit, a preemption or an eviction ended the job.

What it is. The batch system or the cluster ended the server by a rule of its own, whatever the server did.

How it shows. `CANCELLED AT … DUE TO TIME LIMIT`, `DUE TO PREEMPTION`, state TIMEOUT or PREEMPTED of `sacct`, a pod
that was `Evicted` (the node was low on a resource) or preempted; then SIGTERM or SIGKILL.

What it is mistaken for. A crash, an OOM kill, a person's stop.

What confirms and refutes it. `sacct -j JOB --format=State,ExitCode,Elapsed,Timelimit`, `kubectl describe pod`.

How it is fixed. A longer limit, another partition or priority; for an eviction the resource that the node lacked.

Since and until which release. Any.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer.ledgers import endings
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_WHAT = {
    "timed-out": ("its time limit was reached", "a longer time limit, or a server that is restarted before it"),
    "preempted": ("it was preempted", "a partition or a priority that is not preempted"),
    "evicted": ("the node evicted it", "requests and limits that keep the pod within what the node has"),
}
_EXPLAINS = (
    "stopped-on-request",
    "killed-by-unknown-sender",
    "collective-timeout",
    "launch-stalled",
    "scheduler-crashed",
)


@rule("job-limit-reached", explains=_EXPLAINS)
def reached(incident: Incident) -> Iterator[Verdict]:
    """The batch system's or the cluster's own word, where no error of the server came before."""
    act = endings.limited(incident)
    if act is None:
        return
    error = endings.first_error(incident)
    if error is not None and (act.at is None or endings.came_first(error.item, act)):
        yield Cleared("an error of the server's own came first", (error.ref,))
        return
    what, fix = _WHAT[act.event.act]
    yield Found(
        summary=f"{what}: {act.event.reason or act.event.text[:160]}",
        claims=(Claim(Part.EFFECT, act.event.text[:200], Status.ESTABLISHED, (act.ref,)),),
        lines=(act.ref,),
        remedy=(Remedy("fix", fix),),
        confirm=(_account(act.event),),
        at=act.at,
    )


def _account(act: ev.OrchestratorAct) -> Confirm:
    """Whoever ended it can be asked: a batch system that names the job by its number, else the cluster."""
    words = f"{act.reason} {act.text}".split()
    job = next((word for before, word in pairwise(words) if before == "JOB" and word.isdigit()), None)
    if job is None and act.act == "evicted":
        return Confirm("kubectl describe pod POD", "the cluster's own account")
    command = f"sacct -j {job or 'JOB'} --format=State,ExitCode,Elapsed,Timelimit,MaxRSS"
    return Confirm(command, "the batch system's own account")
