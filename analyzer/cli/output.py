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
NARROWEST, WIDEST = 40, 200
_SIGNS = "×÷−→…·─│├┤✗●█⣿"


def look(width: int | None, *, color: bool, to_file: bool) -> Look:
    """How a text for people is to be laid out: as asked, else as wide as the terminal, 100 columns in a pipe."""
    from analyzer.report.page import Look

    terminal = not to_file and sys.stdout.isatty()
    columns = shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if terminal else PIPE_WIDTH
    return Look(
        width=width or min(max(columns, NARROWEST), WIDEST),
        color=color and not to_file and _colourful(terminal=terminal),
        ascii=not to_file and not _typeset(),
    )


def _colourful(*, terminal: bool) -> bool:
    """Whether the environment wants colours; NO_COLOR counts for more than FORCE_COLOR, and both for more than TERM."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (terminal and os.environ.get("TERM") != "dumb")


def _typeset() -> bool:
    try:
        _SIGNS.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def emit(document: str | bytes, path: str | None = None, inputs: Sequence[str] = ()) -> None:
    """Writes a document to a file, or to standard output where there is no path.

    Raises `UsageError` where the file is one of the inputs or cannot be written.
    """
    if path is None:
        _show(document)
        return
    spare(path, inputs)
    data = document if isinstance(document, bytes) else document.encode("utf-8", "backslashreplace")
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _show(document: str | bytes) -> None:
    if isinstance(document, bytes):
        if sys.stdout.isatty():
            raise UsageError("an archive is no text for a terminal; name a file, or pipe it on")
        sys.stdout.buffer.write(document)
    else:
        from analyzer.report.escape import printable

        sys.stdout.write(printable(document, sys.stdout.encoding or "ascii"))
    sys.stdout.flush()


def spare(path: str | None, inputs: Sequence[str]) -> None:
    """Raises `UsageError` where writing to `path` would overwrite an input, or a file inside an input folder.

    A new file inside an input folder is no evidence, and may be written.
    """
    if path is not None and any(_is_evidence(Path(path), Path(name)) for name in inputs):
        raise UsageError(f"{path} is one of the inputs; the evidence is not overwritten")


def _is_evidence(target: Path, given: Path) -> bool:
    try:
        places = (target.parent.resolve() / target.name, target.resolve())
        if given.resolve() in places:  # also where neither exists yet
            return True
        if not os.path.lexists(target):
            return False
        if not given.is_dir():
            return target.exists() and given.exists() and target.samefile(given)
        inside = given.resolve()
        return any(place.is_relative_to(inside) for place in places) or (target.is_file() and _holds(given, target))
    except (OSError, ValueError, RuntimeError):  # a loop of links, no permission: writing it says so
        return False


def _holds(folder: Path, target: Path) -> bool:
    """Whether a file below the folder is the target under another name, by a link of either kind."""
    known = target.stat()
    for where, _, files in os.walk(folder):
        for name in files:
            try:
                found = Path(where, name).stat()
            except OSError:
                continue
            if os.path.samestat(found, known):
                return True
    return False


def say(message: str) -> None:
    """A remark for the person at the terminal, beside the document."""
    from analyzer.report.escape import visible

    print(f"postmortem: {visible(message)}", file=sys.stderr)
