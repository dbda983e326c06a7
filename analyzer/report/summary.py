"""What a reader must know first, as plain sentences: shared by every renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import regex

from analyzer.report.select import MOST_CONTRIBUTING, in_role, interrupted, launch_of, place, root_of
from analyzer.vocabulary import Kind, Outcome, Phase, Role, Status

if TYPE_CHECKING:
    from analyzer.contract import Calculation, Confirm, Finding, Launch, NextStep, Remedy, Report, Verdict

MOST_ACTIONS = 3
_NAME = regex.compile(r"\S*[\d/_=]")
MOST_NOT_KNOWN = 2
_MOST_BESIDE = 2
_READ_OPS = frozenset({"read", "measured", "given", "release", "assumed"})
_ONE = {"ranks": "rank", "processes": "process", "nodes": "node", "kernels": "kernel", "requests": "request"}
_MEANING = {
    Status.ESTABLISHED: "established: the lines prove it",
    Status.SUPPORTED: "supported: sums and circumstances agree, nothing contradicts, no direct proof",
    Status.HYPOTHESIS: "hypothesis: possible, not shown; a check would decide",
    Status.UNKNOWN: "not known",
}
_LIVING = frozenset({Outcome.LAUNCH_SLOW, Outcome.LAUNCH_HUNG, Outcome.SERVING_HUNG, Outcome.ZOMBIE, Outcome.DEGRADED})
_CERTAINTY = {
    Status.ESTABLISHED: "Established",
    Status.SUPPORTED: "Supported, not proven",
    Status.HYPOTHESIS: "Hypothesis, not shown",
    Status.UNKNOWN: "Not known",
}


def word(verdict: Verdict) -> str:
    """The outcome as one short word: `HUNG`, `FAILED`, `READY`."""
    return verdict.outcome.rpartition("-")[2].upper()


def lead(report: Report) -> str:
    """The first sentences of every document: whether it is partial, which launch it speaks of, what became of that."""
    return f"{partial(report)}{which_launch(report)}{outcome(report)}"


def partial(report: Report) -> str:
    """A warning where the reading was interrupted, so that nothing is known of what follows; else nothing."""
    cut = [source for source in report.coverage.sources if interrupted(source)]
    if not cut:
        return ""
    last = next((source for source in cut if source.lines), cut[0])
    more = f", {len(cut) - 1} more of the inputs not to their end" if len(cut) > 1 else ""
    return f"Partial, as the reading was interrupted: {last.name} was read up to line {last.lines:,}{more}. "


def outcome(report: Report) -> str:
    """What became of the server, in which phase, and its last sign of life."""
    verdict = report.verdict
    if is_fine(report) and root_of(report) is None:
        return sentence(verdict.summary)
    last = f" Last sign of life: {verdict.last_sign_of_life.rstrip('.')}." if verdict.last_sign_of_life else ""
    return said_of(verdict) + last


def said_of(verdict: Verdict) -> str:
    """What an outcome says of the server, and in which phase it happened."""
    if verdict.outcome not in list(Outcome):
        return f"{verdict.outcome}{_phase(verdict.phase)}."
    known = Outcome(verdict.outcome)
    said = verdict.said or known.sentence
    if known is Outcome.UNKNOWN:
        return f"What became of the server {said}."
    return f"The server {said}{'' if known.fine or verdict.phase in said.split() else _phase(verdict.phase)}."


def _phase(phase: str | None) -> str:
    if phase is None:
        return ""
    return f", in {phase} ({Phase(phase).sentence})" if phase in list(Phase) else f", in {phase}"


def which_launch(report: Report) -> str:
    """`Launch 2 of 3 (llm-0; beside it llm-1: ready). ` where the input holds several, else nothing."""
    launch = launch_of(report)
    count = len(report.launches)
    if launch is None or count < 2:  # noqa: PLR2004 - one needs no number
        return ""
    named = launch.server.name or launch.id
    return f"Launch {report.launches.index(launch) + 1} of {count} ({named}{_beside(report, launch)}). "


def _beside(report: Report, launch: Launch) -> str:
    """The other servers of the input, each with what became of its last launch."""
    others = {one.server.name: one.verdict.outcome for one in report.launches if one.server.name != launch.server.name}
    shown = [f"{name}: {outcome}" for name, outcome in others.items()][:_MOST_BESIDE]
    more = f" and {len(others) - len(shown)} more" if len(others) > len(shown) else ""
    return f"; beside it {', '.join(shown)}{more}" if shown else ""


def meaning(status: str | None) -> str:
    """A status with what it means."""
    return _MEANING[Status(status)] if status in list(Status) else "not known"


def cause(report: Report) -> str:
    """The cause in one sentence after its status, worded no stronger than its kind and status allow."""
    root = root_of(report)
    if root is None:
        return "" if is_fine(report) else f"Not known. {_unexplained(report) or sentence(report.verdict.summary)}"
    if root.kind in {Kind.MANIFESTATION, Kind.RISK} and not is_fine(report):
        return f"Not known. What shows ({root.status}): {root.summary}"
    return f"{_CERTAINTY[Status(root.status)] if root.status in list(Status) else root.status}: {root.summary}"


def _unexplained(report: Report) -> str:
    """An error line that nothing explains: without a cause, a place to begin."""
    entry = next(iter(report.unexplained), None)
    if entry is None or entry.line not in report.lines:
        return ""
    text = report.lines[entry.line].text.strip().rpartition("\n")[2]
    return f"An error line that nothing explains: {place(report, entry.line)}  {text}"


def is_fine(report: Report) -> bool:
    """Whether nothing is wrong with the server."""
    return report.verdict.outcome in {o for o in Outcome if o.fine}


def beside(report: Report) -> str:
    """The contributing findings by name, at most three, the rest counted; empty when there is none."""
    names = [finding.id for finding in in_role(report, Role.CONTRIBUTING)]
    more = len(names) - MOST_CONTRIBUTING
    return ", ".join(names[:MOST_CONTRIBUTING]) + (f" and {more} more" if more > 0 else "")


def sum_line(finding: Finding | None) -> str:
    """The arithmetic in one line: the rule's own, else the first sum in full, what it is held against, its outcome.

    Figures that nothing is made of are listed, one alone is no sum.
    """
    if finding is not None and finding.sum:
        return finding.sum
    steps = finding.calculation if finding else []
    made = [step for step in steps if step.op not in _READ_OPS]
    if not made:
        return " · ".join(_named(step) for step in steps[:4]) if len(steps) > 1 else ""
    first, later = made[0], made[1:]
    drawn = [step for step in later if first.id in step.of]
    against = [s for s in steps if s.op in _READ_OPS and s.id not in first.of and any(s.id in d.of for d in drawn)]
    return " · ".join([first.expression, *map(_named, against), *map(_named, drawn or later)])


def _named(step: Calculation) -> str:
    if step.unit != "1" or step.op in {"read", "given", "release"} or not step.shown.replace(",", "").isdigit():
        return f"{step.name} {step.shown}"
    what, _, rest = step.name.partition(" ")
    one = _ONE.get(what, what) if step.shown == "1" else what
    return " ".join(filter(None, (step.shown, one, rest)))


def flag(argument: str) -> str:
    """A server argument as it is typed: `--hicache-size`; what is none of SGLang's (`failureThreshold`) as it is."""
    return argument if argument.startswith("-") or not argument.islower() else "--" + argument.replace("_", "-")


