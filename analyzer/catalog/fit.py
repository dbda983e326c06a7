"""Whether what a wording captures and sets fits the event or the table that it is to fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.catalog import target, values, wording

if TYPE_CHECKING:
    from analyzer.catalog.definition import Constant, Variant
    from analyzer.catalog.node import Node


def check(node: Node, variant: Variant, captures: dict[str, str]) -> None:
    """Raises `PatternError` where a capture has no unit, no field or column, or the wrong kind of value."""
    for name in sorted(wording.names(variant.regex) - captures.keys()):
        raise node.wrong("captures", f"{name!r} has no unit")
    if node.text("event"):
        _captured(node, captures)
        _set(node, variant.constants)
        _required(node, variant)
    elif node.text("table"):
        _columns(node, captures)
    elif captures or variant.constants:
        raise node.wrong("captures", "harmless lines carry no facts")


def _captured(node: Node, captures: dict[str, str]) -> None:
    event = node.text("event")
    fields = target.event_fields(event)
    for name, unit in captures.items():
        if name not in fields:
            raise node.wrong("captures", f"{event} has no field {name!r}", fields)
        if fields[name] != target.holds(unit):
            raise node.wrong("captures", f"{name} holds {fields[name]}, the unit {unit!r} gives {target.holds(unit)}")


def _set(node: Node, constants: dict[str, Constant]) -> None:
    event = node.text("event")
    fields = target.event_fields(event)
    for name, value in constants.items():
        if name not in fields:
            raise node.wrong("set", f"{event} has no field {name!r}", fields)
        if fields[name] not in {_holds(value), "str" if isinstance(value, str) else "bool"}:
            raise node.wrong("set", f"{name} holds {fields[name]}, not {value!r}")


def _required(node: Node, variant: Variant) -> None:
    event = node.text("event")
    given = wording.names(variant.regex) | variant.constants.keys()
    for name in sorted(target.required(event) - given):
        raise node.wrong("captures", f"{event} needs {name!r} and a variant does not give it")


def _columns(node: Node, captures: dict[str, str]) -> None:
    known = target.table_columns(node.text("table"))
    for name, unit in captures.items():
        if values.column_name(name, unit) not in known:
            raise node.wrong("captures", f"no column {values.column_name(name, unit)!r}", known)


def _holds(value: Constant) -> str:
    stated = values.stated(value) if isinstance(value, str) else None
    return target.holds(stated[1]) if stated else "bool" if isinstance(value, bool) else "str"
