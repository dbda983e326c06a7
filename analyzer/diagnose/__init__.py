"""Per launch: run the rules, place what they find, fold the consequences, say the outcome; then the whole report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer import contract
from analyzer.diagnose import collateral, documents, findings
from analyzer.diagnose.judge import Judged, judge
from analyzer.diagnose.lines import Lines
from analyzer.diagnose.outcome import Judgement, outcome_of
from analyzer.diagnose.roles import Placed, place
from analyzer.diagnose.verdicts import verdict, worst
from analyzer.vocabulary import Outcome, Role, Status

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
_SLOW = frozenset({"slow-weight-load", "slow-kernel-compile"})


@dataclass(frozen=True, slots=True)
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
    deciding = [c for c in cases if c.incident.launch.last_of_server]
    overall = worst([(c.verdict, _effect_time(c)) for c in deciding]) or _nothing()
    return contract.Report(
        schema=contract.SCHEMA,
        tool=tool,
        verdict=overall,
        launches=[documents.launch(c.incident, c.verdict, lines) for c in cases],
        hosts=[documents.host(h) for h in (cases[-1].incident.hosts if cases else ())],
        findings=_ordered(findings.merged(_findings(c, lines) for c in cases), overall),
        cleared=_cleared(cases, lines),
        unknown=_unknown(cases),
        unexplained=[u for c in cases for u in collateral.unexplained(c.incident, c.placed, lines)],
        coverage=_coverage(reading, cases),
        lines=lines.table(text_of),
    )


def _case(incident: Incident) -> Case:
    judged = judge(incident)
    firm = {i for i, v in judged.found if v.status.strength >= Status.SUPPORTED.strength}
    harmed = any(v.harm for _, v in judged.found)
    bearing = Judgement(harmed=harmed, explains_quiet=bool(firm & _EXPLAIN_QUIET), slow=bool(firm & _SLOW))
    ended = outcome_of(incident, bearing)
    placed = place(judged.found, ended.outcome)
    return Case(incident, judged, ended, placed, verdict(incident, ended, placed))


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
        made.append(findings.finding(placed, case.incident.launch.id, lines, folded))
    return made


def _ordered(found: list[contract.Finding], overall: contract.Verdict) -> list[contract.Finding]:
    """The finding that the verdict names first; roots of other launches of the input contribute at most."""
    first = [f for f in found if f.id == overall.finding and f.launch == overall.launch and f.role == Role.ROOT.value]
    rest = [f for f in found if f not in first]
    return first + [replace(f, role=Role.BYSTANDER.value) if f.role == Role.ROOT.value else f for f in rest]


def _cleared(cases: Sequence[Case], lines: Lines) -> list[contract.Cleared]:
    found = {p.id for c in cases for p in c.placed}
    made = {
        (i, v.why): contract.Cleared(i, v.why, lines.ids(v.lines))
        for c in cases
        for i, v in c.judged.cleared
        if i not in found
    }
    return list(made.values())


def _unknown(cases: Sequence[Case]) -> list[contract.Unknown]:
    found = {p.id for c in cases for p in c.placed}
    made = {
        (i, v.needs): contract.Unknown(i, v.needs, [findings.confirm(x) for x in v.confirm])
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
    return made
