"""`postmortem timeline`, `report` and `compare`: documents that are written whatever the verdict is."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import options
from analyzer.cli.analyze import report_of
from analyzer.cli.output import emit, look, say, spare
from analyzer.cli.passed_on import passed_on, spare_map, write_map
from analyzer.errors import UnreadableError, UsageError

if TYPE_CHECKING:
    from analyzer.contract import Report
    from analyzer.pipeline import Given


def timeline(
    paths: options.Paths,
    width: options.Width = None,
    no_color: options.NoColor = False,
    tz: options.Tz = None,
    as_of: options.AsOf = None,
) -> int:
    """The launch per process on one time axis.

    Host memory and throughput stand under the same axis. Processes that went through the same phases at the same
    times share a bar; one that did not has its own. A bar is solid up to the process's last line and dotted after it;
    an open phase ends in an arrow.

    \b
    Examples:
      postmortem timeline server.log
      postmortem timeline node0.log node1.log --width 160
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    report = report_of(paths, options.given(tz, as_of, None, None, None, None), command="timeline")
    from analyzer.report.timeline import render

    emit(render(report, look(width, color=not no_color, to_file=False)))
    return 0


def report(  # noqa: PLR0913, PLR0917 - one parameter for each option
    paths: options.Paths,
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE", help="What to write, by its ending: .md or .json; .html is planned."
        ),
    ],
    no_redact: Annotated[
        bool, typer.Option("--no-redact", help="Leave users, hosts, addresses and paths as they are.")
    ] = False,
    map_: options.Map = None,
    tz: options.Tz = None,
    as_of: options.AsOf = None,
    ram: options.Ram = None,
    gpu_memory: options.GpuMemory = None,
    gpus: options.Gpus = None,
    sglang_version: options.Version = None,
) -> int:
    """A redacted report to attach to a bug report.

    Users, hosts, addresses and private folders are replaced by the same stand-in wherever they occur; secrets,
    prompts and token ids are never quoted; line numbers stay those of the input. The finished document is searched
    once more, and not written when an original is left in it.

    \b
    Examples:
      postmortem report logs/ -o incident.md
      postmortem report logs.tar.gz -o incident.json --ram 449GiB
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer.report import json as json_
    from analyzer.report import markdown

    renders = {".md": markdown.render, ".markdown": markdown.render, ".json": json_.dumps}
    ending = Path(output).suffix.lower()
    if ending not in renders:
        raise UsageError(f"-o {output}: write to a file that ends in .md or .json (.html is planned)")
    if no_redact and map_ is not None:
        raise UsageError("--map says what stand-ins stand for, and --no-redact makes none")
    spare(output, paths)
    spare_map(map_, output, paths)
    from analyzer.redact import Private

    private = None if no_redact else Private()
    facts = options.given(tz, as_of, ram, gpu_memory, gpus, sglang_version)
    made = report_of(paths, facts, private, command="report")
    render = renders[ending]
    emit(passed_on(made, render, private) if private else render(made), output, paths)
    if private:
        write_map(private, map_, output, paths)
    say(f"wrote {output}")
    return 0


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="A run: a path, or a JSON report of one.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another run.")],
    width: options.Width = None,
    no_color: options.NoColor = False,
    tz: options.Tz = None,
) -> int:
    """What differs between two runs.

    Arguments, phases, capacity, throughput, findings gone and new.

    \b
    Examples:
      postmortem compare before/ after/
      postmortem compare yesterday.json server.log
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    facts = options.given(tz, None, None, None, None, None)
    runs = [_run(name, facts) for name in (before, after)]
    from analyzer.compare import compare as compared

    emit(compared(runs[0], runs[1], look(width, color=not no_color, to_file=False)))
    return 0


def _run(name: str, facts: Given) -> Report:
    """A report read from a JSON file, or made of the input that the path names.

    Raises `UsageError` for a JSON that calls itself by a schema and is no report that can be read.
    """
    if Path(name).suffix.lower() == ".json" and not Path(name).is_dir():
        from analyzer.report.json import loads

        try:
            text = Path(name).read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise UnreadableError(f"{name}: {error.strerror}") from error
        try:
            return loads(text)
        except UnreadableError as error:
            if _has_schema(text):
                raise UsageError(f"{name}: {error}") from error
    return report_of([name], facts)  # a JSON log is an input like any other


def _has_schema(text: str) -> bool:
    """Whether a text is a JSON object with a schema, or the beginning of a report that was cut off."""
    from analyzer.bundle import is_report

    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return is_report(text[:1024].encode())
    return isinstance(tree, dict) and "schema" in tree
