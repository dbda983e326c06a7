"""How amounts are written for a person: GiB, with GB beside it where GB was typed, and no digit too many."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.units.amount import Amount

GIB = Fraction(2**30)
GB = Fraction(10**9)
MIB = Fraction(2**20)
KIB = Fraction(2**10)


def number(value: Fraction, slack: Fraction, most_places: int) -> str:
    """A decimal with thousands commas, cut to the places that `slack` allows, without trailing zeros."""
    places = most_places
    while places > 0 and slack > Fraction(1, 2) / 10**places:
        places -= 1
    text = f"{float(round(value, places)):,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(amount: Amount[Any]) -> str:
    """A count in whole numbers; `about` and zeros for the digits that rounding leaves open, exact ones in full."""
    places = 0
    while amount.slack > Fraction(1, 2) / Fraction(10) ** places and abs(amount.value) >= Fraction(10) ** (1 - places):
        places -= 1
    if amount.value and _averaged(amount):
        places = min(places, _three_digits(amount.value))
    about = "about " if places < 0 and amount.slack else ""
    return f"{about}{float(round(amount.value, places)):,.0f}"


def _three_digits(value: Fraction) -> int:
    return 3 - len(str(int(abs(value))))


def _averaged(amount: Amount[Any]) -> bool:
    """Whether a mean is below it: a mean of what differs by itself says three digits at most."""
    origin = amount.origin
    return any(map(_averaged, getattr(origin, "of", ()))) or getattr(origin, "how", "") == "mean"


def _places(value: Fraction) -> int:
    size = abs(value)
    return 0 if size >= 1000 else 1 if size >= 10 else 2  # noqa: PLR2004 - four significant digits at most


def binary(value: Fraction, slack: Fraction = Fraction(0)) -> str:
    """Bytes as GiB (MiB, KiB, B below a tenth of one)."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if abs(value) >= unit / 10:
            return f"{number(value / unit, slack / unit, _places(value / unit))} {name}"
    return f"{number(value, slack, 0)} B"


def decimal_size(value: Fraction, slack: Fraction = Fraction(0)) -> str:
    """Bytes as decimal GB."""
    return f"{number(value / GB, slack / GB, _places(value / GB))} GB"


def duration(value: Fraction) -> str:
    """Seconds as `359 s`, from ten minutes on with the minutes beside it; hours and days likewise."""
    seconds = float(value)
    if abs(seconds) < 600:  # noqa: PLR2004 - ten minutes
        return f"{number(value, Fraction(0), 0 if abs(seconds) >= 100 else 1)} s"  # noqa: PLR2004
    if abs(seconds) < 7200:  # noqa: PLR2004 - two hours
        return f"{seconds:,.0f} s ({seconds / 60:.0f} min)"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"  # noqa: PLR2004


def shown(amount: Amount[Any]) -> str:
    """The amount in its usual unit."""
    value, slack, unit = amount.value, amount.slack, amount.unit
    if unit == "B":
        return decimal_size(value, slack) if amount.decimal else binary(value, slack)
    if unit == "s":
        return duration(value)
    if unit == "1":
        most_places = 0 if value.denominator == 1 else 2 if abs(value) >= Fraction(1, 10) else 4
        if most_places and abs(value) >= 1 and _averaged(amount):
            most_places = max(0, _three_digits(value))
        return number(value, slack, most_places)
    if unit == "token":
        return f"{count(amount)} tokens"
    if unit == "B/token":
        return f"{count(amount)} bytes per token"
    if unit == "token/s":
        return f"{number(value, slack, 0 if value >= 100 else 1)} tok/s"  # noqa: PLR2004
    return f"{number(value, slack, 2)} {unit}"


def both(amount: Amount[Any]) -> str:
    """A size in the unit it was typed in and in GiB: `2,400 GB = 2,235 GiB`."""
    if amount.unit == "B" and amount.decimal:
        return f"{decimal_size(amount.value, amount.slack)} = {binary(amount.value, amount.slack)}"
    return shown(amount)


def many(number: int, noun: str) -> str:
    """So many of a thing: `1 rank`, `8 ranks`, `2 processes`."""
    plural = noun if number == 1 else f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {plural}"


def percent(ratio: Amount[Any]) -> str:
    """A share of a whole, for a sentence: `38%`."""
    return f"{number(ratio.value * 100, ratio.slack * 100, 0 if abs(ratio.value) >= Fraction(1, 10) else 1)}%"


def times(ratio: Amount[Any]) -> str:
    """A ratio in words that claim two digits at most: `about 5 times`."""
    value = float(ratio.value)
    rough = f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")  # noqa: PLR2004
    return f"about {rough} times"
