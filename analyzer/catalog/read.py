"""One pattern file to patterns: every key, class, unit and expression is checked before anything is matched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import tomli

from analyzer.catalog import fit, target, values, wording
from analyzer.catalog.definition import PLACES, Column, Pattern, Sample, Variant
from analyzer.catalog.node import Node
from analyzer.errors import PatternError
from analyzer.events import EVENTS
from analyzer.tables import TABLES

if TYPE_CHECKING:
    from analyzer.catalog.definition import Constant

_SHARED: Final = ("id", "event", "table", "harmless", "speaker", "origin", "caution", "also", "form", "sample", "decoy")
_VARIANT_KEYS: Final = ("literal", "regex", "set", "since", "until")
_REGEX_KEYS: Final = (*_SHARED, *_VARIANT_KEYS, "at", "variant", "captures", "private")
_FIELDS_KEYS: Final = (*_SHARED, "heads", "fields", "ignored")


def read(text: str, file: str, *, trusted: bool = False) -> list[Pattern]:
    """The patterns of one file; a `trusted` one's expressions and captures are not looked at. Raises `PatternError`."""
    try:
        document = Node(tomli.loads(text), file)
    except tomli.TOMLDecodeError as error:
        raise PatternError(f"{file}: no TOML: {error}") from error
    document.only("source", "pattern", "private", "keep")  # the last two are those of analyzer.redact
    document.table("source").only("program")
    patterns = []
    for node in document.tables("pattern"):
        named = Node(node.values, f"{file}: pattern {node.text('id') or '?'}")
        patterns.append(_pattern(named, file, trusted=trusted))
    return patterns


def _pattern(node: Node, file: str, *, trusted: bool) -> Pattern:
    shared = _shared(node, file)
    form = node.text("form", "regex")
    if form == "regex":
        return _regex(node, shared, trusted=trusted)
    if form == "fields":
        return _fields(node, shared)
    raise node.wrong("form", f"unknown form {form!r}", ("regex", "fields"))


def _shared(node: Node, file: str) -> Pattern:
    if not node.text("id"):
        raise node.wrong("id", "is missing")
    if sum(bool(node.text(key)) for key in ("event", "table", "harmless")) != 1:
        raise node.wrong("event", "exactly one of event, table, harmless says what the lines turn into")
    if node.text("event") and node.text("event") not in EVENTS:
        raise node.wrong("event", f"there is no event {node.text('event')!r}", EVENTS)
    if node.text("table") and node.text("table") not in TABLES:
        raise node.wrong("table", f"there is no table {node.text('table')!r}", TABLES)
    return Pattern(
        id=node.text("id"),
        file=file,
        event=node.text("event"),
        table=node.text("table"),
        harmless=node.text("harmless"),
        speaker=node.text("speaker"),
        also=node.texts("also"),
        caution=node.text("caution"),
        origin=node.text("origin"),
        samples=tuple(_sample(sample) for sample in node.tables("sample")),
        decoys=tuple(_decoy(decoy) for decoy in node.tables("decoy")),
    )


def _regex(node: Node, shared: Pattern, *, trusted: bool) -> Pattern:
    node.only(*_REGEX_KEYS)
    at = next((place for place in PLACES if place == node.text("at", "start")), None)
    if at is None:
        raise node.wrong("at", f"unknown place {node.text('at')!r}", PLACES)
    captures = _captures(node)
    variants = tuple(_variants(node, trusted=trusted))
    for variant in () if trusted else variants:
        fit.check(node, variant, captures)
    return replace(shared, at=at, captures=captures, variants=variants, private=node.flag("private"))


def _captures(node: Node) -> dict[str, str]:
    given = node.table("captures")
    units = {name: given.text(name) for name in given.values}
    for name, unit in units.items():
        if unit not in values.UNIT_NAMES:
            raise given.wrong(name, f"unknown unit {unit!r}", values.UNIT_NAMES)
    return units


def _variants(node: Node, *, trusted: bool) -> list[Variant]:
    inner = node.tables("variant")
    if bool(inner) == bool(node.text("regex")):
        raise node.wrong("regex", "either a regex of its own or variants")
    for variant in inner:
        variant.only(*_VARIANT_KEYS)
    return [_variant(node, variant, trusted=trusted) for variant in inner or [node]]


def _variant(node: Node, variant: Node, *, trusted: bool) -> Variant:
    literals = variant.texts("literal") or node.texts("literal")
    if not literals:
        raise variant.wrong("literal", "is missing: a text that every match contains")
    expression = variant.text("regex")
    fault = "" if trusted else wording.objection(expression)
    if fault or not expression:
        raise variant.wrong("regex", fault or "is missing")
    constants = _constants(node.table("set")) | _constants(variant.table("set"))
    return Variant(expression, literals, variant.text("since"), variant.text("until"), constants)


def _constants(node: Node) -> dict[str, Constant]:
    for name, value in node.values.items():
        if not isinstance(value, str | bool):
            raise node.wrong(name, 'must be a text, true, false or a number with its unit ("300 s")')
    return node.values


def _fields(node: Node, shared: Pattern) -> Pattern:
    node.only(*_FIELDS_KEYS)
    if not shared.table:
        raise node.wrong("form", "fields fill the columns of a table")
    heads = node.texts("heads")
    if not heads:
        raise node.wrong("heads", "is missing: the texts that such a line begins with")
    fields = node.table("fields")
    columns = tuple(_column(fields.table(name), name, shared.table) for name in fields.values)
    return replace(shared, heads=heads, columns=columns, ignored=node.texts("ignored"))


def _column(node: Node, name: str, table: str) -> Column:
    node.only("keys", "unit", "since", "until")
    unit, keys = node.text("unit"), node.texts("keys")
    if unit not in values.UNIT_NAMES or not keys:
        raise node.wrong("unit", "a field has keys and one unit", values.UNIT_NAMES)
    full, known = values.column_name(name, unit), target.table_columns(table)
    if full not in known:
        raise node.wrong("unit", f"{table} has no column {full!r}", known)
    return Column(name, full, keys, unit)


def _sample(node: Node) -> Sample:
    node.only("line", "gives")
    return Sample(node.text("line"), node.table("gives").values)


def _decoy(node: Node) -> str:
    node.only("line", "why")
    return node.text("line")
