"""The block parsers, found by their files, and the window of lines that they look at."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import deque
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import analyzer.parsers
from analyzer.parsers.block import Text
from analyzer.records import is_header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from analyzer.parsers.block import Around, Block
    from analyzer.scan.fast import Run

SHORT, LONG = 400, 20_000  # lines that a parser is shown at first, and where that was not enough
_HEAD_WITHIN = 400


class Parser(NamedTuple):
    """One module's parser."""

    kind: str
    heads: tuple[str, ...]
    claims: Callable[[str, Around], bool]
    reads: Callable[[Sequence[Text], Around], Block]


@cache
def block_parsers() -> tuple[Parser, ...]:
    """Every module beside this one that has `KIND`, `HEADS`, `claims` and `reads`, in the order of names."""
    names = sorted(module.name for module in pkgutil.iter_modules(analyzer.parsers.__path__))
    modules = (importlib.import_module(f"analyzer.parsers.{name}") for name in names)
    return tuple(Parser(m.KIND, tuple(m.HEADS), m.claims, m.reads) for m in modules if hasattr(m, "HEADS"))


def may_begin_block(text: str) -> bool:
    """Whether any parser's head occurs in the line: a cheap test before the surroundings are put together."""
    return _any_head().search(text, 0, _HEAD_WITHIN) is not None


def claimant(text: str, around: Around, *, asked: bool = False) -> Parser | None:
    """The first parser that says the line begins a block of its own.

    `asked`: the line answers a command echoed right above it, so that even a bare number may be an output.
    """
    for parser in block_parsers() if asked else _possible(text[:_HEAD_WITHIN]):
        if parser.claims(text, around):
            return parser
    return None


def _possible(within: str) -> list[Parser]:
    """The parsers of which a head occurs in the text, in their order; one search finds where any head begins."""
    beginnings: set[str] = set()
    found = _any_head().search(within)
    while found:
        beginnings.add(found[0])
        found = _any_head().search(within, found.start() + 1)
    candidates = _begun(frozenset(beginnings))
    return [parser for parser, heads in candidates if any(head in within for head in heads)]


@lru_cache(maxsize=1024)
def _begun(beginnings: frozenset[str]) -> list[tuple[Parser, list[str]]]:
    """The parsers with those of their heads that begin in one of these ways."""
    found = ((p, [head for head in p.heads if head.startswith(tuple(beginnings))]) for p in block_parsers())
    return [(parser, heads) for parser, heads in found if heads]


@cache
def _any_head() -> re.Pattern[str]:
    """All heads as one expression that shares their beginnings: four times as fast as asking for each."""
    tree: dict[str, Any] = {}
    for parser in block_parsers():
        for head in parser.heads:
            node = tree
            for character in head:
                node = node.setdefault(character, {})
            node[""] = {}
    return re.compile(_expression(tree) or r"\Z.")


def _expression(node: dict[str, Any]) -> str:
    if "" in node:
        return ""
    branches = [re.escape(character) + _expression(below) for character, below in node.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})" if branches else ""


class Window:
    """The lines still to come, of which some may be looked at before they are taken."""

    def __init__(self, texts: Iterator[Text | Run]) -> None:
        self._texts = texts
        self._ready: deque[Text | Run] = deque()

    def take(self) -> Text | Run | None:
        """The next line, or `None` at the end."""
        return self._ready.popleft() if self._ready else next(self._texts, None)

    def skip(self, count: int) -> None:
        """Leaves lines out that were looked at."""
        for _ in range(count):
            self._ready.popleft()

    def peek(self, count: int) -> list[Text]:
        """Up to `count` further lines, ended by SGLang's next header: no snapshot goes on behind one."""
        self._fill(count)
        shown: list[Text] = []
        for text in self._ready:
            if len(shown) == count or not isinstance(text, Text) or is_header(text.text):
                break
            shown.append(text)
        return shown

    def _fill(self, count: int) -> None:
        while len(self._ready) < count and (text := next(self._texts, None)) is not None:
            self._ready.append(text)


def read_block(parser: Parser, first: Text, window: Window, around: Around) -> Block:
    """The block that begins at `first`; its other lines are taken from the window."""
    for size in (SHORT, LONG):
        lines = [first, *window.peek(size)]
        block = parser.reads(lines, around)
        if block.lines < len(lines) or len(lines) <= size:
            break
    window.skip(min(block.lines, len(lines)) - 1)
    return block
