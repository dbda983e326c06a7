"""`postmortem analyze`: what happened, why, by which sum, what to do."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import formats, options
from analyzer.cli.exit_codes import NOTHING_READ, FailOn, exit_code, nothing_read, worst, written
from analyzer.cli.options import Format
from analyzer.cli.output import emit, look, say, spare
from analyzer.cli.passed_on import passed_on, spare_map, write_map
from analyzer.cli.progress import progress
from analyzer.errors import StoppedError, UnreadableError, UsageError
from analyzer.vocabulary import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.bundle import Bundle
    from analyzer.contract import Report
    from analyzer.pipeline import Given
    from analyzer.redact import Private
    from analyzer.report.page import Look

_ALONE = {Format.HTML, Format.SARIF, Format.TRACE}
PLANNED = ("collect", "check", "watch", "triage", "mcp")


def analyze(  # noqa: PLR0913, PLR0917 - one parameter for each option
    paths: options.Paths,
    format_: Annotated[
        Format | None, typer.Option("--format", help="What to write; by the ending of -o, else text.")
    ] = None,
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="One line, for a script or a chat.")] = False,
    each: Annotated[
        bool, typer.Option("--each", help="Take every PATH, or every folder in a PATH, as an incident of its own.")
    ] = False,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on", help="Exit 0 unless the finding is at least this sure; never: exit 0 whatever is found."
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 6 when any input could not be read.")] = False,
    redact: Annotated[
        bool, typer.Option("--redact", help="Put stand-ins for users, hosts, addresses and private folders, as report.")
    ] = False,
    map_: options.Map = None,
    width: options.Width = None,
    no_color: options.NoColor = False,
    tz: options.Tz = None,
    as_of: options.AsOf = None,
    ram: options.Ram = None,
    gpu_memory: options.GpuMemory = None,
    gpus: options.Gpus = None,
    sglang_version: options.Version = None,
) -> int:
    """What happened, why, and what to change.

    The verdict, the sum it rests on, every line quoted, what was ruled out and what could not be checked. All PATHs of
    one call are one incident: server logs of every node, free, ps, dmesg, nvidia-smi, notes.

    \b
    Exit codes:
      0  enough was seen, and nothing is wrong
      1  a bug in this program
      2  wrong usage
      3  something is wrong, and the cause is established or supported
      4  something is wrong, and the cause is a hypothesis or not known
      5  cannot tell whether anything is wrong
      6  nothing could be read
      130  interrupted: what was found by then is printed, marked as partial
      141  the reader closed the pipe

    \b
    Examples:
      postmortem server.log free.txt dmesg.txt
      postmortem incident.tar.gz --ram 449GiB
      docker logs sglang 2>&1 | postmortem - --as-of 10:12:41
      postmortem analyze --each incidents/ --quiet
      postmortem analyze logs/ --format json | jq .verdict
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    form = _format(format_, output)
    if each and not quiet and form in _ALONE:
        raise UsageError(f"--format {form} holds one incident; --each goes with text, md, json, brief and --quiet")
    if map_ is not None and not redact:
        raise UsageError("--map says what stand-ins stand for; it goes with --redact")
    spare(output, paths)
    spare_map(map_, output, paths)
    from analyzer.redact import Private

    private = Private() if redact else None
    facts = options.given(tz, as_of, ram, gpu_memory, gpus, sglang_version)
    found = _of_each(paths, facts, private) if each else [report_of(paths, facts, private)]
    reports = [report for report in found if report is not None]
    shape = look(width, color=not no_color, to_file=output is not None)
    render = partial(_rendered, form=None if quiet else form, shape=shape, named=each)
    texts = [passed_on(report, render, private) if private else render(report) for report in reports]
    emit(_together(texts, form) if each and not quiet else "".join(texts), output, paths)
    if private:
        write_map(private, map_, output, paths)
    unread = [NOTHING_READ] * (len(found) - len(reports))
    return worst([*unread, *(exit_code(report, fail_on, strict=strict) for report in reports)])


