"""One exact form of a `head, key: value` line: the words between its values, and the columns that the values fill.

A template is made from a line that the exact reading has taken apart, and stands for lines that differ from it in
nothing but plain numbers and flags.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from analyzer.catalog.values import of_column
from analyzer.scan.fast.words import WIDTH, flag, number_length, parsed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from analyzer.catalog import Head
    from analyzer.scan.fast.words import Mask, Positions, Word, Words

    Columns: TypeAlias = dict[str, NDArray[np.float64] | NDArray[np.int64] | Mask]

_VALUE = re.compile(rb"(?:: |\[)(\d{1,15}(?:\.\d{1,6})?|True|False)")
_ENDS = (b",", b"]", b"%")  # what may follow a value, by its first byte
_TAILS = (b"", b",", b", ")
_LONGEST = 2000
_LONGEST_NUMBER = 15  # digits and point: the value is exact in a float
_FLAG, _NUMBER = "flag", "number"


class Field(NamedTuple):
    """A value and the fixed text behind it; `column` is empty where no column takes it."""

    behind: bytes
    column: str
    kind: str
    places: int = 0
    factor: float = 1.0


class _Number(NamedTuple):
    """Where the numbers of one field stand, their first eight bytes, and how long they are."""

    field: Field
    where: Positions
    word: Word
    length: Positions


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed text before the first value, the values, and what a line of this form counts as unknown keys."""

    table: str
    before: bytes
    fields: tuple[Field, ...]
    unknown: Counter[str]

    def read(self, words: Words, where: Positions) -> tuple[Mask, Columns]:
        """Which of the lines whose messages begin at `where` have this form, and their values."""
        plain, value = words.behind(where, self.before)
        where = where + len(self.before)
        columns: Columns = {}
        numbers: dict[int, list[_Number]] = {}
        for field in self.fields:
            if field.kind == _FLAG:
                flags, length, right = flag(value)
                plain &= right
                if field.column:
                    columns[field.column] = flags
            else:
                length = number_length(value, field.places, field.behind[0])
                if length.max() >= WIDTH:
                    _measure_long(words, where, length, field)
                numbers.setdefault(field.places, []).append(_Number(field, where, value, length))
            where = where + length
            right, value = words.behind(where, field.behind)
            plain &= right
            where = where + len(field.behind)
        for places, found in numbers.items():
            plain &= _read_numbers(words, found, places, columns)
        return plain, columns


def _measure_long(words: Words, where: Positions, length: Positions, field: Field) -> None:
    """Finds the ends of the numbers that may go on behind their first eight bytes."""
    long = np.flatnonzero(length >= WIDTH)
    length[long] = words.distance(where[long], field.behind[0], 2 * WIDTH)


def _read_numbers(words: Words, numbers: list[_Number], places: int, columns: Columns) -> Mask:
    """Reads all numbers of so many decimals at once, and says on which lines all of them are plain."""
    lengths = np.stack([number.length for number in numbers])
    digits, plain = parsed(np.stack([number.word for number in numbers]), lengths, places)
    if (long := lengths > WIDTH).any():
        where, length = np.stack([number.where for number in numbers])[long], lengths[long]
        digits[long], plain[long] = _long_numbers(words, where, length, places)
    values = digits.astype(np.float64)
    if places:
        values /= 10.0**places
    for number, found in zip(numbers, values, strict=True):
        if number.field.column:
            columns[number.field.column] = found * number.field.factor if number.field.factor != 1 else found
    everywhere: Mask = np.logical_and.reduce(plain)
    return everywhere


def _long_numbers(words: Words, where: Positions, length: Positions, places: int) -> tuple[Word, Mask]:
    """The same for numbers of nine to fifteen characters, the point among the last eight."""
    begin, well = parsed(words.at(where), length - WIDTH, 0)
    end, plain = parsed(words.at(where + length - WIDTH), np.full_like(length, WIDTH), places)
    return begin * np.uint64(10 ** (WIDTH - (places > 0))) + end, well & plain & (length <= _LONGEST_NUMBER)


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
