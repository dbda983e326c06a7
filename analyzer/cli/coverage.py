"""`postmortem patterns coverage`: how much of what an SGLang release can print is recognised."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

from typing import Annotated

import typer

from analyzer.cli.output import emit, say
from analyzer.errors import UsageError


def patterns_coverage(
    releases: Annotated[
        list[str],
        typer.Argument(metavar="WHEEL_OR_FOLDER...", help="Wheels of sglang, or folders that hold its Python files."),
    ],
    missing: Annotated[bool, typer.Option("--missing", help="List what is not recognised by name.")] = False,
    table: Annotated[bool, typer.Option("--table", help="One row of a Markdown table for each release.")] = False,
) -> int:
    """How much of what an SGLang release can print is recognised.

    Its messages are read from its own source, filled with plausible values, written as a server writes them (a raise
    with its traceback) and read back as a log is. Nothing of it is unpacked, imported or run.

    \b
    Examples:
      pip download --no-deps sglang
      postmortem patterns coverage sglang-*.whl
      postmortem patterns coverage --missing site-packages/sglang
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer import coverage
    from analyzer.catalog import Catalog
    from analyzer.report.escape import visible

    if missing and table:
        raise UsageError("--missing and --table are two answers; ask for one")
    catalog, measured = Catalog.load(), []
    for path in releases:
        measured.append(coverage.measure(catalog, coverage.open_release(path)))
        if len(releases) > 1:
            say(f"{path}: measured")
    shown = (
        coverage.table(measured) if table else "\n".join(map(coverage.missing if missing else coverage.text, measured))
    )
    emit("".join(f"{visible(line)}\n" for line in shown.splitlines()))
    return 0
