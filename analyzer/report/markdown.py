"""The report as GitHub Markdown: verdict and remedy first, then arithmetic, timeline, quoted lines, environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.contract import SCHEMA
from analyzer.report.appendix import capacity, machine, span_of, spread
from analyzer.report.escape import code, fenced, markdown
from analyzer.report.groups import alike, ids
from analyzer.report.select import MOST_CONTRIBUTING, in_role, launch_of, place, places, quoted_text, root_of
from analyzer.report.summary import (
    actions,
    cause,
    losing,
    meaning,
    not_known,
    ordered,
    outcome,
    sum_line,
    where,
    which_launch,
    word,
)
from analyzer.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.contract import Calculation, Finding, Launch, Remedy, Report

MARK = f"<!-- {SCHEMA} -->"  # unseen on the page; by it the program knows its own report from evidence
MOST_GROUPS = 16
MOST_QUOTED = 60


def render(report: Report) -> str:
    """The whole document; nothing of a log becomes markup, HTML, a link or a mention."""
    launch = launch_of(report)
    parts = [
        MARK,
        *_verdict(report),
        *_main_findings(report),
        *_timeline(launch),
        *_others(report),
        *_unexplained(report),
        *_environment(report, launch),
        *_coverage(report),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _verdict(report: Report) -> list[str]:
    root = root_of(report)
    server = launch_of(report)
    title = f"# {word(report.verdict)}: {markdown(server.server.name) if server else 'no launch recognised'}"
    said = markdown(f"{which_launch(report)}{outcome(report)}")
    steps = [f"{number}. {markdown(action)}" for number, action in enumerate(actions(report), 1)]
    lost = losing(report)
    open_ = [
        f"- {markdown(q.text)}{f': {code(q.command)} ({q.where})' if q.command else ''}" for q in not_known(report)
    ]
    return [
        title,
        said,
        f"**Cause.** {markdown(cause(report))}{f' ({code(root.id)})' if root else ''}" if cause(report) else "",
        f"**Sum.** {markdown(sum_line(root))}" if sum_line(root) else "",
        f"**Do now.** {markdown(lost)}" if lost else "**Do now**" if steps else "",
        "\n".join(steps),
        "**Not known**" if open_ else "",
        "\n".join(open_),
    ]


def _main_findings(report: Report) -> list[str]:
    root = root_of(report)
    shown = [*([root] if root else []), *in_role(report, Role.CONTRIBUTING)[:MOST_CONTRIBUTING]]
    shown += in_role(report, Role.ROOT)
    return [part for finding in shown for part in _finding(report, finding)]


def _finding(report: Report, finding: Finding) -> list[str]:
    claims = [[c.part, c.status, markdown(c.text), _where(report, c.lines)] for c in finding.claims]
    checks = [f"- {markdown(c.decides)} ({where(c)}): {code(c.command)}" for c in finding.confirm]
    return [
        f"## {finding.id} ({finding.role}, {finding.status})",
        markdown(finding.summary),
        markdown(finding.explanation) if finding.explanation else "",
        f"*{meaning(finding.status).capitalize()}.*",
        _table(["part", "status", "what", "line"], claims),
        _calculation(report, "Calculation", finding.calculation),
        *(part for remedy in ordered(finding) for part in _remedy(report, remedy)),
        "\n".join([f"### To confirm {finding.id}", "", *checks]) if checks else "",
        _quotes(report, "Lines it rests on", finding.lines),
        _quotes(report, "Lines that speak against it", finding.contradicting),
    ]


def _remedy(report: Report, remedy: Remedy) -> list[str]:
    notes = [("Risk", remedy.risk or ""), ("Assumes", "; ".join(remedy.assumptions))]
    return [
        f"**{remedy.kind.capitalize()}.** {markdown(remedy.action)}",
        fenced([remedy.command_line], "sh") if remedy.command_line else "",
        "\n".join(f"- {name}: {markdown(text)}" for name, text in notes if text),
        _calculation(report, "How that number comes about", remedy.calculation),
    ]


def _calculation(report: Report, title: str, steps: Sequence[Calculation]) -> str:
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    rows = [
        [str(number), markdown(step.name), markdown(step.expression), _source(report, step, numbers)]
        for number, step in enumerate(steps, 1)
    ]
    return f"**{title}**\n\n{_table(['', 'what', 'how', 'from'], rows)}" if rows else ""


def _source(report: Report, step: Calculation, numbers: dict[str, int]) -> str:
    used = ", ".join(f"({numbers[i]})" for i in step.of if i in numbers)
    return ", ".join(part for part in (_where(report, step.of), used) if part)


def _where(report: Report, line_ids: Iterable[str]) -> str:
    found = places(report, line_ids)
    return code(found, in_table=True) if found else ""


def _table(head: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _quotes(report: Report, title: str, line_ids: Iterable[str]) -> str:
    known = [i for i in dict.fromkeys(line_ids) if i in report.lines]
    quoted = [line for i in known[:MOST_QUOTED] for line in f"{place(report, i)}: {quoted_text(report, i)}".split("\n")]
    return _folded(f"{title} ({len(known)})", fenced(quoted)) if quoted else ""


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _timeline(launch: Launch | None) -> list[str]:
    if launch is None or not launch.processes:
        return []
    rows = [
        [code(ids(m.id for m in group.members), in_table=True), span.phase, *span_of(group, index), span.state]
        for group in alike(launch.processes, MOST_GROUPS).groups
        for index, span in enumerate(group.first.phases)
    ]
    began = f"Seconds from {markdown(launch.began)}." if launch.began else ""
    spans = [f"- {markdown(span.name)}: {markdown(span.label or '')}" for span in launch.spans]
    return ["## Timeline", began, _table(["process", "phase", "from", "for", "state"], rows), "\n".join(spans)]


def _others(report: Report) -> list[str]:
    rest = in_role(report, Role.CONTRIBUTING)[MOST_CONTRIBUTING:]
    rest += [f for role in (Role.SYMPTOM, Role.COLLATERAL, Role.BYSTANDER) for f in in_role(report, role)]
    found = [[code(f.id), f.role, f.status, markdown(f.summary), _where(report, f.lines)] for f in rest]
    cleared = [[code(c.id), markdown(c.why), _where(report, c.lines)] for c in report.cleared]
    unknown = [
        [code(u.id), markdown(u.needs), "<br>".join(code(c.command, in_table=True) for c in u.confirm)]
        for u in report.unknown
    ]
    return [
        *_section("Also seen", _table(["finding", "role", "status", "what", "line"], found)),
        *_section("Ruled out", _table(["finding", "why", "line"], cleared)),
        *_section("Could not be checked", _table(["finding", "needs", "command"], unknown)),
    ]


def _section(title: str, body: str) -> list[str]:
    return [f"## {title}", body] if body else []


def _unexplained(report: Report) -> list[str]:
    body = _quotes(report, "Error lines that nothing above explains", (u.line for u in report.unexplained))
    return _section("Not explained", body)


def _environment(report: Report, launch: Launch | None) -> list[str]:
    if launch is None:
        return []
    topology = ", ".join(f"{name} {size}" for name, size in vars(launch.topology).items() if size is not None)
    facts = [
        ("SGLang", launch.sglang.stated or "", launch.sglang.from_wording or ""),
        ("Topology", topology, ""),
        ("Capacity", capacity(launch.capacity), ""),
        *((f"Host {host.name}", machine(host), "") for host in report.hosts),
        *((f"{series.name} of {series.of}", spread(series), "") for series in launch.series),
    ]
    rows = [
        [markdown(name), markdown(said or f"from its wording {guess}")] for name, said, guess in facts if said or guess
    ]
    arguments = [[code(a.name), code(a.value, in_table=True), a.scope or ""] for a in launch.arguments]
    return [
        "## Environment",
        _table(["", ""], rows),
        _folded("Command line", fenced([launch.command_line], "sh")) if launch.command_line else "",
        _folded(f"Arguments ({len(arguments)})", _table(["argument", "value", "scope"], arguments))
        if arguments
        else "",
    ]


def _coverage(report: Report) -> list[str]:
    rows = [
        [code(s.name, in_table=True), s.kind, f"{s.lines:,}", f"{s.recognised:,}", f"{s.undecodable:,}",
         markdown("; ".join([*s.errors, *(["cut off"] if s.truncated else [])]))]
        for s in report.coverage.sources
    ]  # fmt: skip
    notes = [*report.coverage.notes, *(f"given: {fact}" for fact in report.coverage.given)]
    notes += [] if report.coverage.enough else ["This is not enough to say that nothing is wrong."]
    return [
        "## What was looked at",
        _table(["source", "kind", "lines", "recognised", "undecodable", "errors"], rows),
        "\n".join(f"- {markdown(note)}" for note in notes),
        f"{report.tool.name} {report.tool.version}, {code(report.tool.command)}",
    ]
