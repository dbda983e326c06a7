"""One exact form of a `head, key: value` line: the words between its values, and the columns that the values fill.

A template is made from a line that the exact reading has taken apart, and stands for lines that differ from it in
nothing but plain numbers and flags.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from analyzer.catalog.values import of_column
from analyzer.scan.fast.layout import FLAG

if TYPE_CHECKING:
    from analyzer.catalog import Head

_VALUE = re.compile(rb"(?:: |\[)(\d{1,15}(?:\.\d{1,6})?|True|False)")
_ENDS = (b",", b"]", b"%")  # what may follow a value, by its first byte
_TAILS = (b"", b",", b", ")
_LONGEST = 2000


class Field(NamedTuple):
    """A value and the fixed text behind it.

    `places` are its decimals, `FLAG` where it is `True` or `False`; `column` is empty where no column takes it, and
    takes `factor` times the number.
    """

    behind: bytes
    column: str
    places: int
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed text before the first value, the values, and what a line of this form counts as unknown keys."""

    table: str
    before: bytes
    fields: tuple[Field, ...]
    unknown: Counter[str]


def template_of(text: bytes, head: Head) -> Template | None:
    """The form of a line (header and line end off); `None` where it holds anything but plain values."""
    body = text.removesuffix(b"\r")
    found = [match.span(1) for match in _VALUE.finditer(body)]
    if not found or not body.isascii() or len(body) > _LONGEST:
        return None
    fields: list[Field] = []
    unknown: Counter[str] = Counter()
    pairs = iter(head.pairs(body.decode()))
    for (start, end), following in zip(found, [*(start for start, _ in found[1:]), len(body)], strict=True):
        # `Decode batch [120], ` counts its steps, which is no pair
        pair = ("", "") if body[start - 1 : start] == b"[" else next(pairs, None)
        field = _field(body[start:end], body[end:following], pair, head) if pair else None
        if pair is None or field is None:
            return None
        if pair[0] and pair[0] not in head.columns:
            unknown[pair[0]] += 1
        fields.append(field)
    columns = [field.column for field in fields if field.column]
    regular = all(field.behind.startswith(_ENDS) for field in fields[:-1]) and fields[-1].behind in _TAILS
    if not regular or next(pairs, None) or not columns or len(set(columns)) < len(columns):
        return None
    fields[-1] = fields[-1]._replace(behind=fields[-1].behind + text[len(body) :] + b"\n")
    return Template(head.pattern.table, body[: found[0][0]], tuple(fields), unknown)


def _field(raw: bytes, behind: bytes, pair: tuple[str, str], head: Head) -> Field | None:
    """The value as the exact reading has it; `None` where the two disagree on what the value is."""
    key, said = pair
    value = raw.decode()
    if key and said.rstrip("%") != value:
        return None
    column = head.columns.get(key)
    places = FLAG if raw.isalpha() else len(value.partition(".")[2])
    if column is None:
        return Field(behind, "", places)
    read = of_column(said, column.unit)
    if isinstance(read, bool) != (places == FLAG) or not isinstance(read, bool | float):
        return None
    one = of_column("1", column.unit)
    return Field(behind, column.name, places, one if isinstance(one, float) and places != FLAG else 1.0)
