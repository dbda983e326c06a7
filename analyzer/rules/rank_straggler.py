"""One rank holds the others at a barrier.

What it is. All ranks but one (or but one node's) have come to a point where each needs the others; the one that is
missing is slow, stopped, stuck elsewhere, or dead.

How it shows. `TP rank 0 could finish the model loading, but there are other ranks that didn't finish loading`; a
collective that timed out on all ranks but one; a phase that one rank never began; stacks in which all but one wait in
the same collective; torch's flight recorders (`nccl_trace_rank_N`), of which one never queued what the others wait for;
a scheduler in state T (stopped) of `ps`.

What it is mistaken for. The ranks that complain: they are well. A lack of memory, which SGLang's own text offers. A
failure of the network. Ranks that wait in *different* collectives are out of step, which is another finding.

What confirms and refutes it. The log and the stack of the rank that is missing; its storage's speed; `ps`,
`nvidia-smi`.

How it is fixed. Where storage differs: the same local copy on every node. Else by what that rank waits for.

Since and until which release. Any; the barrier after loading waits 480 s (300 s in older releases).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings, topology
from analyzer.ledgers.collectives import earlier, timed_out
from analyzer.ledgers.durations import between, load, stands_still
from analyzer.ledgers.endings import ends_it
from analyzer.ledgers.flights import gap
from analyzer.ledgers.processes import listing
from analyzer.ledgers.stacks import EVERY_STACK, Stack, elsewhere
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy, Unknown
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.collectives import Wait
    from analyzer.units import Amount, Second
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(EVERY_STACK, "where the missing rank stands", where="container"),
    Confirm("docker logs CONTAINER 2>&1 | tail -300", "what it was doing meanwhile, on its own node", where="node"),
)
_HINT = (
    "The rank that complains is one that came; its hint at an OOM or a slow node is printed for whatever keeps another."
)
_EXPLAINS = (
    "collective-timeout",
    "launch-stalled",
    "scheduler-stalled",
    "scheduler-crashed",
    "warmup-failed",
    "graph-capture-failed",
    "zombie-server",
)


_CUT = Claim(Part.LINK, "the log ends with these lines: it may be cut before the silent rank's", Status.HYPOTHESIS)


@rule("rank-straggler", explains=_EXPLAINS)
def straggler(incident: Incident) -> Iterator[Verdict]:
    """The rank that the others wait for, by a barrier's own words, by a time-out, by stacks or by its state."""
    for look in (_at_barrier, _by_recorder, _by_timeout, _by_state, _by_stack, _by_phase):
        verdict = look(incident)
        if verdict is not None:
            yield verdict
            return


def _at_barrier(incident: Incident) -> Verdict | None:
    """SGLang's barrier after loading: the ranks that did not print the end of their load."""
    said = [t for t in incident.failures("rank-straggler") if ends_it(incident, t)]
    if not said:
        return None
    size = topology.world(incident)
    loaded = {topology.world_rank(incident, t.rank) for t in incident.of(ev.WeightsLoaded)}
    late = tuple(r for r in range(size) if r not in loaded) if size else ()
    who = topology.named(incident, late) if late else "a rank whose log is not here"
    shards, waited = load(incident), _waited(incident, said[0])
    numbers: list[Amount[Any]] = [
        t.event.elapsed.called("time that a rank took to load")
        for t in incident.of(ev.WeightsLoaded)[:1]
        if t.event.elapsed
    ]
    numbers += [waited] if waited is not None else []
    numbers += [shards.each, shards.whole] if shards is not None else []
    found = _found(
        f"{who} did not finish loading while {topology.named(incident, _ranks(loaded))} waited at the barrier",
        Claim(Part.EFFECT, said[0].event.text[:200], Status.ESTABLISHED, tuple(t.ref for t in said)),
        Claim(Part.LINK, f"all ranks but {who} print the end of their load", Status.SUPPORTED),
        numbers=tuple(numbers),
        lines=(*(t.ref for t in said), *_same_records(incident, said)),
        at=said[0],
    )
    total = f"the first rank waited {units.shown(waited)} at the barrier for {who}" if waited is not None else None
    return replace(found, explanation=_HINT, sum=total)


