"""Help pages that fit the terminal: what stands in columns goes on in its own column, a command behind a backslash."""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING, Any

import regex
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

_INDENT = 2  # of every help text
_KEPT = "\b"  # a paragraph that begins with it keeps its lines
_COLUMNS = regex.compile(r"^( *\S.*? {2,})(\S.*)$")
_NARROWEST = 16  # that a column may be
_COMMANDS = ("postmortem ", "docker ", "pip ")


class _Page:
    """What a command or a group adds to its help page."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        whole = self.help
        self.help = folded(inspect.cleandoc(whole or ""), formatter.width - _INDENT)
        try:
            super().format_help_text(ctx, formatter)  # type: ignore[misc]  # it stands before one that has it
        finally:
            self.help = whole


class Command(_Page, TyperCommand):
    """A command with such a page."""


class Group(_Page, TyperGroup):
    """A group of commands with such a page."""


def folded(text: str, width: int) -> str:
    """A help text whose kept lines are at most so wide; all else is folded by whoever prints it."""
    parts = text.split("\n\n")
    return "\n\n".join(_fitted(part, width) if part.startswith(_KEPT) else part for part in parts)


def _fitted(part: str, width: int) -> str:
    return "\n".join(piece for line in part.split("\n") for piece in _pieces(line, width))


def _pieces(line: str, width: int) -> Iterator[str]:
    if len(line) <= width:
        yield line
        return
    indent = len(line) - len(line.lstrip())
    columns = _COLUMNS.match(line)
    if columns is not None:
        begin = len(columns[1]) if width - len(columns[1]) >= _NARROWEST else indent + 4
        head = columns[1] if begin == len(columns[1]) else ""
        yield from () if head else [columns[1].rstrip()]
        yield from textwrap.wrap(columns[2], width, initial_indent=head or " " * begin, subsequent_indent=" " * begin)
    elif line.lstrip().startswith(_COMMANDS):
        first, *more = textwrap.wrap(line, width - 2, subsequent_indent=" " * (indent + 4), break_on_hyphens=False)
        yield from (f"{piece} \\" for piece in [first, *more[:-1]])
        yield more[-1]
    else:
        yield from textwrap.wrap(line, width, subsequent_indent=" " * indent)
