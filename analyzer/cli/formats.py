"""Which format a document is to have, by its name, and what renders it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from analyzer.cli.options import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

# What a file's name ends in; the first that fits counts. `trace.json` alone is a whole name.
_ENDINGS = (
    (".trace.json", Format.TRACE),
    (".sarif.json", Format.SARIF),
    (".sarif", Format.SARIF),
    (".json", Format.JSON),
    (".markdown", Format.MD),
    (".md", Format.MD),
    (".html", Format.HTML),
    (".htm", Format.HTML),
    (".tar.gz", Format.ARCHIVE),
    (".tgz", Format.ARCHIVE),
)
_RENDERERS = {
    Format.JSON: ("json", "dumps"),
    Format.MD: ("markdown", "render"),
    Format.BRIEF: ("brief", "render"),
    Format.HTML: ("html", "render"),
    Format.SARIF: ("sarif", "render"),
    Format.TRACE: ("trace", "render"),
}


def by_name(path: str | None) -> Format | None:
    """The format that a file's name asks for; `None` where it says nothing."""
    name = Path(path or "").name.lower()
    if name == "trace.json":
        return Format.TRACE
    return next((form for ending, form in _ENDINGS if name.endswith(ending)), None)


def renderer(form: Format) -> Callable[[Report], str]:
    """The function that makes the document; only its own modules are imported. Raises `KeyError` for text and tar."""
    module, function = _RENDERERS[form]
    return cast("Callable[[Report], str]", getattr(import_module(f"analyzer.report.{module}"), function))
