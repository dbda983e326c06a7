"""Installed packages: `pip freeze`, the table of `pip list`, `pip show`, and the `[pip3]` lines of torch's report.

A package from a source (`-e git+…#egg=sglang`, `sglang @ file:///…whl`) has the version that its wheel's name, its tag
or pip's own remark names; where nothing does, SGLang's source is a fact, as what is installed may be of no release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact, PackageListed, ReleaseStated
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "pip"
_OURS = ("sglang", "sgl-kernel", "sgl_kernel", "sglang-kernel", "sglang-router", "sgl-deep-gemm", "sgl-fa4")
HEADS = (
    "==",
    "Package",
    "[pip3]",
    "Name: ",
    *(f"{name} " for name in _OURS),
    " @ ",
    "-e git+",
    "-e file:",
    "-e /",
    "# Editable ",
)

_NAME = r"[A-Za-z][\w.-]{0,80}"
_VERSION = r"\d+(?:[.!]\w+)*(?:[+-][\w.-]+)?"
_FROZEN = lazy(rf"(?:\[(?:pip3|conda)\] )?({_NAME})==({_VERSION})$")
_PLACE = r"(?:git\+(?:https?|ssh|file)|file|https?)://\S{1,400}"
_SOURCE = lazy(rf"({_NAME}) @ ({_PLACE})$|-e (?:{_PLACE}|/\S{{1,400}})$")
_EGG = lazy(r"-e (\S{1,400}?)#egg=([\w.-]{1,80})(?:&|$)")
_REMARK = lazy(rf"# Editable .{{1,80}} \(({_NAME})==({_VERSION})\)$")
_WHEEL = lazy(r"/[\w.]{1,80}-(\d+(?:[.!+]\w+)*)-[a-z]{1,4}\d")  # the version stands before the tag of the interpreter
_TAG = lazy(rf"@v({_VERSION})(?:[#&]|$)")
_TITLE = lazy(r"Package +Version(?: +\S.{0,60})?$")
_RULE = lazy(r"-{4,}(?: +-{4,})+$")
_ROW = lazy(rf"({_NAME}) +({_VERSION})(?: +\S.{{0,300}})?$")
_GREPPED = lazy(rf"({_NAME}) {{2,}}({_VERSION})(?: {{2,}}\S.{{0,300}})?$")
_ALONE = lazy(rf"({'|'.join(_OURS)})(?: {{2,}}({_VERSION})(?: +/\S{{1,300}})?| ({_VERSION}) +/\S{{1,300}})$")
_SHOW = lazy(rf"Name: ({_NAME})$")
_SHOWN_VERSION = lazy(rf"Version: ({_VERSION})$")
_SHOWN = lazy(r"[A-Z][A-Za-z-]{2,20}:(?: |$)")


def claims(head: str, around: Around) -> bool:
    """A pinned package alone on its line, the title of the table or a row of its own, the first line of `pip show`."""
    line = head.strip()[:500]
    if any(pattern.match(line) for pattern in (_FROZEN, _REMARK, _TITLE, _ALONE, _SHOW)):
        return True
    source = _SOURCE.match(line)
    listed = "pip" in around.command and " list" in around.command
    return source is not None or (listed and _GREPPED.match(line) is not None)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per package; SGLang's own states the release too."""
    first = lines[0].text.strip()
    if _SHOW.match(first[:400]):
        return _shown(lines, around)
    table = _TITLE.match(first[:400]) is not None
    row = _ROW if table else _GREPPED if _GREPPED.match(first[:500]) else None
    events: list[Event] = []
    used = int(table)
    remarked = ""
    for line in lines[used:]:
        text = line.text.strip()[:500]
        found = _FROZEN.match(text) or _REMARK.match(text) or (row.match(text) if row else None)
        alone = _ALONE.match(text)
        if found:
            events += _package(found[1], found[2], line, around)
        elif alone:
            events += _package(alone[1], alone[2] or alone[3], line, around)
        elif _SOURCE.match(text):
            events += [] if remarked else _from_source(text, line, around)
        elif not (table and _RULE.match(text)):
            break
        remarked = text if _REMARK.match(text) else ""
        used += 1
    return Block(max(used, 1), used, events)


def _from_source(text: str, line: Text, around: Around) -> list[Event]:
    """The package by the version that the address of its source names; else SGLang's address."""
    source, egg = _SOURCE.match(text), _EGG.match(text)
    name, place = (egg[2], egg[1]) if egg else (source[1] or "", source[2] or "") if source else ("", "")
    version = _TAG.search(place) or _WHEEL.search(place)
    if name and version:
        return _package(name, version[1], line, around)
    if name.lower() != "sglang":
        return []
    return [Fact(where=around.at(line), text=line.quoted, name="sglang.source", value=place[:300])]


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
