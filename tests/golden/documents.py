"""The documents of five samples in every format, without what changes from release to release."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.redact import redact
from analyzer.report import brief, form, json, markdown, sarif, text, trace
from analyzer.report.html import embed, own_part
from analyzer.report.html import render as page
from analyzer.report.page import Look

if TYPE_CHECKING:
    from analyzer.contract import Report

FOLDER = Path(__file__).parent
# A hang with its arithmetic, a server without fault, a limit while serving, two nodes, a crash behind a wrapper.
SAMPLES = (
    "hicache-300-per-rank",
    "healthy-two-ranks",
    "kv-cache-saturated-prelude",
    "straggler-on-another-node",
    "illegal-access-through-ray",
)


def documents(report: Report) -> dict[str, str]:
    """Each document of a report by its file's name; what is passed on is redacted, as the commands do it."""
    shown = replace(report, tool=replace(report.tool, version="VERSION"))
    clean, _ = redact(shown)
    return {
        "text-80.txt": text.render(shown, Look(80)),
        "text-120.txt": text.render(shown, Look(120)),
        "brief.txt": brief.render(shown),
        "report.md": markdown.render(clean),
        "issue.md": form.render("sglang-bug", clean),
        "postmortem.md": form.render("postmortem", clean),
        "page.html": _page(clean),
        "report.json": json.dumps(clean),
        "report.sarif": sarif.render(clean),
        "trace.json": trace.render(clean),
    }


def _page(report: Report) -> str:
    """The HTML page without the files that are set into it, and without their sums."""
    document = own_part(page(report))
    for name in ("page.css", "page.js"):
        document = document.replace(embed.asset(name), f"[{name}]")
    return re.sub(r"sha256-[\w+/=]+", "sha256-[sum]", document)
