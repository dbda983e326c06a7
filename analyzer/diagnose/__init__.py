"""Per launch: run the rules, place what they find, fold the consequences, say the outcome; then the whole report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer import contract
from analyzer.diagnose import collateral, documents, findings
from analyzer.diagnose.commands import next_steps
from analyzer.diagnose.judge import Judged, judge
from analyzer.diagnose.lines import Lines
from analyzer.diagnose.outcome import Judgement, outcome_of
from analyzer.diagnose.roles import Placed, place
from analyzer.diagnose.verdicts import verdict, worst
from analyzer.immutable import immutable
from analyzer.vocabulary import Outcome, Phase, Role, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.diagnose.outcome import Ended
    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.parsers.parsed import Parsed

# Found on a server that is not ready, these explain why it is quiet even where no clock dates the silence.
_EXPLAIN_QUIET = frozenset(
    {
        "per-rank-host-memory-oversubscription",
        "host-memory-exhausted",
        "host-oom-kill",
        "numa-memory-exhausted",
        "ranks-out-of-step",
        "rank-straggler",
    }
)
# The phase in which such a failure happens, also where the phase before it is the last that a line tells of.
_HAPPENS_IN = {
    "model-download-failed": Phase.MODEL_DOWNLOAD,
    "distributed-init-stalled": Phase.DISTRIBUTED_INIT,
    "weights-exceed-gpu-memory": Phase.WEIGHT_LOAD,
    "kv-pool-no-room": Phase.KV_POOL,
    "graph-capture-oom": Phase.GRAPH_CAPTURE,
    "graph-capture-failed": Phase.GRAPH_CAPTURE,
    "hicache-refused": Phase.HOST_POOL,
    "hicache-falsely-refused": Phase.HOST_POOL,
    "hicache-pool-too-small": Phase.HOST_POOL,
    "warmup-failed": Phase.WARM_UP,
}
# What a headline says itself is not listed as ruled out below it, whatever the silence alone would prove.
_SAID = {
    Outcome.LAUNCH_HUNG: "launch-stalled",
    Outcome.SERVING_HUNG: "scheduler-stalled",
    Outcome.ZOMBIE: "zombie-server",
}
_NO_LAUNCH = "no log, listing or command line of a server is here: what is told of ends is placed in no launch"
_SLOW = frozenset({"slow-weight-load", "slow-kernel-compile"})


@immutable
class Reading:
    """How the input was read: its sources, a sentence for each part that could not be read, notes, facts given."""

    sources: Sequence[Parsed]
    unreadable: Sequence[str] = ()
    notes: Sequence[str] = ()
    given: Sequence[str] = ()


@dataclass(slots=True)
class Case:
    """One launch, judged."""

    incident: Incident
    judged: Judged
    ended: Ended
    placed: list[Placed]
    verdict: contract.Verdict


def diagnose(
    incidents: Sequence[Incident],
    reading: Reading,
    tool: contract.Tool,
    text_of: Callable[[list[Ref]], dict[Ref, str]],
) -> contract.Report:
    """The report on one input; `text_of` gives the text of cited lines."""
    cases = [_case(incident) for incident in incidents]
    lines = Lines()
    deciding = _deciding(cases)
    overall = worst([(c.verdict, _effect_time(c)) for c in deciding]) or _nothing()
    found = _ordered(findings.merged(_findings(c, lines) for c in cases), overall)
    unknown = _unknown(cases)
    return contract.Report(
        schema=contract.SCHEMA,
        tool=tool,
        verdict=overall,
        launches=[documents.launch(c.incident, c.verdict, lines) for c in cases if c.incident.launch.shown],
        hosts=list({host.name: host for c in cases for host in documents.hosts(c.incident)}.values()),
        findings=found,
        cleared=_cleared(cases, lines),
        unknown=unknown,
        unexplained=[u for c in cases for u in collateral.unexplained(c.incident, c.placed, lines)],
        coverage=_coverage(reading, cases),
        lines=lines.table(text_of),
        next=next_steps(overall, found, unknown),
    )


def _case(incident: Incident) -> Case:
    judged = judge(incident)
    firm = {i for i, v in judged.found if v.status.strength >= Status.SUPPORTED.strength}
    harmed = any(v.harm for _, v in judged.found)
    bearing = Judgement(harmed=harmed, explains_quiet=bool(firm & _EXPLAIN_QUIET), slow=bool(firm & _SLOW))
    ended = outcome_of(incident, bearing)
    placed = place(judged.found, ended.outcome)
    if ended.outcome is Outcome.LAUNCH_FAILED and ended.phase is not None:
        ended = replace(ended, phase=_happened_in(placed) or ended.phase)
    return Case(incident, judged, ended, placed, verdict(incident, ended, placed))


def _happened_in(placed: Sequence[Placed]) -> Phase | None:
    """The phase that the root is of, or a refusal that the root explains."""
    telling = (p.id for p in placed if p.role is Role.ROOT or p.id == "hicache-refused")
    return next((_HAPPENS_IN[id_] for id_ in telling if id_ in _HAPPENS_IN), None)


def _deciding(cases: Sequence[Case]) -> list[Case]:
    """The last launch of each server; one of which nothing is known only where no other in its logs is known."""
    last = [c for c in cases if c.incident.launch.last_of_server]
    told = {s for c in last if c.verdict.outcome != Outcome.UNKNOWN.value for s in c.incident.launch.sources}
    return [c for c in last if c.verdict.outcome != Outcome.UNKNOWN.value or told.isdisjoint(c.incident.launch.sources)]


def _effect_time(case: Case) -> float:
    root = next((p for p in case.placed if p.role is Role.ROOT), None)
    return root.found.at.seconds if root is not None and root.found.at is not None else float("inf")


def _nothing() -> contract.Verdict:
    text = "nothing here is recognised as an SGLang server's"
    return contract.Verdict(None, Outcome.UNKNOWN.value, None, None, None, text, None, None)


def _findings(case: Case, lines: Lines) -> list[contract.Finding]:
    made = []
    for placed in case.placed:
        folded = collateral.folded(case.incident, case.placed, lines) if placed.role is Role.ROOT else []
        made.append(findings.finding(placed, case.incident, lines, folded))
    return made


def _ordered(found: list[contract.Finding], overall: contract.Verdict) -> list[contract.Finding]:
    """The finding that the verdict names first; what other launches of the input suffered from stands by."""
    first = [f for f in found if f.id == overall.finding and f.launch == overall.launch and f.role == Role.ROOT.value]
    return first + [_beside(f, overall) for f in found if f not in first]


def _beside(found: contract.Finding, overall: contract.Verdict) -> contract.Finding:
    accuses = found.role == Role.ROOT.value or (
        found.role == Role.CONTRIBUTING.value and found.launch != overall.launch
    )
    return replace(found, role=Role.BYSTANDER.value) if accuses else found


def _cleared(cases: Sequence[Case], lines: Lines) -> list[contract.Cleared]:
    found = {p.id for c in cases for p in c.placed}
    made = {
        (i, v.why): contract.Cleared(i, v.why, lines.ids(v.lines))
        for c in cases
        for i, v in c.judged.cleared
        if i not in found and i != _SAID.get(Outcome(c.verdict.outcome))
    }
    return list(made.values())


def _unknown(cases: Sequence[Case]) -> list[contract.Unknown]:
    found = {p.id for c in cases for p in c.placed}
    made = {
        (i, v.needs): contract.Unknown(i, v.needs, [findings.confirm(x, c.incident) for x in v.confirm])
        for c in cases
        for i, v in c.judged.unknown
        if i not in found
    }
    return list(made.values())


def _coverage(reading: Reading, cases: Sequence[Case]) -> contract.Coverage:
    seen = any(c.incident.launch.events for c in cases)
    read = [documents.source(s) for s in reading.sources]
    lost = [documents.unread(text) for text in reading.unreadable]
    partial = bool(lost) or any(s.truncated or s.errors for s in reading.sources)
    notes = [*reading.notes, *_of_launches(cases)]
    return contract.Coverage(seen, partial, read + lost, list(reading.given), list(dict.fromkeys(notes)))


def _of_launches(cases: Sequence[Case]) -> list[str]:
    made = []
    for case in cases:
        launch, hosts = case.incident.launch, case.incident.hosts
        made += [*launch.notes, *launch.release.notes, *(n for host in hosts for n in host.notes)]
        made += [f"{a.name}: {a.note}" for a in launch.arguments.both(launch.release) if a.note]
        made += [] if launch.shown else [_NO_LAUNCH]
    return made
