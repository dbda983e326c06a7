"""A page as a parser of HTML sees it: elements with attributes, scripts, styles, text; and reports that attack it."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from analyzer.redact.walk import rewritten
from tests.report.build_report import founding, healthy

if TYPE_CHECKING:
    from analyzer.contract import Report

VOID = {"meta", "link", "input", "br"}
# Each would set `canary`, leave its element, hide what follows, or be evaluated by something on the way.
ATTACKS = [
    "<script>window.canary=1</script>",
    "</script><script>window.canary=2</script>",
    '"><img src=x onerror="window.canary=3">',
    "'><svg/onload=window.canary=4>",
    "javascript:window.canary=5",
    "</style></pre></title></textarea><!--",
    "{{ 7*7 }}{% raw %}{a}{b0}{c|d}",
    "${window.canary=6}`",
    "<base href='https://evil.example/'>",
    "&lt;script&gt;window.canary=7&lt;/script&gt;",
    "\u202e\u2066\u200b\x1b]0;x\x07\x1b[31m\x00",
    "\u2028window.canary=8\u2029",
]
ATTACK = " ".join(ATTACKS)


class Outline(HTMLParser):
    """What a page consists of; `open_` is empty once every element is closed."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self.words: list[str] = []
        self.open_: list[str] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open_.append(tag)
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open_, f"</{tag}> closes nothing"
        assert self.open_.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        inner = self.open_[-1] if self.open_ else ""
        if inner in self.inside:
            self.inside[inner][-1] += data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All text that is shown, its white space folded."""
        return " ".join("".join(self.words).split())

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a name."""
        return [attributes for name, attributes in self.elements if name == tag]


def hostile() -> Report:
    """The founding incident and a server with curves, with an attack in every text that a log could have written."""
    launches = [founding().launches[0], replace(healthy().launches[0], id="L2")]
    report = rewritten(replace(founding(), launches=launches), lambda text: f"{ATTACK} {text}")
    return replace(report, lines={**report.lines, "l88": replace(report.lines["l88"], text=f"{ATTACK}\n{ATTACK}")})