def _waited(incident: Incident, said: Timed[ev.Failure]) -> Amount[Second] | None:
    """How long the rank that complains stood at the barrier: from the end of its own load on."""
    own = [t for t in incident.of(ev.WeightsLoaded) if t.at is not None and t.process == said.process]
    if not own or own[0].at is None or said.at is None or said.at.seconds <= own[0].at.seconds:
        return None
    return between((own[0].at, own[0].ref), (said.at, said.ref), "waited at the barrier")


def _ranks(found: set[int | None]) -> tuple[int, ...]:
    return tuple(sorted(r for r in found if r is not None))


def _same_records(incident: Incident, said: list[Timed[ev.Failure]]) -> tuple[Ref, ...]:
    places = {(t.ref.source, t.ref.line) for t in said}
    return tuple(t.ref for t in incident.of(ev.ExceptionRaised) if (t.ref.source, t.ref.line) in places)


def _by_recorder(incident: Incident) -> Verdict | None:
    """The rank whose flight recorder never saw the collective that all others wait for."""
    found, wait = gap(incident), timed_out(incident)
    if found is None or not (stands_still(incident) or (wait is not None and not earlier(incident, wait))):
        return None
    late, waiting = (topology.named(incident, tuple(f.rank for f in some)) for some in (found.late, found.waiting))
    refs = tuple(f.item.ref for f in (*found.late, *found.waiting))
    operation = found.waiting[0].operation
    return _found(
        f"{late} never queued collective {found.number:,} ({operation}) of its group; {waiting} waited for it",
        Claim(Part.EFFECT, f"{waiting} queued it, and it never completed", Status.ESTABLISHED, refs[len(found.late) :]),
        Claim(
            Part.LINK,
            f"the last that {late} queued is {found.late[0].queued:,}, by its flight recorder",
            Status.ESTABLISHED,
            refs[: len(found.late)],
        ),
        numbers=(units.counted(len(found.waiting), refs, "ranks that waited").called("ranks that waited"),),
        lines=refs,
        at=found.late[0].item,
    )


def _by_timeout(incident: Incident) -> Verdict | None:
    """The rank that did not come to a collective, where the logs of all are here."""
    wait = timed_out(incident)
    if wait is None:
        return None
    if earlier(incident, wait):
        return Cleared("a process had ended with an error of its own before", (wait.lines[0].ref,))
    if not wait.guilty:
        return (
            Unknown(needs=f"the logs of {topology.named(incident, wait.unheard)}", confirm=_CONFIRM)
            if wait.unheard
            else None
        )
    lines = tuple(t.ref for t in wait.lines)
    says = "never queued the collective" if wait.behind else "is the only one that reports nothing"
    waited = units.counted(len(wait.waiting), lines, "ranks that waited").called("ranks that waited")
    return _found(
        f"{topology.named(incident, wait.guilty)} {says}; {topology.named(incident, wait.waiting)} waited for it",
        Claim(Part.EFFECT, wait.lines[0].event.text[:200], Status.ESTABLISHED, lines[:8]),
        Claim(Part.LINK, f"{topology.named(incident, wait.guilty)} {says}", Status.SUPPORTED),
        *(() if wait.behind or _heard_out(incident, wait) else (_CUT,)),
        numbers=(waited, *((wait.elapsed.called("time waited"),) if wait.elapsed is not None else ())),
        lines=lines,
        at=wait.lines[0],
    )


