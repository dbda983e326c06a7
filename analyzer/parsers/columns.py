"""Tables whose columns are aligned under a header by two or more blanks (`docker ps`, `kubectl get`)."""

from __future__ import annotations

from analyzer.expression import lazy

_NAME = lazy(r"\S+(?: \S+)*")
_GAP = lazy(r" {2,}|\t+")


class Columns:
    """The header of such a table: what its columns are called and where they begin."""

    def __init__(self, header: str) -> None:
        found = list(_NAME.finditer(header))
        self.names = tuple(match[0].upper() for match in found)
        self._starts = tuple(match.start() for match in found)

    def row(self, text: str) -> dict[str, str]:
        """The cells of a row by column; where a cell is empty, the header's offsets decide."""
        parts = _GAP.split(text.strip())
        if len(parts) != len(self.names):
            ends = (*self._starts[1:], len(text))
            parts = [text[start:end].strip() for start, end in zip(self._starts, ends, strict=False)]
        return dict(zip(self.names, parts, strict=True))
