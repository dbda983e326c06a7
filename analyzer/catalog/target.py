"""The fields that a pattern can fill: those of an event class or the columns of a table."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Final

from analyzer.catalog.values import CLOCK, PLAIN, SIZE
from analyzer.events import EVENTS
from analyzer.tables import PLACE, TABLES
from analyzer.units import UNITS

_OWN: Final = frozenset({"where", "text", "count"})  # filled by the recogniser, never by a pattern
_BASES: Final = {"B": "Byte", "s": "Second", "token": "Token", "1": "One"}


@cache
def event_fields(event: str) -> dict[str, str]:
    """Field name to what it holds: `str`, `bool`, `int`, or the name of an amount's unit (`Byte`)."""
    return {f.name: _holds(str(f.type)) for f in dataclasses.fields(EVENTS[event]) if f.name not in _OWN}


@cache
def amounts(event: str) -> frozenset[str]:
    """The fields that hold an amount."""
    return frozenset(name for name, holding in event_fields(event).items() if holding in _BASES.values())


@cache
def required(event: str) -> frozenset[str]:
    """The fields without a default, `where` aside."""
    missing = dataclasses.MISSING
    fields = (f for f in dataclasses.fields(EVENTS[event]) if f.name not in _OWN)
    return frozenset(f.name for f in fields if f.default is missing and f.default_factory is missing)


@cache
def table_columns(table: str) -> dict[str, str]:
    """Column name to its kind (`float`, `bool`, `text`), without the columns that say where a row stands."""
    return {name: kind for name, kind in TABLES[table].items() if name not in PLACE}


def holds(unit: str) -> str:
    """What a capture of this unit can fill, in the words of `event_fields`."""
    if unit in PLAIN:
        return PLAIN[unit]
    if unit in {CLOCK, SIZE}:
        return "Second" if unit == CLOCK else "Byte"
    return _BASES.get(UNITS[unit][0], "rate")


def _holds(annotation: str) -> str:
    plain = annotation.removesuffix(" | None")
    return plain.removeprefix("Amount[").removesuffix("]") if plain.startswith("Amount[") else plain
