"""The register of cited lines: an id for each, its text filled in at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.contract import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from analyzer.evidence import Ref

_WIDTH = 400


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
        """All cited lines with their text, cut to 400 characters around the match."""
        texts = read([ref for _, ref in self._ids.values()])
        return {id_: _line(ref, texts.get(ref, "")) for id_, ref in self._ids.values()}


def _line(ref: Ref, text: str) -> Line:
    begin = max(0, min(ref.column - 40, len(text) - _WIDTH)) if len(text) > _WIDTH else 0
    kept = text[begin : begin + _WIDTH]
    return Line(ref.source, ref.line, ref.last_line, kept, cut=len(text) > _WIDTH)
