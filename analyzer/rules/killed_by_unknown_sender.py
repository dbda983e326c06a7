"""A process was ended by SIGKILL, and no record says who sent it.

What it is. Exit code -9 of a rank (137 of a container), a shell's `Killed`, or a process that is gone without a word
while its peers say that they lost it; no exception of the server before it, no kernel or cgroup record.

How it shows. `Rank N scheduler died during initialization (exit code: -9)`, `terminated with -9`, `exited with 137`,
gloo's `Connection closed by peer` on every other rank; or nothing but the resource tracker's leaked semaphores.

What it is mistaken for. The OOM killer: SGLang prints a hint about it behind every exit code -9, but a person, an
orchestrator, a job's end and SGLang itself (which kills its own tree after any child's exception, and up to 0.5.5 at
a clean stop) send the same signal.

What confirms and refutes it. `dmesg -T`, `docker inspect` (OOMKilled), `kubectl describe pod`, the job's accounting.

How it is fixed. By its sender, which this finding does not name.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.memory_kills import done
from analyzer.ledgers.processes import exit_codes
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("dmesg -T | grep -i oom", "whether the kernel's OOM killer sent it"),
    Confirm(
        "docker inspect -f '{{.State.OOMKilled}} {{.State.ExitCode}}' CONTAINER", "whether the container's limit did"
    ),
    Confirm("kubectl describe pod POD; sacct -j JOB --format=State,ExitCode,MaxRSS", "whether an orchestrator did"),
)
_HINT = "SGLang prints its hint at the OOM killer behind every such exit code: it is a guess, and no record of a kill."
_EXPLAINS = ("collective-timeout", "distributed-init-stalled", "scheduler-crashed", "warmup-failed")


@rule("killed-by-unknown-sender", explains=_EXPLAINS)
def killed(incident: Incident) -> Iterator[Verdict]:
    """The first SIGKILL that nothing explains."""
    kill, announced = endings.kill(incident, announced=False), endings.kill(incident)
    if kill is None and announced is not None:
        yield Cleared(f"{announced.item.event.killer} announced an end, and no SIGKILL is shown", (announced.ref,))
    if kill is None:
        return
    cleared = _named(incident, kill)
    yield cleared if cleared is not None else _found(incident, kill)


def _named(incident: Incident, kill: endings.Ending) -> Cleared | None:
    """Why it is no kill by an unknown sender: something else came first, or a record names who sent it."""
    error, stop = endings.own_error(incident), endings.stop(incident)
    act = endings.probed(incident) or endings.limited(incident)
    if error is not None and endings.lost_peer(incident) is None and endings.before(error, kill):
        return Cleared("an error of the server's own came first: SGLang then kills its own tree", (error.ref,))
    if stop is not None and not endings.before(kill, stop):
        return Cleared("a request to stop came first", (stop.ref,))
    if done(incident) or any(t.event.oom for t in exit_codes(incident)):
        return Cleared("a record names the sender", (kill.ref,))
    if act is not None or isinstance(kill.item.event, ev.OrchestratorAct):
        return Cleared("an orchestrator says that it ended the server", ((act or kill.item).ref,))
    return None


def _found(incident: Incident, kill: endings.Ending) -> Found:
    code = getattr(kill.item.event, "code", None)
    numbers = (code.called("exit code"),) if code is not None else ()
    phase = incident.timeline.phase()
    when = f" in {phase}" if phase is not None else ""
    return Found(
        summary=f"{_what(kill)}{when}; nothing says who ended it",
        claims=(
            Claim(Part.EFFECT, kill.why, Status.ESTABLISHED, (kill.ref,)),
            Claim(Part.LINK, "its sender is not known", Status.HYPOTHESIS),
        ),
        explanation=_HINT if isinstance(kill.item.event, ev.RankDead) else "",
        numbers=numbers,
        lines=(kill.ref, *_echoes(incident)),
        remedy=(Remedy("mitigate", "look for the sender before starting again: the same signal will come again"),),
        confirm=_CONFIRM,
        at=kill.item.at,
        not_known=("who sent SIGKILL",),
    )


def _what(kill: endings.Ending) -> str:
    event = kill.item.event
    code = getattr(event, "code", None)
    if isinstance(event, ev.Failure):
        return "a process of the server was gone without a word, and the others lost it"
    if isinstance(event, ev.Notice):
        return "all processes of the server were gone at once without a word"
    said = f" with exit code {units.shown(code)}" if code is not None else ""
    return f"a process of the server was ended by SIGKILL{said}"


def _echoes(incident: Incident) -> tuple[Ref, ...]:
    """Lines that repeat the death: messengers, and peers that lost it."""
    told = [t.ref for t in (*incident.of(ev.RankDead, ev.KilledPrinted), *incident.notices("abrupt-end"))]
    return (*told[:8], *(t.ref for t in incident.of(ev.Failure) if t.event.victim))
