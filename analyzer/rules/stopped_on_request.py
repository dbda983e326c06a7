"""The server was asked to stop, and did.

What it is. SIGTERM or SIGINT from outside (a deploy, a person, the end of a job), and no error of the server's own
before it. Nothing is wrong with this server; its peers, and the other nodes of it, may have lost it.

How it shows. `SIGTERM received. … Draining requests and shutting down`, uvicorn's `Shutting down`, KeyboardInterrupt,
exit code 143, an orchestrator's `Stopping container`.

What it is mistaken for. Up to 0.5.5 a clean stop ends in exit code -9, since SGLang kills its own tree. Errors of
other processes *after* the signal are the shutdown's noise; a node whose head was stopped ends in TCPStore errors. A
probe that sends SIGTERM is another finding, and so is a stall before it. A drain that outlasts the time it is given
(`terminationGracePeriodSeconds`, `docker stop -t`, `TimeoutStopSec`) is cut by SIGKILL: killed, and yet by request.

What confirms and refutes it. The sender: the orchestrator's events, the job's log, the shell's history.

How it is fixed. Nothing to fix here; where the drain was cut, give it more time than its longest request takes.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.ledgers import drains, endings
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_WHO = Confirm("kubectl get events; journalctl -u sglang; last -x", "who sent the signal")
_LONGER = Remedy(
    "prevent",
    "give the drain as long as the longest request may take: terminationGracePeriodSeconds, docker stop -t, "
    "TimeoutStopSec; KillWait with Slurm",
    risk="a stop then takes as long",
)
_EXPLAINS = (
    "killed-by-unknown-sender",
    "collective-timeout",
    "distributed-init-stalled",
    "scheduler-crashed",
    "pd-transfer-failed",
    "warmup-failed",
    "launch-stalled",
)


@rule("stopped-on-request", explains=_EXPLAINS)
def stopped(incident: Incident) -> Iterator[Verdict]:
    """The first request to stop, where no error of the server's own and no kill came before it."""
    stop = endings.stop(incident)
    if stop is None:
        return
    first = _earlier(incident, stop)
    if first is not None:
        yield Cleared(f"something else came before the request to stop: {first.why[:160]}", (first.ref, stop.ref))
        return
    cut = drains.cut(incident)
    peers = [t.ref for t in incident.of(ev.Failure) if t.event.victim]
    yield Found(
        summary=f"it was asked to stop ({stop.why[:120]}), and it had no error of its own before{_cut_short(cut)}",
        claims=(
            Claim(Part.EFFECT, stop.item.event.text[:200] or stop.why, Status.ESTABLISHED, (stop.ref,)),
            *_end(cut),
        ),
        lines=(stop.ref, *(claim.lines[0] for claim in _end(cut)), *peers),
        remedy=(_LONGER,) if cut else (),
        confirm=(_WHO,),
        at=stop.item.at,
    )


def _cut_short(cut: drains.Cut | None) -> str:
    return f"; it was killed before it was done{drains.left_over(cut)}" if cut is not None else ""


def _end(cut: drains.Cut | None) -> tuple[Claim, ...]:
    """What shows that it was not done: the kill, and the last word of the shutdown before it."""
    if cut is None:
        return ()
    left = (cut.left.ref,) if cut.left is not None else ()
    return (Claim(Part.END, f"{cut.kill.why}{drains.left_over(cut)}", Status.ESTABLISHED, (cut.kill.ref, *left)),)


def _earlier(incident: Incident, stop: endings.Ending) -> endings.Ending | None:
    """What came before the request, or sent it: an error, a kill, a probe, a limit of the job."""
    act = endings.probed(incident) or endings.limited(incident)
    if act is not None:
        return endings.Ending(act, act.event.reason or act.event.text)
    error = endings.own_error(incident) if endings.lost_peer(incident) is None else None
    if error is not None and endings.before(error, stop):
        return error
    kill = endings.kill(incident)
    return kill if kill is not None and endings.before(kill, stop) else None
