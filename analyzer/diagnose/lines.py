"""The register of cited lines: an id for each, its text and what stands beside it filled in at the end."""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from analyzer.contract import Line
from analyzer.records.headers import at_start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from analyzer.evidence import Ref

_WIDTH = 400
_BESIDE = 2  # lines on either side
_WINDOW = 2048  # bytes in which they are looked for
_MOST_WITH_BESIDE = 60  # of the lines that are cited first: those that the findings rest on


class Beside(NamedTuple):
    """The lines right before and right after a cited one."""

    before: list[str]
    after: list[str]


class Lines:
    """Gives `L1`, `L2`, … to lines in the order of citation; the same line always has the same id."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, int, int], tuple[str, Ref]] = {}

    def id(self, ref: Ref) -> str:
        """The id of a line."""
        key = (ref.source, ref.line, ref.last_line)
        if key not in self._ids:
            self._ids[key] = (f"L{len(self._ids) + 1}", ref)
        return self._ids[key][0]

    def ids(self, refs: Iterable[Ref]) -> list[str]:
        """The ids of several lines, each once."""
        return list(dict.fromkeys(self.id(r) for r in refs))

    def table(self, read: Callable[[list[Ref]], dict[Ref, str]]) -> dict[str, Line]:
        """All cited lines with their text, cut to 400 characters around the match, and what is beside it."""
        cited = [ref for _, ref in self._ids.values()]
        texts, near = read(cited), beside(cited[:_MOST_WITH_BESIDE], read)
        return {id_: _line(ref, texts.get(ref, ""), near.get(ref)) for id_, ref in self._ids.values()}


def _line(ref: Ref, text: str, near: Beside | None) -> Line:
    begin = max(0, min(ref.column - 40, len(text) - _WIDTH)) if len(text) > _WIDTH else 0
    begin = max(text.rfind(" ", max(0, begin - 40), begin) + 1, begin - 40) if begin > 0 else 0  # not within a word
    kept = text[begin : begin + _WIDTH]
    return Line(ref.source, ref.line, ref.last_line, kept, len(text) > _WIDTH, *(near or ([], [])))


def beside(refs: list[Ref], read: Callable[[list[Ref]], dict[Ref, str]]) -> dict[Ref, Beside]:
    """What stands beside each line whose place in its source is known.

    Only lines that begin as a server's log does: what has no such beginning may be the rest of somebody's prompt.
    """
    placed = [ref for ref in refs if ref.end > ref.start]
    above = {ref: ref._replace(start=max(0, ref.start - _WINDOW), end=ref.start) for ref in placed if ref.start}
    below = {ref: ref._replace(start=ref.end, end=ref.end + _WINDOW) for ref in placed}
    texts = read([*above.values(), *below.values()])
    return {
        ref: Beside(
            _above(texts.get(above[ref], ""), whole=above[ref].start == 0) if ref in above else [],
            _below(texts.get(below[ref], "")),
        )
        for ref in placed
    }


def _above(text: str, *, whole: bool) -> list[str]:
    lines = text.split("\n")
    return _logged(reversed(lines if whole else lines[1:]))[::-1]


def _below(text: str) -> list[str]:
    lines = text.split("\n")
    cut = len(text.encode("utf-8", "replace")) > _WINDOW - len("\r\n")
    return _logged(lines[:-1] if cut else lines)


def _logged(lines: Iterable[str]) -> list[str]:
    """The nearest lines, up to the first that does not begin as a server's log does."""
    spoken = takewhile(lambda line: at_start(line) is not None, lines)
    return [line.rstrip("\r")[:_WIDTH] for line in islice(spoken, _BESIDE)]
