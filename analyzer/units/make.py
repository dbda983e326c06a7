"""The only ways to make an amount out of a text or a constant."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer.units.amount import Amount, FoldHow, Given, Measured, One, Read

if TYPE_CHECKING:
    from analyzer.evidence import Ref

# What a unit named in a pattern or printed by a tool means: base unit, factor, powers of ten.
# "GB" is decimal here; SGLang's GPU figures, which print "GB" and mean GiB, are declared "GiB" by their pattern.
UNITS: dict[str, tuple[str, Fraction, bool]] = {
    "B": ("B", Fraction(1), False),
    "kB": ("B", Fraction(1000), True),
    "MB": ("B", Fraction(10**6), True),
    "GB": ("B", Fraction(10**9), True),
    "TB": ("B", Fraction(10**12), True),
    "KiB": ("B", Fraction(2**10), False),
    "MiB": ("B", Fraction(2**20), False),
    "GiB": ("B", Fraction(2**30), False),
    "TiB": ("B", Fraction(2**40), False),
    "PiB": ("B", Fraction(2**50), False),
    "s": ("s", Fraction(1), False),
    "ms": ("s", Fraction(1, 1000), False),
    "min": ("s", Fraction(60), False),
    "h": ("s", Fraction(3600), False),
    "token": ("token", Fraction(1), False),
    "count": ("1", Fraction(1), False),
    "ratio": ("1", Fraction(1), False),
    "percent": ("1", Fraction(1, 100), False),
    "token/s": ("token/s", Fraction(1), False),
    "B/token": ("B/token", Fraction(1), False),
}

# What no figure of a server reaches, in base units: a thousand exbibytes, three hundred years. A number beyond is none.
_BEYOND = {"s": Fraction(10**10)}
_BEYOND_ALL = Fraction(10**21)
_LONGEST = 40  # signs of a number that is one


def half_digit(digits: str) -> Fraction:
    """Half of the last printed digit of a decimal number: `26.58` gives 0.005; whole numbers are taken as exact."""
    places = len(digits.lower().partition("e")[0].partition(".")[2])
    return Fraction(1, 2) / 10**places * Fraction(10) ** _exponent(digits) if places else Fraction(0)


def _exponent(digits: str) -> int:
    """The power of ten that a number brings along; 0 for what is none."""
    power = digits.lower().partition("e")[2]
    return int(power) if power.lstrip("+-").isdecimal() else 0


def read(digits: str, unit: str, line: Ref, *, truncated: bool = False) -> Amount[Any]:
    """An amount printed on a line.

    `digits` is the number as printed (thousands commas allowed), `unit` a key of `UNITS`. `truncated` is for tools
    that cut instead of rounding (`free -g`): the true value may be a whole last digit higher.
    Raises `ValueError` for a text that is no finite number, or one that nothing of a server can have.
    """
    plain = digits.replace(",", "").strip()
    base, factor, decimal = UNITS[unit]
    if len(plain) > _LONGEST or abs(_exponent(plain)) > _LONGEST:
        raise ValueError(f"{plain[:_LONGEST]} is longer than any figure")
    value = Fraction(plain) * factor
    if abs(value) >= _BEYOND.get(base, _BEYOND_ALL):
        raise ValueError(f"{plain} {unit} is more than there is anywhere")
    slack = half_digit(plain)
    if truncated:
        slack = slack * 2 or Fraction(1)
    return Amount(value, base, Read(line, f"{digits} {unit}"), slack * factor, decimal)


def given(number: str, unit: str, by: Given) -> Amount[Any]:
    """A constant or a fact from outside the input, with its reason."""
    base, factor, decimal = UNITS[unit]
    return Amount(Fraction(number) * factor, base, by, Fraction(0), decimal)


def assumed(number: str, unit: str, reason: str) -> Amount[Any]:
    """A constant that a rule brings along."""
    return given(number, unit, Given("rule", reason))


def of_release(number: str, unit: str, reason: str) -> Amount[Any]:
    """A constant of the SGLang release."""
    return given(number, unit, Given("release", reason))


def counted(number: int, lines: tuple[Ref, ...], what: str) -> Amount[One]:
    """How many distinct things the lines name (ranks, processes, nodes)."""
    return Amount(Fraction(number), "1", Measured("count", what, number, lines[0], lines[-1]))


def measured(number: float, unit: str, origin: Measured) -> Amount[Any]:
    """A figure folded from table rows; exact as far as the table is."""
    base, factor, decimal = UNITS[unit]
    return Amount(Fraction(number) * factor, base, origin, Fraction(0), decimal)


def fold(how: FoldHow, table: str, rows: int, first: Ref, last: Ref) -> Measured:
    """Where a measured figure comes from."""
    return Measured(how, table, rows, first, last)
