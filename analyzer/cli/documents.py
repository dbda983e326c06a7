"""`postmortem timeline`, `report` and `compare`: documents that are written whatever the verdict is."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import formats, options, templates
from analyzer.cli.analyze import report_of
from analyzer.cli.archive import Asked, archive
from analyzer.cli.exit_codes import written
from analyzer.cli.options import Format
from analyzer.cli.output import emit, look, say, spare
from analyzer.cli.passed_on import passed_on, spare_map, write_map
from analyzer.cli.templates import Template  # noqa: TC001 - typer reads the annotation
from analyzer.errors import UnreadableError, UsageError

if TYPE_CHECKING:
    from analyzer.bundle import Bundle
    from analyzer.contract import Report


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

    Exits 0 once it is drawn, 130 where Ctrl-C ended the reading: it then shows what was read, marked as partial.

    \b
    Examples:
      postmortem timeline server.log
      postmortem timeline node0.log node1.log --width 160
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    report = report_of(paths, options.given(tz, as_of, None, None, None, None), command="timeline")
    from analyzer.report.timeline import render

    emit(render(report, look(width, color=not no_color, to_file=False)))
    return written(report)


def report(  # noqa: PLR0913, PLR0917 - one parameter for each option
    paths: options.Paths,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="What to write, by its ending: .md, .html, .json, .sarif, .trace.json (or trace.json), .tar.gz.",
        ),
    ],
    as_: Annotated[Format | None, typer.Option("--as", help="What to write, whatever the file's name says.")] = None,
    template: Annotated[
        Template | None,
        typer.Option("--template", help="Markdown for SGLang's own issue form, or as the beginning of a postmortem."),
    ] = None,
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

    Exits 0 once it is written, 130 where Ctrl-C ended the reading: it then holds what was read, marked as partial.

    \b
    What is written:
      .md          Markdown as GitHub renders it, below its limit of 65,536 characters
      .html        one page that needs nothing else, with charts
      .json        everything, by the schema postmortem.report/1
      .sarif       SARIF 2.1.0: findings at the lines that they rest on
      .trace.json  the launch as a Chrome trace, to be opened in Perfetto; so is a file called trace.json
      .tar.gz      the inputs, cut to what gives the same verdict when it is analysed again

    \b
    Examples:
      postmortem report logs/ -o incident.md
      postmortem report logs.tar.gz -o incident.json --ram 449GiB
      postmortem report logs/ -o issue.md --template sglang-bug
      postmortem report logs/ -o incident.tar.gz
      postmortem report server.log -o - --as brief
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    form = _form(as_, output, template)
    if no_redact and map_ is not None:
        raise UsageError("--map says what stand-ins stand for, and --no-redact makes none")
    target = None if output == "-" else output
    spare(target, paths)
    spare_map(map_, target, paths)
    from analyzer.bundle import gather
    from analyzer.redact import Private

    private = Private()
    facts = options.given(tz, as_of, ram, gpu_memory, gpus, sglang_version)
    inputs = gather(paths) if form is Format.ARCHIVE else None
    made = report_of(paths, facts, private, command="report", inputs=inputs)
    document: str | bytes
    if inputs is not None:
        typed = options.typed(tz, as_of, ram, gpu_memory, gpus, sglang_version)
        document = _archive(inputs, made, Asked(facts, typed, private, names=not no_redact))
    else:
        render = templates.renderer(template) if template else formats.renderer(form)
        document = render(made) if no_redact else passed_on(made, render, private)
    emit(document, target, paths)
    write_map(private, map_, target, paths)
    if target:
        say(f"wrote {target}")
    return written(made)


def _form(asked: Format | None, output: str, template: Template | None) -> Format:
    form = asked or formats.by_name(output) or (Format.MD if template else None)
    if form is None or form is Format.TEXT:
        raise UsageError(
            f"-o {output}: write to a file that ends in .md, .html, .json, .sarif, .trace.json or .tar.gz, or say --as"
        )
    if template and form is not Format.MD:
        raise UsageError(f"--template {template} is Markdown: write it to a file that ends in .md")
    return form


def _archive(inputs: Bundle, made: Report, asked: Asked) -> bytes:
    packed = archive(inputs, made, asked)
    if packed.remark:
        say(packed.remark)
    return packed.data


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="A run: a path, or a JSON report of one.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another run.")],
    width: options.Width = None,
    no_color: options.NoColor = False,
    tz: options.Tz = None,
) -> int:
    """What differs between two runs.

    Arguments, phases, capacity, throughput, findings gone and new.

    Exits 0 once it is printed, 130 where Ctrl-C ended the reading of A or of B: what was read of that one is compared,
    marked as partial.

    \b
    Examples:
      postmortem compare before/ after/
      postmortem compare yesterday.json server.log
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    facts = options.given(tz, None, None, None, None, None)
    known = {name: _made_before(name) for name in (before, after)}
    read = {name: report_of([name], facts) for name, made in known.items() if made is None}
    one, other = (known[name] or read[name] for name in (before, after))
    from analyzer.compare import compare as compared

    emit(compared(one, other, look(width, color=not no_color, to_file=False)))
    return written(*read.values())


def _made_before(name: str) -> Report | None:
    """The report that a JSON file holds; `None` for any other input, a JSON log among them.

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
    return None


def _has_schema(text: str) -> bool:
    """Whether a text is a JSON object with a schema, or the beginning of a report that was cut off."""
    from analyzer.bundle import is_report

    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return is_report(text[:1024].encode())
    return isinstance(tree, dict) and "schema" in tree
