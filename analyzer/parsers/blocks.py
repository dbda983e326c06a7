"""The block parsers, found by their files."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import analyzer.parsers
from analyzer.expression import without_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.parsers.block import Around, Block, Text
    from analyzer.parsers.window import Window

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
    return bool(_possible(text[:_HEAD_WITHIN]))


def claimant(text: str, around: Around, *, asked: bool = False) -> Parser | None:
    """The first parser that says the line begins a block of its own.

    `asked`: the line answers a command echoed right above it, so that even a bare number may be an output.
    """
    for parser in block_parsers() if asked else _possible(text[:_HEAD_WITHIN]):
        if parser.claims(text, around):
            return parser
    return None


def _possible(within: str) -> list[Parser]:
    """The parsers of which a head occurs in the text, in their order."""
    candidates = _candidates(without_digits(within))
    return [parser for parser, heads in candidates if any(head in within for head in heads)]


@lru_cache(maxsize=4096)
def _candidates(bare: str) -> list[tuple[Parser, list[str]]]:
    """The parsers with those of their heads that occur in the text but for digits, of which it has none."""
    found = ((parser, [head for head, kept in heads if kept in bare]) for parser, heads in _bare_heads())
    return [(parser, heads) for parser, heads in found if heads]


@cache
def _bare_heads() -> tuple[tuple[Parser, tuple[tuple[str, str], ...]], ...]:
    """The parsers, with each of their heads and what is left of it without digits."""
    return tuple((p, tuple((head, without_digits(head)) for head in p.heads)) for p in block_parsers())


def has_bare_head(bare: str) -> bool:
    """Whether a head may occur in a text that is `bare` but for its digits.

    A head of digits alone is that of a time, which has colons as well, and is left out.
    """
    candidates = _candidates(bare[:_HEAD_WITHIN])
    return any(without_digits(head) for _, heads in candidates for head in heads)


def read_block(parser: Parser, first: Text, window: Window, around: Around) -> Block:
    """The block that begins at `first`; its other lines are taken from the window."""
    for size in (SHORT, LONG):
        lines = [first, *window.peek(size, first.node)]
        block = parser.reads(lines, around)
        if block.lines < len(lines) or len(lines) <= size:
            break
    window.skip(min(block.lines, len(lines)) - 1, first.node)
    return block
