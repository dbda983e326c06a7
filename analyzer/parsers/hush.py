"""A run of lines that say nothing, or give events and nothing else, as it stands among the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from analyzer.evidence import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.catalog import Claim
    from analyzer.parsers.block import Text
    from analyzer.scan import Line
    from analyzer.scan.run import Heard, Run
    from analyzer.scan.silence import Silence

    Item: TypeAlias = "Text | Run | Hush | Heard"  # what a source's lines come as
    Said = Callable[[bytes], tuple[str, list[Claim]]]


class Hush:
    """The run with what makes a text of one of its lines, where one is needed after all."""

    __slots__ = ("_run", "_said", "_source", "_text")

    def __init__(self, run: Silence, said: Said, source: str, text: Callable[[Line], Text]) -> None:
        self._run = run
        self._said = said
        self._source = source
        self._text = text

    def __len__(self) -> int:
        return len(self._run)

    @property
    def number(self) -> int:
        """The number of the first line."""
        return self._run.number

    @property
    def opens_apart(self) -> bool:
        """Whether the first line goes on no message before it."""
        return self._run.opens_apart

    @property
    def apart(self) -> bool:
        """Whether no line goes on what was said before it."""
        return self._run.apart

    @property
    def mute(self) -> bool:
        """Whether no line gives events."""
        return self._run.mute

    @property
    def known(self) -> int:
        """How many lines a pattern explains."""
        return self._run.known

    def take(self) -> Text:
        """The first line, which the run then no longer has."""
        return self._text(self._run.take())

    def eventful(self) -> Iterator[tuple[str, list[Claim], Ref]]:
        """The text, the claims and the place of every line that gives events."""
        for raw, number, start in self._run.eventful():
            yield *self._said(raw), Ref(self._source, number, number, start, start + len(raw) + 1)