def change(remedy: Remedy) -> str:
    """`--hicache-size 300 → 48`, `--nnodes 2`, or `without --flag` for a switch; empty where no argument changes."""
    if remedy.argument is None or (remedy.to is None and flag(remedy.argument) in remedy.action):
        return ""
    if remedy.to == "off":  # a switch takes no value that could be typed
        return f"without {flag(remedy.argument)}"
    was = f" {remedy.from_}" if remedy.from_ is not None else ""
    to = f" {'→ ' * (remedy.from_ is not None)}{remedy.to}" if remedy.to is not None else ""
    return flag(remedy.argument) + was + to


def actions(report: Report) -> list[str]:
    """What to do now: what mitigates, then what fixes."""
    root = root_of(report)
    steps = [remedy for remedy in ordered(root) if remedy.kind != "prevent"] if root else []
    return [_action(remedy) for remedy in steps[:MOST_ACTIONS]]


def ordered(finding: Finding) -> list[Remedy]:
    """The remedies of a finding: what mitigates, what fixes, what prevents."""
    kinds = ("mitigate", "fix", "prevent")
    return sorted(finding.remedy, key=lambda r: kinds.index(r.kind) if r.kind in kinds else len(kinds))


def _action(remedy: Remedy) -> str:
    said = sentence(remedy.action).removesuffix(".")
    changed = change(remedy)
    named = remedy.to is not None and remedy.to in said and flag(remedy.argument or "") in said
    stated = changed in said or named
    return sentence(said) if stated else f"{said}: {changed}."


def without_a_cause(report: Report) -> str:
    """What to do where no finding says what helps: keep what would tell, before a restart takes it away."""
    if not any(launch.processes for launch in report.launches):
        return "Add the server's own log, from its first line on: nothing that was read is one."
    if report.verdict.outcome in _LIVING:
        return "Run what is not known below before anything is killed: stacks and states are gone with the processes."
    return "Keep the whole log and the kernel's before a restart: the cause is not known."


def losing(report: Report) -> str:
    """What is lost when the processes are killed before anything else is looked at, as a sentence."""
    root = root_of(report)
    return sentence(root.lose) if root and root.lose else ""


def sentence(text: str) -> str:
    """`text` with a capital at its beginning and a full stop at its end, unless it ends with a mark of its own."""
    end = "" if text.endswith(("?", "!")) else "."
    begin = text[:1] if _NAME.match(text) else text[:1].upper()  # an id or a path keeps its letters
    return f"{begin}{text[1:].rstrip('.')}{end}"


class Question(NamedTuple):
    """Something that is not known, the command that decides it, and where to run that; empty where none is known."""

    text: str
    command: str
    where: str


def not_known(report: Report) -> list[Question]:
    """The open questions of the root, else those of the whole report; none where nothing is wrong."""
    if is_fine(report):
        return []
    root = root_of(report)
    asked = [_asked(check) for check in root.confirm] if root else []
    asked = asked or [Question(sentence(text).removesuffix("."), "", "") for text in (root.not_known if root else [])]
    asked = asked or [_asked(step) for step in report.next]
    asked = asked or [_asked(check) for open_ in report.unknown for check in open_.confirm]
    return list(dict.fromkeys(asked))[:MOST_NOT_KNOWN]


def _asked(check: Confirm | NextStep) -> Question:
    return Question(sentence(check.decides).removesuffix("."), check.command, where(check))


def where(check: Confirm | NextStep) -> str:
    """Where a command is to be run, with a warning where it changes something."""
    place = f"{'in' if check.where == 'container' else 'on'} the {check.where}"
    return place if check.read_only else f"{place}; changes something"