def _heard_out(incident: Incident, wait: Wait) -> bool:
    """Whether the logs go on behind the lines of the time-out, so that a rank that is silent had its turn."""
    ends: dict[str, int] = {}
    for item in wait.lines:
        behind_it = incident.launch.written(item.ref.source, item.ref.last_line)
        ends[item.ref.source] = max(item.written, behind_it, ends.get(item.ref.source, behind_it))
    behind = {s for s, place in ends.items() for t in incident.launch.events if t.ref.source == s and t.written > place}
    return behind == ends.keys()


def _by_state(incident: Incident) -> Verdict | None:
    """A scheduler that a signal has stopped (state T), while the others stand still."""
    seen = listing(incident)
    alive = {t.event.pid: t for t in seen.alive if t.event.state} if seen is not None else {}
    stopped = [t for t in alive.values() if t.event.state.startswith(("T", "t"))]
    if not stopped or len(stopped) == len(alive) or not stands_still(incident):
        return None
    names = ", ".join(t.event.command.split(" ")[0] for t in stopped[:4])
    return _found(
        f"{names} is stopped (state {stopped[0].event.state}); the other ranks wait for it",
        Claim(Part.EFFECT, stopped[0].event.text[:200], Status.ESTABLISHED, tuple(t.ref for t in stopped[:4])),
        Claim(Part.LINK, "no other rank is stopped, and no work was done any more", Status.SUPPORTED),
        lines=tuple(t.ref for t in stopped),
        at=stopped[0],
    )


def _by_stack(incident: Incident) -> Verdict | None:
    """The one rank whose stack shows it elsewhere."""
    odd = elsewhere(incident)
    if odd is None or not stands_still(incident):
        return None
    one, others = odd
    return _found(
        f"{one.process} stands in {one.place} while {len(others)} other ranks wait in {others[0].place}",
        Claim(Part.EFFECT, f"{one.process}: {_calls(one)}", Status.ESTABLISHED, (one.item.ref,)),
        Claim(
            Part.LINK, f"all others wait in {others[0].place}", Status.SUPPORTED, tuple(s.item.ref for s in others[:8])
        ),
        lines=(one.item.ref, *(s.item.ref for s in others)),
        at=one.item,
    )


def _calls(stack: Stack) -> str:
    return " < ".join(f.function for f in stack.frames[:5])


def _by_phase(incident: Incident) -> Verdict | None:
    """The one rank that never began the phase in which all others stand, and nothing more is known of it."""
    if endings.past_launch(incident) or endings.own_error(incident) is not None or not stands_still(incident):
        return None
    lines = [p for p in incident.timeline.schedulers if p.current is not None]
    order = list(Phase)
    reached = [order.index(p.current.phase) for p in lines if p.current is not None]
    behind = [p for p, r in zip(lines, reached, strict=True) if r < max(reached)]
    if len(lines) < 2 or len(behind) != 1 or behind[0].last is None:  # noqa: PLR2004 - one against others
        return None
    phase = order[max(reached)]
    return _found(
        f"{behind[0].id} never began {phase}; {units.many(len(lines) - 1, 'other rank')} did",
        Claim(
            Part.EFFECT,
            f"the last line of {behind[0].id}: {behind[0].last.event.text[:120]}",
            Status.ESTABLISHED,
            (behind[0].last.ref,),
        ),
        Claim(Part.LINK, "why it did not go on is not known", Status.HYPOTHESIS),
        lines=(behind[0].last.ref,),
        at=behind[0].last,
    )


def _found(
    summary: str,
    *claims: Claim,
    lines: tuple[Ref, ...],
    at: Timed[Any],
    numbers: tuple[Amount[Any], ...] = (),
) -> Found:
    return Found(
        summary=summary,
        claims=claims,
        numbers=numbers,
        lines=lines,
        remedy=(
            Remedy("mitigate", "take the stack and the log of that rank before a restart"),
            Remedy("prevent", "the same storage, the same cards and the same clocks for every rank"),
        ),
        confirm=_CONFIRM,
        at=at.at,
        not_known=("what held that rank",),
    )
