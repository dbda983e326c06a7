"""The report filled into a form: SGLang's own issue form, or the beginning of a postmortem document."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analyzer.report import markdown, markdown_blocks, markdown_facts
from analyzer.report.escape import code
from analyzer.report.escape import markdown as md
from analyzer.report.markdown import MARK, Section
from analyzer.report.select import in_role, launch_of, root_of
from analyzer.report.summary import actions, cause, lead, not_known, ordered, sentence, sum_line, where
from analyzer.vocabulary import FINDINGS, Role

if TYPE_CHECKING:
    from jinja2 import Template

    from analyzer.contract import Launch, Report
    from analyzer.report.markdown_blocks import Room

_FOLDER: Final = Path(__file__).parent / "templates"
# Where the template ends one part and begins the next; nothing of a log can hold it, as control signs are spelled out.
_CUT: Final = "\f"


def render(name: str, report: Report) -> str:
    """The report in the form of this name (`sglang-bug`, `postmortem`), below GitHub's limit of characters."""
    template = _template(name)
    return markdown.fitted(report, partial(_sections, template))


def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - no other format needs it

    # HTML's escapes are not Markdown's: every text goes through a filter of `analyzer.report.escape` instead.
    forms = Environment(loader=FileSystemLoader(_FOLDER), autoescape=False, undefined=StrictUndefined,  # noqa: S701
                        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # fmt: skip
    forms.filters |= {"md": md, "code": code, "sentence": sentence}
    return forms.get_template(f"{name}.md.j2")


def _sections(template: Template, report: Report, room: Room) -> list[Section]:
    """The parts of the form; a name behind the cut says that one may be left out for want of room."""
    filled = template.render(_words(report, room))
    made = []
    for part in filled.split(_CUT):
        name, _, body = part.partition("\n")
        made.append(Section(name.strip(), [body.strip("\n")]))
    return made


def _words(report: Report, room: Room) -> dict[str, Any]:
    """What a form may speak of. Texts of the report are raw and go through a filter; parts made here are Markdown."""
    launch, root = launch_of(report), root_of(report)
    return {
        "mark": MARK,
        "title": markdown.title(report),
        "report": report,
        "launch": launch,
        "root": root,
        "outcome": lead(report),
        "because": markdown.because(report),
        "cause": cause(report),
        "sum": sum_line(root),
        "actions": actions(report),
        "questions": not_known(report),
        "head": markdown_facts.head(report),
        "finding": markdown_blocks.finding(report, root, room, summary=False)[1:] if root else [],
        "timeline": markdown_facts.timeline(launch, room)[1:],
        "moments": moments(launch)[: room.rows],
        "conditions": _conditions(report),
        "prevention": [r for r in ordered(root) if r.kind == "prevent"] if root else [],
        "would_have_shown": [(c.decides, c.command, where(c)) for c in root.confirm] if root else [],
        "unknown": [(u.id, u.needs) for u in report.unknown][: room.rows],
        "owner": FINDINGS[root.id].owner.value if root and root.id in FINDINGS else "",
        "command": markdown_blocks.command(launch.command_line, room) if launch and launch.command_line else "",
        "facts": [fact for fact in markdown_facts.facts(report, launch) if fact[1]] if launch else [],
        "maintainer": markdown_facts.maintainer(report, launch, room)[1:],
        "environment": markdown_facts.environment(report, launch, room)[1:],
        "coverage": markdown_facts.coverage(report, room)[1:],
        "written_by": markdown_facts.written_by(report),
    }


def _conditions(report: Report) -> list[tuple[str, str, str]]:
    """What had to hold for it to happen: the root's claims, and what contributed, each with its status."""
    root = root_of(report)
    claims = [(c.part, c.text, c.status) for c in root.claims if c.part != "end"] if root else []
    return [*claims, *((f.id, f.summary, f.status) for f in in_role(report, Role.CONTRIBUTING))]


def moments(launch: Launch | None) -> list[tuple[str, str]]:
    """What happened when, in the order of time: phases of the slowest process, what was seen from outside."""
    if launch is None:
        return []
    found: list[tuple[float, str]] = [(0.0, "first line of the launch")] if launch.began else []
    slowest = max(launch.processes, key=lambda p: (len(p.phases), p.last or 0.0), default=None)
    for span in slowest.phases if slowest else []:
        if span.start is not None:
            found.append((span.start, f"{span.phase} begins ({slowest.id if slowest else ''}); {span.state}"))
        if span.end is not None and span.state == "failed":
            found.append((span.end, f"{span.phase} fails"))
    for seen in launch.spans:
        found += [(seen.start, f"{seen.name} begins")] if seen.start is not None else []
        found += [(seen.end, f"{seen.name} ends: {seen.label or ''}".rstrip(": "))] if seen.end is not None else []
    last = markdown_facts.seconds_after(launch.began, launch.verdict.last_sign_of_life)
    found += [(last, "last sign of life of the server")] if last is not None else []
    ahead = launch.utc_offset or 0.0
    return [
        (markdown_facts.moment(launch.began, time - ahead), what)
        for time, what in sorted(found, key=lambda item: item[0])
    ]
