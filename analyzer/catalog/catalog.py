"""All patterns together, with the indexes that matching needs; made once per run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from analyzer.catalog.load import load, shipped_folder
from analyzer.catalog.match import Matcher

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from analyzer.catalog.definition import Column, Pattern


class Head(NamedTuple):
    """The beginning of a `fields` line, its pattern, and the pattern's columns by key (`None`: known, no column)."""

    text: str
    pattern: Pattern
    columns: dict[str, Column | None]

    def pairs(self, line: str) -> list[tuple[str, str]]:
        """The `key: value` pairs that follow the head on a line; pieces without a colon are left out."""
        rest = line[len(self.text) :].replace("). ", ", ").replace("], ", ", ")
        pieces = (piece.strip(" ,").partition(": ") for piece in rest.split(", "))
        return [(key, raw) for key, colon, raw in pieces if colon]


@dataclass(frozen=True)
class Catalog:
    """Checked patterns. Expressions are compiled when a text first contains their literal."""

    patterns: tuple[Pattern, ...]

    @classmethod
    def load(cls, paths: Iterable[Path] | None = None) -> Catalog:
        """The patterns under `paths` (files or folders); those that come with the program where none are given.

        Raises `PatternError`.
        """
        if paths is None:
            return cls(load([shipped_folder()], trusted=True))
        return cls(load(paths))

    @cached_property
    def matcher(self) -> Matcher:
        """The index over all regex patterns."""
        return Matcher(self.patterns)

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        """The heads of all `fields` patterns, longest first."""
        found = [Head(text, pattern, _by_key(pattern)) for pattern in self.patterns for text in pattern.heads]
        return tuple(sorted(found, key=lambda head: -len(head.text)))


def _by_key(pattern: Pattern) -> dict[str, Column | None]:
    known: dict[str, Column | None] = dict.fromkeys(pattern.ignored)
    known.update((key, column) for column in pattern.columns for key in column.keys)
    return known
