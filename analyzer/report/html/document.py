"""The finished page: the template filled in, its scripts and styles embedded, its size bounded."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup

from analyzer.contract import SCHEMA
from analyzer.report import appendix, summary
from analyzer.report.escape import visible
from analyzer.report.html import content, drawing, embed
from analyzer.report.html.cut import Cut
from analyzer.report.select import MOST_CONTRIBUTING, in_role, kinds_of_lines, launch_of, root_of
from analyzer.vocabulary import Kind, Role

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.runtime import Context

    from analyzer.contract import Finding, Launch, Report
    from analyzer.report.html.drawing import Row

MOST_CHARACTERS = 1_500_000  # beside the library; a mail or an issue takes no larger file gladly
MOST_LAUNCHES = 6
_DIVISORS = (1, 4, 16, 64, 256)
# What the template calls, by the module that says it.
_CALLED = {
    summary: (
        *("actions", "beside", "cause", "change", "lead", "losing", "meaning", "not_known", "ordered"),
        *("sentence", "sum_line", "where", "word"),
    ),
    appendix: ("capacity", "machine", "spread", "topology"),
    drawing: ("began", "in_utc", "meaning_of"),
    content: ("cells", "nodes_of", "phases_of", "serving", "step_sources"),
}
_OTHERS = (Role.SYMPTOM, Role.COLLATERAL, Role.BYSTANDER)


def render(report: Report) -> str:
    """The whole document; what comes of a log is text on it, never markup, script or style."""
    for divisor in _DIVISORS:
        page = _page(report, Cut(divisor))
        if len(page) - len(embed.library()) <= MOST_CHARACTERS:
            break
    return page


def own_part(document: str) -> str:
    """The document without the chart library, which says nothing of any incident."""
    return document.replace(embed.library(), "")


def _page(report: Report, cut: Cut) -> str:
    script, style = embed.asset("page.js"), embed.asset("page.css")
    launch = launch_of(report)
    several = [*([launch] if launch else []), *(other for other in report.launches if other is not launch)]
    launches = cut.first(several, MOST_LAUNCHES, "launches")
    drawn = [(shown, drawing.rows(shown, cut)) for shown in launches.kept]
    data = [drawing.drawing(report, shown, drawn_rows, cut) for shown, drawn_rows in drawn]
    return _template().render(
        **_said_of(report, launch, drawn, cut),
        schema=SCHEMA,
        policy=embed.policy([embed.library(), script], [style]),
        style=Markup(style),  # noqa: S704 - our own files
        library=Markup(embed.library()),  # noqa: S704 - the same
        script=Markup(script),  # noqa: S704 - the same
        data=Markup(embed.as_data(data)),  # noqa: S704 - escaped there for where it stands
        about_library=embed.about_library(),
        more_launches=launches.more,
    )


def _said_of(report: Report, launch: Launch | None, drawn: list[tuple[Launch, list[Row]]], cut: Cut) -> dict[str, Any]:
    root = root_of(report)
    contributing = in_role(report, Role.CONTRIBUTING)
    return {
        "report": report,
        "launch": launch,
        "drawn": drawn,
        "cut": cut,
        "quotes": content.Quotes(report, cut),
        "root": root,
        "fine": summary.is_fine(report),
        "head": _head(report, root),
        "in_full": [*([root] if root else []), *contributing[:MOST_CONTRIBUTING], *in_role(report, Role.ROOT)],
        "in_brief": [*contributing[MOST_CONTRIBUTING:], *(f for role in _OTHERS for f in in_role(report, role))],
        "prose": partial(content.prose, cut=cut),
        "kinds_of_lines": partial(kinds_of_lines, report),
    }


def _head(report: Report, root: Finding | None) -> str:
    if root is not None and root.kind == Kind.LIMIT:
        return "Limit"
    return "Summary" if summary.is_fine(report) else "Cause"


@cache
def _template() -> Template:
    made = Environment(
        loader=FileSystemLoader(embed.FOLDER),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {name: getattr(module, name) for module, names in _CALLED.items() for name in names}
    return made.get_template("page.html.j2")


@pass_context
def _shown(context: Context, value: Any) -> Any:
    """What the template puts on the page: bounded, on one line, with everything unseen spelled out."""
    return value if hasattr(value, "__html__") else visible(context["cut"].text("" if value is None else str(value)))
