"""Documents that are to be passed on: redacted before they are rendered, searched before they are written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.output import spare
from analyzer.errors import LeakError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.contract import Report
    from analyzer.redact import Private


def passed_on(report: Report, render: Callable[[Report], str], private: Private) -> str:
    """The rendered report with stand-ins for whoever and whatever is private.

    Raises `LeakError` where the finished document still holds an original.
    """
    from analyzer.redact import leaks, redact

    clean, known = redact(report, private)
    document = render(clean)
    left = len(leaks(_own_part(document), known))
    if left:
        raise LeakError(f"not written: {left} originals are left in the redacted document, a bug in this program")
    return document


def _own_part(document: str) -> str:
    """The document without a library that is embedded in it as published: no word of that is anybody's."""
    if "<!doctype html>" not in document[:100]:
        return document
    from analyzer.report.html import own_part

    return own_part(document)


def spare_map(path: str | None, document: str | None, inputs: Sequence[str]) -> None:
    """Raises `UsageError` where the map would be written over the document or one of the inputs."""
    if path is None:
        return
    if document is not None and Path(path).resolve() == Path(document).resolve():
        raise UsageError(f"--map {path}: the map does not belong into the document; name another file")
    try:
        spare(path, inputs)
    except UsageError as error:
        raise UsageError(f"--map {error}") from None


def write_map(private: Private, path: str | None, document: str | None, inputs: Sequence[str]) -> None:
    """Writes what each stand-in stands for to a file that only its owner can read; nothing where there is no path.

    Raises `UsageError` where the file cannot be written, or is the document or one of the inputs.
    """
    if path is None:
        return
    spare_map(path, document, inputs)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8", errors="backslashreplace") as file:
            Path(path).chmod(0o600)  # it may have been there with another mode
            file.write(json.dumps(private.originals(), indent=2) + "\n")
    except OSError as error:
        raise UsageError(f"--map {path} cannot be written: {error.strerror}") from error
