"""One exact form of a `head, key: value` line: the words between its values, and the columns that the values fill.

A template is made from a line that the exact reading has taken apart, and stands for lines that differ from it in
nothing but plain numbers and flags.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from analyzer.catalog.values import of_column

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analyzer.catalog import Head
    from analyzer.scan.fast.words import Mask, Positions, Words

    Columns: TypeAlias = dict[str, NDArray[np.float64] | NDArray[np.int64] | Mask]

_VALUE = re.compile(rb"(?:: |\[)(\d{1,15}(?:\.\d{1,6})?|True|False)")
_ENDS = (b",", b"]", b"%")  # what may follow a value, by its first byte
_TAILS = (b"", b",", b", ")
_LONGEST = 2000
_FLAG, _NUMBER = "flag", "number"


class Field(NamedTuple):
    """A value and the fixed text behind it; `column` is empty where no column takes it."""

    behind: bytes
    column: str
    kind: str
    places: int = 0
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed text before the first value, the values, and what a line of this form counts as unknown keys."""

    table: str
    before: bytes
    fields: tuple[Field, ...]
    unknown: Counter[str]

    def read(self, words: Words, where: Positions) -> tuple[Mask, Columns]:
        """Which of the lines whose messages begin at `where` have this form, and their values."""
        plain = words.same(where, self.before)
        where = where + len(self.before)
        columns: Columns = {}
        for field in self.fields:
            if field.kind == _FLAG:
                flags, length, right = words.flag(where)
                if field.column:
                    columns[field.column] = flags
            else:
                numbers, length, right = words.number(where, field.behind[0], field.places, plain)
                if field.column:
                    columns[field.column] = numbers * field.factor
            plain &= right
            where = where + length
            plain &= words.same(where, field.behind)
            where = where + len(field.behind)
        return plain, columns


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
    kind = _FLAG if raw.isalpha() else _NUMBER
    column = head.columns.get(key)
    places = len(value.partition(".")[2])
    if column is None:
        return Field(behind, "", kind, places)
    read = of_column(said, column.unit)
    if isinstance(read, bool) != (kind == _FLAG) or not isinstance(read, bool | float):
        return None
    one = of_column("1", column.unit)
    return Field(behind, column.name, kind, places, one if isinstance(one, float) and kind == _NUMBER else 1.0)
