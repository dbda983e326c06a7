"""What an expression costs on the longest text that it is given, made of what it looks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog, wording
from analyzer.catalog.match import LONGEST

if TYPE_CHECKING:
    from analyzer.catalog.definition import Pattern, Variant

PATTERNS = Catalog.load().patterns
SECONDS = 2.0  # a linear expression needs a hundredth of it, a quadratic one ten times as much


def hostile(variant: Variant, pattern: Pattern) -> list[str]:
    """Texts as long as a regex may see: nearly matching, again and again, on one line and on many."""
    literal = variant.literals[0]
    pieces = [literal, f"{literal} ", literal[:-1], f"error cuda x: {literal}\n", f"a.{literal}"]
    pieces += [sample.text[:-5] + "\n" for sample in pattern.samples[:1]]
    return [(piece * (LONGEST // len(piece) + 1))[:LONGEST] for piece in pieces] + ["a" * (LONGEST - 200) + literal]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.id)
def test_no_expression_runs_away(pattern: Pattern) -> None:
    for variant in pattern.variants:
        expression = wording.compiled(variant.regex)
        for text in hostile(variant, pattern):
            if pattern.at == "anywhere":
                list(expression.finditer(text, timeout=SECONDS))
            elif pattern.at == "record":
                expression.search(text, timeout=SECONDS)
            else:
                expression.match(text, timeout=SECONDS)
