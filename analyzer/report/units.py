"""Plain values of the document with their unit, for people."""

from __future__ import annotations

from fractions import Fraction

from analyzer.units.shown import binary, number

_WORDS = {"token/s": "tok/s", "token": "tokens"}


def figure(value: float, unit: str) -> str:
    """A value in base units as a person reads it: bytes as GiB, ratios bare, rates with their unit."""
    if unit == "B":
        return binary(Fraction(value))
    text = number(Fraction(value), Fraction(0), 0 if abs(value) >= 100 else 2)  # noqa: PLR2004 - three digits
    return text if unit in {"1", "ratio", "count"} else f"{text} {_WORDS.get(unit, unit)}"


def counted(count: int, what: str) -> str:
    """So many of something: `1 line`, `1,200 lines`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