def _of_each(paths: Sequence[str], facts: Given, private: Private | None) -> list[Report | None]:
    """The report on every incident by itself; an interruption of one ends it all."""
    groups = _apart(paths)
    found: list[Report | None] = []
    for group in groups:
        found.append(_one_of_several(group, facts, private))
        if found[-1] is not None and written(found[-1]) and len(found) < len(groups):
            say(f"interrupted: {len(groups) - len(found)} more were not read at all")
            break
    return found


def _one_of_several(paths: Sequence[str], facts: Given, private: Private | None) -> Report | None:
    try:
        return report_of(paths, facts, private)
    except UnreadableError as error:
        say(str(error))
        return None


def report_of(
    paths: Sequence[str],
    facts: Given,
    private: Private | None = None,
    *,
    command: str = "analyze",
    inputs: Bundle | None = None,
) -> Report:
    """The report on one incident; what could not be read is said on standard error.

    `private` is told whom and what the inputs name, for a redaction; `command` is what the report says made it;
    `inputs` is what was gathered from the paths, where more is to be done with it.
    Raises `UnreadableError` where nothing could be read, `StoppedError` where it was interrupted before that,
    `UsageError` for a command that is planned.
    """
    for name in paths:
        if name in PLANNED and not Path(name).exists():
            raise UsageError(f"{name} is planned and not there yet; a file of that name is written ./{name}")
    from analyzer.pipeline import analyse
    from analyzer.scan.crew import processors

    made_by = shlex.join(["postmortem", command, *paths])
    with progress() as watch:
        report = analyse(inputs or paths, facts, made_by, watch=watch, workers=processors(), private=private)
    for error in _unread(report):
        say(error)
    if nothing_read(report):
        if written(report):
            raise StoppedError("interrupted before anything was read")
        for note in report.coverage.notes:
            say(note)
        raise UnreadableError("nothing could be read")
    return report


def _unread(report: Report) -> list[str]:
    """A sentence for every input that could not be read, one for all whose reading was interrupted."""
    from analyzer.report.summary import partial

    errors = [e for source in report.coverage.sources for e in source.errors if not e.endswith(INTERRUPTED)]
    return [*errors, *filter(None, [partial(report).strip()])]


def _format(asked: Format | None, output: str | None) -> Format:
    form = asked or formats.by_name(output) or Format.TEXT
    if form is Format.ARCHIVE:
        raise UsageError("an archive of the inputs is written by postmortem report PATH... -o incident.tar.gz")
    return form


def _apart(paths: Sequence[str]) -> list[list[str]]:
    """Every path by itself; a folder that holds folders stands for each of these, its loose files together."""
    groups: list[list[str]] = []
    for name in paths:
        inside = _inside(Path(name))
        folders = [[str(path)] for path in inside if path.is_dir()]
        loose = [str(path) for path in inside if not path.is_dir() and not path.is_fifo()]
        for pipe in (path for path in inside if folders and path.is_fifo()):
            say(f"{pipe}: is a pipe, not a file")  # named by a path of its own it would be read
        groups += [*folders, *([loose] if loose else [])] if folders else [[name]]
    return groups


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:  # no folder, or not ours to read: the pipeline says which
        return []


def _together(texts: Sequence[str], form: Format) -> str:
    if form is Format.JSON:
        return json.dumps([json.loads(text) for text in texts], indent=2) + "\n"
    return "\n".join(texts)


def _rendered(report: Report, form: Format | None, shape: Look, *, named: bool) -> str:
    """The report in a format; on one line where there is none, behind its input where there are several (`named`)."""
    from analyzer.report import one_line, text

    if form is None:
        return (f"{_input_of(report)}: " if named else "") + one_line.render(report)
    return text.render(report, shape) if form is Format.TEXT else formats.renderer(form)(report)


def _input_of(report: Report) -> str:
    """What the report is on, from the command that it records: redacted wherever the report is."""
    from analyzer.report.escape import visible

    recorded = report.tool.command
    try:
        first, *more = shlex.split(recorded)[2:]
    except ValueError:  # a stand-in took a quote with it, or no path is recorded
        return visible(recorded)
    return visible(first) + (f" and {len(more)} more" if more else "")
