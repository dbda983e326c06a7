"""Captured text to values: amounts, texts, flags and whole numbers of events; plain numbers of table columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from analyzer import units
from analyzer.units import UNITS

if TYPE_CHECKING:
    from analyzer.evidence import Ref

# Units of a pattern file beside those of `units`: what the capture is, where it is no amount; "clock" is 1:02:03;
# "size" is a number of bytes that brings its own unit along: 2.00 GiB, 512 bytes.
PLAIN: Final = {"text": "str", "flag": "bool", "int": "int"}
CLOCK: Final = "clock"
SIZE: Final = "size"
UNIT_NAMES: Final = frozenset(UNITS) | PLAIN.keys() | {CLOCK, SIZE}
_SPELLINGS: Final = {"bytes": "B", "byte": "B", "KB": "kB", "Gi": "GiB", "Ti": "TiB"}

# What a column's name ends in, by base unit.
_ENDINGS: Final = {"B": "bytes", "s": "s", "token": "token", "1": "count", "token/s": "token_per_s"}
_FACTORS: Final = {unit: float(factor) for unit, (_, factor, _) in UNITS.items()}
_BEYOND: Final = 1e40  # what no figure reaches: sums and squares of less are still numbers
_TRUE: Final = frozenset({"True", "true", "1"})
_FALSE: Final = frozenset({"False", "false", "0"})


def of_event(raw: str, unit: str, ref: Ref) -> Any:
    """The value of an event's field; `None` where the text is no value of that unit."""
    if unit in PLAIN:
        return _plain(raw, unit)
    try:
        if unit == CLOCK:
            return units.read(str(seconds(raw)), "s", ref)
        if unit == SIZE:
            return units.read(*_sized(raw), ref)
        return units.read(raw, unit, ref)
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def of_column(raw: str, unit: str) -> float | str | bool | None:
    """The value of a table's column in base units; `None` where the text is no value of that unit."""
    if unit in PLAIN:
        return _plain(raw, unit)
    number = _number(raw)
    return None if number is None or abs(number) >= _BEYOND else number * _FACTORS[unit]


def stated(constant: str) -> tuple[str, str] | None:
    """Number and unit of a constant that is an amount (`300 s`); `None` where it is a text."""
    number, _, unit = constant.partition(" ")
    return (number, unit) if unit in UNITS and number.replace(".", "", 1).isdigit() else None


def column_name(name: str, unit: str) -> str:
    """The column of a field: `running` counted is `running_count`; texts keep their bare name."""
    if unit == "text":
        return name
    if unit == "flag":
        return f"{name}_flag"
    if unit in {"ratio", "percent"}:
        return f"{name}_ratio"
    return f"{name}_{_ENDINGS.get(UNITS[unit][0], unit)}"


def seconds(clock: str) -> int:
    """The seconds of `m:ss` or `h:mm:ss`. Raises `ValueError` for anything else."""
    whole = 0
    for part in clock.split(":"):
        whole = whole * 60 + int(part)
    return whole


def _sized(raw: str) -> tuple[str, str]:
    name = raw.lstrip("0123456789., -")
    return raw.removesuffix(name).strip(), _SPELLINGS.get(name, name)


def _number(raw: str) -> float | None:
    """The number that a value begins with; `None` for nan, inf and a number cut behind its point."""
    digits = raw.partition(" ")[0].rstrip("%").replace(",", "")
    try:
        number = float(digits)
    except ValueError:
        return None
    return number if number - number == 0.0 and digits[-1] != "." else None


def _plain(raw: str, unit: str) -> str | bool | int | None:
    if unit == "text":
        return raw
    if unit == "flag":
        return raw in _TRUE if raw in _TRUE or raw in _FALSE else None
    try:
        return int(raw)
    except ValueError:
        return None
