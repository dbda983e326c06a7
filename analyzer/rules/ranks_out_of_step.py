"""Ranks wait in different collectives: a bug, not a slow rank.

What it is. A collective only completes when every rank of the group calls the same one. Here some ranks wait in one
and others in another, so that neither can ever complete.

How it shows. Stacks of all ranks (`Pyspy dump for PID …` of a watchdog, or `py-spy dump` by hand) that end in
different collectives or in different callers; a time-out, or torch's flight recorders, with different operations under
one sequence number. Before that, a watchdog, a frozen heartbeat, or a time-out.

What it is mistaken for. A slow rank (then the others wait in one collective and it is elsewhere), the network, a full
KV pool. Pipeline stages wait in different places by design.

What confirms and refutes it. The stacks, again at the next stall; whether a condition before the collective depends
on what only one rank knows.

How it is fixed. By a release in which all ranks take the same branch; until then by switching off the feature whose
code the odd stack shows.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import units
from analyzer.ledgers import topology
from analyzer.ledgers.collectives import out_of_step, timed_out
from analyzer.ledgers.durations import stands_still
from analyzer.ledgers.flights import Flight
from analyzer.ledgers.flights import split as recorded
from analyzer.ledgers.stacks import EVERY_STACK, Stack, different, in_step
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.ledgers.collectives import Wait
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm(
        EVERY_STACK,
        "whether the same split shows at the next stall",
        where="container",
    ),
)
_EXPLAINS = (
    "scheduler-stalled",
    "collective-timeout",
    "rank-straggler",
    "launch-stalled",
    "warmup-failed",
    "scheduler-crashed",
    "zombie-server",
    "killed-by-unknown-sender",
)


@rule("ranks-out-of-step", explains=_EXPLAINS)
def split(incident: Incident) -> Iterator[Verdict]:
    """Stacks that end in different collectives while nothing moves; else one number with different operations."""
    places = different(incident)
    wait = timed_out(incident)
    if places and (stands_still(incident) or wait is not None):
        yield _by_stacks(incident, places)
    elif (apart := recorded(incident)) and (stands_still(incident) or wait is not None):
        yield _by_recorders(incident, apart)
    elif wait is not None and out_of_step(wait):
        yield _by_numbers(wait)
    elif places:
        yield Cleared("the stacks differ, and work goes on: each is of another moment")
    elif in_step(incident):
        yield Cleared("the stacks of all ranks that wait show the same collective")


def _by_stacks(incident: Incident, places: dict[str, list[Stack]]) -> Found:
    ordered = sorted(places.items(), key=lambda pair: len(pair[1]))
    odd, found = ordered[0]
    rest = "; ".join(f"{_who(stacks)} in {place}" for place, stacks in ordered[1:])
    lines = tuple(s.item.ref for _, stacks in ordered for s in stacks)
    last = incident.timeline.progress
    return Found(
        summary=f"{_who(found)} waits in {odd}, {rest}: neither collective can complete",
        claims=tuple(
            Claim(Part.EFFECT, f"{_who(stacks)} in {place}", Status.ESTABLISHED, tuple(s.item.ref for s in stacks[:8]))
            for place, stacks in ordered
        ),
        explanation="The calls above the odd one tell the branch that only it took: "
        + " < ".join(f.function for f in found[0].frames[:5]),
        numbers=(
            units.counted(len(found), lines[: len(found)], "ranks in the odd place").called("ranks in the odd place"),
        ),
        lines=lines,
        remedy=(
            Remedy("mitigate", f"as a test, switch off the feature whose code that is: {_feature(found[0])}"),
            Remedy(
                "fix", "report the stacks of all ranks to SGLang, or take a release in which all ranks take that branch"
            ),
        ),
        confirm=_CONFIRM,
        at=last.at if last is not None else found[0].item.at,
    )


def _by_recorders(incident: Incident, apart: dict[str, tuple[Flight, ...]]) -> Found:
    said = "; ".join(
        f"{topology.named(incident, tuple(f.rank for f in some))} in {name}" for name, some in apart.items()
    )
    first = next(iter(apart.values()))[0]
    lines = tuple(f.item.ref for some in apart.values() for f in some)
    return Found(
        summary=f"under number {first.done + 1:,} of one group ranks wait in different collectives: {said}",
        claims=(Claim(Part.EFFECT, f"by their flight recorders: {said}", Status.ESTABLISHED, lines[:8]),),
        numbers=(units.counted(len(lines), lines, "ranks that waited").called("ranks that waited"),),
        lines=lines,
        remedy=(Remedy("fix", "report the recorders of all ranks to SGLang: they took different branches"),),
        confirm=_CONFIRM,
        at=first.item.at,
    )


def _feature(stack: Stack) -> str:
    return f"{stack.asked.function} in {stack.asked.file}" if stack.asked is not None else stack.place


def _who(stacks: list[Stack]) -> str:
    names = [s.process.removeprefix("scheduler_") or s.process for s in stacks]
    return names[0] if len(names) == 1 else f"{len(names)} ranks ({', '.join(names[:8])})"


def _by_numbers(wait: Wait) -> Found:
    kinds = out_of_step(wait)
    said = "; ".join(f"{name} on {units.many(len(items), 'rank')}" for name, items in kinds.items())
    lines = tuple(t.ref for items in kinds.values() for t in items)
    return Found(
        summary=f"under one sequence number ranks wait in different collectives: {said}",
        claims=(Claim(Part.EFFECT, said, Status.SUPPORTED, lines[:8]),),
        numbers=(wait.sequence.called("number of the collective"),) if wait.sequence is not None else (),
        lines=lines,
        remedy=(Remedy("fix", "report the lines of all ranks to SGLang: they took different branches"),),
        confirm=_CONFIRM,
        at=wait.lines[0].at,
    )
