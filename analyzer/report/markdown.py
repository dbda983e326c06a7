"""The report as GitHub Markdown: verdict and remedy first, then arithmetic, timeline, quoted lines, environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.contract import SCHEMA
from analyzer.report import markdown_facts as facts
from analyzer.report.escape import code, markdown
from analyzer.report.markdown_blocks import Room, at, finding, quotes, said, table
from analyzer.report.select import MOST_CONTRIBUTING, in_role, launch_of, root_of
from analyzer.report.summary import actions, cause, is_fine, lead, losing, not_known, sum_line, word
from analyzer.vocabulary import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

MARK: Final = f"<!-- {SCHEMA} -->"  # unseen on the page; by it the program knows its own report from evidence
MOST: Final = 65_000  # GitHub takes 65,536 characters for the body of an issue or a comment
_ROOMS: Final = (
    Room(),
    Room(rows=25, quotes=15, text=2_000, command=3_000),
    Room(rows=12, quotes=6, text=800, command=1_500),
    Room(rows=6, quotes=3, text=300, command=600),
)


class Section(NamedTuple):
    """A part of the document. `name` says what is missing where it is left out; what has none is never left out."""

    name: str
    parts: list[str]


def render(report: Report) -> str:
    """The whole document; nothing of a log becomes markup, HTML, a link or a mention."""
    return fitted(report, sections)


def fitted(report: Report, make: Callable[[Report, Room], list[Section]]) -> str:
    """The document with as much room as leaves it below GitHub's limit, and a remark on what was cut for that.

    Where the least room is still too much, sections go, the last one first.
    """
    for number, room in enumerate(_ROOMS):
        made = make(report, room)
        text = _joined(made, facts.shortened([]) if number else "")
        if _length(text) <= MOST:
            return text
    left_out: list[str] = []
    while _length(text) > MOST and any(section.name for section in made):
        last = max(number for number, section in enumerate(made) if section.name)
        left_out.insert(0, made.pop(last).name)
        text = _joined(made, facts.shortened(left_out))
    return text


def _joined(made: list[Section], remark: str) -> str:
    parts = [part for section in made for part in section.parts]
    return "\n\n".join(part for part in [*parts[:-1], remark, *parts[-1:]] if part) + "\n"


def _length(text: str) -> int:
    """Characters as a browser counts them: those beyond the first plane are two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def sections(report: Report, room: Room) -> list[Section]:
    """The document in the order in which it is read."""
    launch = launch_of(report)
    root, beside, others = (
        root_of(report),
        in_role(report, Role.CONTRIBUTING)[:MOST_CONTRIBUTING],
        in_role(report, Role.ROOT),
    )
    return [
        Section("", [MARK, *verdict(report, room)]),
        Section("", finding(report, root, room, summary=False) if root else []),
        *(Section(item.id, finding(report, item, room)) for item in (*beside, *others)),
        Section("the timeline", facts.timeline(launch, room)),
        Section("what was also seen", _also(report, room)),
        Section("what was ruled out", _ruled_out(report, room)),
        Section("what could not be checked", facts.unchecked(report, room)),
        Section("error lines that nothing explains", _unexplained(report, room)),
        Section("for the maintainer", facts.maintainer(report, launch, room)),
        Section("the environment", facts.environment(report, launch, room)),
        Section("what was looked at", facts.coverage(report, room)),
        Section("what to run next", facts.run_next(report, room)),
        Section("", [facts.written_by(report)]),
    ]


def verdict(report: Report, room: Room) -> list[str]:
    """The answer: outcome, cause, sum, what to do, what is not known; how to find duplicates, what was redacted."""
    root = root_of(report)
    steps = [f"{number}. {said(action, room)}" for number, action in enumerate(actions(report), 1)]
    lost = losing(report)
    open_ = [
        f"- {said(q.text, room)}{f': {code(q.command)} ({q.where})' if q.command else ''}" for q in not_known(report)
    ]
    return [
        f"# {title(report)}",
        said(lead(report), room),
        f"**{because(report)}.** {said(cause(report), room)}{f' ({code(root.id)})' if root else ''}"
        if cause(report)
        else "",
        f"**Sum.** {said(sum_line(root), room)}" if sum_line(root) else "",
        f"**Do now.** {said(lost, room)}" if lost else "**Do now**" if steps else "",
        "\n".join(steps),
        "**Not known**" if open_ else "",
        "\n".join(open_),
        facts.head(report),
    ]


def because(report: Report) -> str:
    """What the sentence on the root is: a cause, a limit, or what there is to say where nothing is wrong."""
    root = root_of(report)
    return "Limit" if root and root.kind == Kind.LIMIT else "Summary" if is_fine(report) else "Cause"


def title(report: Report) -> str:
    """What happened, where, and by what name it is known."""
    answer, server = report.verdict, launch_of(report)
    phase = f" in {answer.phase}" if answer.phase and answer.phase != "serving" and not is_fine(report) else ""
    known = answer.finding or (server.server.name if server else "no launch recognised")
    return f"{word(answer)}{phase}: {markdown(known)}"


def _also(report: Report, room: Room) -> list[str]:
    rest = in_role(report, Role.CONTRIBUTING)[MOST_CONTRIBUTING:]
    rest += [f for role in (Role.SYMPTOM, Role.COLLATERAL, Role.BYSTANDER) for f in in_role(report, role)]
    found = [[code(f.id), f.role, f.status, said(f.summary, room), at(report, f.lines)] for f in rest]
    return facts.section("Also seen", table(["finding", "role", "status", "what", "line"], found, room))


def _ruled_out(report: Report, room: Room) -> list[str]:
    cleared = [[code(c.id), said(c.why, room), at(report, c.lines)] for c in report.cleared]
    return facts.section("Ruled out", table(["finding", "why", "line"], cleared, room))


def _unexplained(report: Report, room: Room) -> list[str]:
    body = quotes(report, "Error lines that nothing above explains", (u.line for u in report.unexplained), room)
    return facts.section("Not explained", body)
