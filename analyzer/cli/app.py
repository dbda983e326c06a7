"""The commands put together; a path where a command could stand means `analyze`."""

# ruff: noqa: FBT002 - a flag of the command line is a boolean with a default

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from analyzer.cli import analyze, completion, coverage, documents, lookup
from analyzer.cli.pages import Command, Group
from analyzer.errors import UsageError

_OF_THE_PROGRAM = {"-h", "--help", "--version"}
_NEAR = 0.7  # how much of a name must be right, as `difflib` counts
_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _AnalyzeByDefault(Group):
    """A group in which `postmortem PATH` is `postmortem analyze PATH`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in _OF_THE_PROGRAM:
            self._look_at(args[0])
            args = ["analyze", *args]
        return super().parse_args(ctx, args)

    def _look_at(self, path: str) -> None:
        """Raises `UsageError` for what is nearly a command's name, and no path that exists."""
        from difflib import get_close_matches

        near = get_close_matches(path, self.commands, n=1, cutoff=_NEAR)
        if near and not os.path.lexists(path):
            raise UsageError(f"{path} is neither a command nor a file or folder; did you mean postmortem {near[0]}?")


def command() -> Any:
    """The whole program as one command, to be run with `main(args=…, standalone_mode=False)`."""
    app = typer.Typer(
        cls=_AnalyzeByDefault,
        add_completion=False,
        rich_markup_mode=None,
        no_args_is_help=True,
        context_settings=_HELP,
    )
    app.callback()(_program)
    for function in (analyze.analyze, documents.timeline, documents.report, documents.compare, lookup.explain):
        app.command(cls=Command, no_args_is_help=True)(function)
    app.command(cls=Command)(lookup.rules)
    patterns = typer.Typer(
        cls=Group, rich_markup_mode=None, no_args_is_help=True, help="What the program recognises in a log."
    )
    patterns.command("list", cls=Command)(lookup.patterns_list)
    patterns.command("check", cls=Command)(lookup.patterns_check)
    patterns.command("coverage", cls=Command, no_args_is_help=True)(coverage.patterns_coverage)
    app.add_typer(patterns, name="patterns")
    app.command(cls=Command, no_args_is_help=True)(completion.completion)
    if completion.VARIABLE in os.environ:
        completion.prepare()
    return typer.main.get_command(app)


def _version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            installed = version("sglang-postmortem")
        except PackageNotFoundError:
            installed = "from a checkout that is not installed"
        typer.echo(f"postmortem {installed}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Says why an SGLang server failed to launch, hung, died or ran slow, from the logs and snapshots that are left.

    It needs no GPU, no network and no model, reads no configuration file and writes nothing but what -o names.

    \b
    Examples:
      postmortem server.log free.txt
          the verdict, the sum behind it, what to do (the same as postmortem analyze)
      postmortem timeline server.log
          what each process did when
      postmortem report logs/ -o incident.md
          a redacted report to attach to a bug report
      postmortem explain hicache-size --release 0.5.9 --ranks 8
          what an argument means
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
