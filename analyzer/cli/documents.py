"""`postmortem timeline`, `report` and `compare`: documents that are written whatever the verdict is."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import options
from analyzer.cli.analyze import report_of
from analyzer.cli.output import emit, look, say
from analyzer.errors import UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

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
    report = report_of(paths, options.given(tz, as_of, None, None, None, None))
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
    tz: options.Tz = None,
    as_of: options.AsOf = None,
    ram: options.Ram = None,
    gpu_memory: options.GpuMemory = None,
    gpus: options.Gpus = None,
    sglang_version: options.Version = None,
) -> int:
    """A redacted report to attach to a bug report.

    Users, hosts and addresses are replaced by the same stand-in wherever they occur; secrets, prompts and token ids
    are never quoted; line numbers stay those of the input.

    \b
    Examples:
      postmortem report logs/ -o incident.md
      postmortem report logs.tar.gz -o incident.json --ram 449GiB
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer.report import json, markdown

    renders = {".md": markdown.render, ".markdown": markdown.render, ".json": json.dumps}
    ending = Path(output).suffix.lower()
    if ending not in renders:
        raise UsageError(f"-o {output}: write to a file that ends in .md or .json (.html is planned)")
    redact = _redaction()
    made = report_of(paths, options.given(tz, as_of, ram, gpu_memory, gpus, sglang_version))
    emit(renders[ending](redact(made)), output, paths)
    say(f"wrote {output}")
    return 0


def _redaction() -> Callable[[Report], Report]:
    try:
        redact: Callable[[Report], Report] = import_module("analyzer.redact").redact
    except ModuleNotFoundError:
        raise UsageError(
            "report is planned: what it promises to take out is not taken out yet; "
            "analyze --format md writes the same document as it is"
        ) from None
    return redact


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
    """A report read from a JSON file, or made of the input that the path names."""
    if Path(name).suffix.lower() == ".json":
        from analyzer.report.json import loads

        try:
            return loads(Path(name).read_text(encoding="utf-8", errors="replace"))
        except UnreadableError:
            pass  # a JSON log is an input like any other
        except OSError as error:
            raise UnreadableError(f"{name}: {error.strerror}") from error
    return report_of([name], facts)
