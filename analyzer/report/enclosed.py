"""What goes into an archive beside the inputs: a page that says what it is and how to run it, and the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.report import markdown
from analyzer.report.escape import code, visible
from analyzer.report.markdown_facts import redacted_kinds
from analyzer.report.select import root_of
from analyzer.report.summary import partial, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.contract import Report
    from analyzer.excerpt import Excerpt

# By it the program knows, when the archive is analysed, that these are no inputs.
MARK = "<!-- postmortem.excerpt/1 -->"


def readme(
    report: Report, inputs: Sequence[tuple[str, Excerpt]], options: Sequence[str], cut: str, again: str | None
) -> str:
    """The page: what the archive is, how to run it, what was kept of which input, how closely it was cut.

    `inputs` are the members with what they hold, `options` what the command line gave beside the paths; `again` is
    what the cut inputs say where that is not the verdict on the whole ones.
    """
    verdict, root = report.verdict, root_of(report)
    found = f"{word(verdict)}{f', {root.id} ({root.status})' if root else ''}"
    run = " ".join(["postmortem analyze incident.tar.gz", *(visible(option) for option in options)])
    rows = [f"| {code(name, in_table=True)} | {item.kept:,} | {item.lines:,} |" for name, item in inputs]
    given = ["The inputs alone do not say everything: what the options give was given by hand.", ""] if options else []
    same = f"Analysed again, the inputs here give the same verdict: {found}."
    other = f"The verdict on the whole inputs is {found}; analysed again, the cut ones here give another: {again}."
    return "\n".join([
        MARK, "",
        "# An incident to run again", "",
        "The inputs of an analysis of an SGLang server, cut to the lines that the report rests on and those near them.",
        f"{partial(report)}{other if again else same} {cut}", "",
        f"    {run}", "",
        *given,
        "`report.md` is the report on the whole inputs; its line numbers are theirs. Lines that were left out are",
        "marked in their place (`~~~ postmortem left out lines 96 to 1200 of the original ~~~`), so that a number can",
        "be found; a gap at a mark is no silence.", "",
        _redacted(report), "",
        "| input | lines kept | of |", "| --- | ---: | ---: |", *rows, "",
        f"Written by {report.tool.name} {report.tool.version}.", "",
    ])  # fmt: skip


def _redacted(report: Report) -> str:
    counts = report.tool.redacted
    if counts is None:
        return "Secrets and prompts are masked; users, hosts, addresses and folders stand as they were printed."
    kinds = redacted_kinds(counts)
    return (
        f"Replaced by stand-ins, the same one for the same thing in every file: {kinds or 'nothing was found'}. "
        "Colours are gone, and other signs that a terminal would obey are spelled out. Look before you share it."
    )


def report_of(report: Report) -> str:
    """The report in Markdown, marked as belonging to the archive."""
    return f"{MARK}\n{markdown.render(report)}"
