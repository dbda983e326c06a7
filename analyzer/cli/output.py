"""Where a document goes and how it may look there: width, colours, encoding, file or terminal."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.report.page import Look

PIPE_WIDTH = 100
NARROWEST, WIDEST = 40, 160
_SIGNS = "×÷−→…·─│█⣿"


def look(width: int | None, *, color: bool, to_file: bool) -> Look:
    """How a text for people is to be laid out: as asked, else as wide as the terminal, 100 columns in a pipe."""
    from analyzer.report.page import Look

    terminal = not to_file and sys.stdout.isatty()
    columns = shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if terminal else PIPE_WIDTH
    return Look(
        width=width or min(max(columns, NARROWEST), WIDEST),
        color=color and terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        ascii=not to_file and not _typeset(),
    )


def _typeset() -> bool:
    try:
        _SIGNS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def emit(document: str, path: str | None = None, inputs: Sequence[str] = ()) -> None:
    """Writes a document to a file, or to standard output where there is no path.

    Raises `UsageError` where the file is one of the inputs or cannot be written.
    """
    if path is None:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(document.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
        return
    if any(Path(name).is_file() and Path(path).exists() and Path(name).samefile(path) for name in inputs):
        raise UsageError(f"{path} is one of the inputs; the evidence is not overwritten")
    try:
        Path(path).write_text(document, encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def say(message: str) -> None:
    """A remark for the person at the terminal, beside the document."""
    from analyzer.report.escape import visible

    print(f"postmortem: {visible(message)}", file=sys.stderr)
