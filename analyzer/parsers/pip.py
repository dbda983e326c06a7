"""Installed packages: `pip freeze`, the table of `pip list`, `pip show`, and the `[pip3]` lines of torch's report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import PackageListed, ReleaseStated
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "pip"
HEADS = ("==", "Package", "[pip3]", "Name: ", "sglang ", "sgl-kernel ", "sgl_kernel ", " @ ")

_NAME = r"[A-Za-z][\w.-]{0,80}"
_VERSION = r"\d+(?:[.!]\w+)*(?:[+-][\w.-]+)?"
_FROZEN = lazy(rf"(?:\[(?:pip3|conda)\] )?({_NAME})==({_VERSION})$")
_SOURCE = lazy(rf"{_NAME} @ (?:file|git\+https?|https?)://\S{{1,400}}$|-e git\+\S{{1,400}}$")
_TITLE = lazy(r"Package +Version(?: +\S.{0,60})?$")
_RULE = lazy(r"-{4,}(?: +-{4,})+$")
_ROW = lazy(rf"({_NAME}) +({_VERSION})(?: +\S.{{0,300}})?$")
_ALONE = lazy(rf"((?:sglang|sgl[_-]kernel)(?:-router)?) {{2,}}({_VERSION})$")
_SHOW = lazy(rf"Name: ({_NAME})$")
_SHOWN_VERSION = lazy(rf"Version: ({_VERSION})$")
_SHOWN = lazy(r"[A-Z][A-Za-z-]{2,20}:(?: |$)")


def claims(head: str, _around: Around) -> bool:
    """A pinned package alone on its line, the title of the table, or the first line of `pip show`."""
    line = head.strip()[:400]
    return any(pattern.match(line) for pattern in (_FROZEN, _SOURCE, _TITLE, _ALONE, _SHOW))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per package; SGLang's own states the release too."""
    first = lines[0].text.strip()
    if _SHOW.match(first[:400]):
        return _shown(lines, around)
    table = _TITLE.match(first[:400]) is not None
    events: list[Event] = []
    used = int(table)
    for line in lines[used:]:
        text = line.text.strip()[:500]
        found = _FROZEN.match(text) or _ALONE.match(text) or (_ROW.match(text) if table else None)
        if found:
            events += _package(found[1], found[2], line, around)
        elif not _SOURCE.match(text) and not (table and _RULE.match(text)):
            break
        used += 1
    return Block(max(used, 1), used, events)


def _shown(lines: Sequence[Text], around: Around) -> Block:
    """`Name: …`, `Version: …`, and the other fields of `pip show`."""
    named = _SHOW.match(lines[0].text.strip()[:400])
    events: list[Event] = []
    used = 1
    for line in lines[1:]:
        version = _SHOWN_VERSION.match(line.text.strip()[:400])
        if version and named and not events:
            events += _package(named[1], version[1], line, around)
        elif not _SHOWN.match(line.text):
            break
        used += 1
    return Block(used, used if events else 0, events)


def _package(name: str, version: str, line: Text, around: Around) -> list[Event]:
    where = around.at(line)
    package = PackageListed(where=where, text=line.quoted, name=name, version=version)
    if name.lower() != "sglang":
        return [package]
    return [package, ReleaseStated(where=where, text=line.quoted, version=version)]
