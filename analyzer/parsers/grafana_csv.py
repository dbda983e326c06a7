"""The CSV of a Grafana panel: a column of times, then one column per series, or series, time and value in rows.

Only panels of metrics known by name are read: a legend that a person wrote has no unit to rely on.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers import series
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Around, Text

KIND = "grafana-csv"
HEADS = ("Time", "Series", "sep=")

_SEPARATOR = lazy(r"sep=([,;])$")
_NAME = lazy(r"([A-Za-z_]\w{2,80}(?::\w{1,80})?)(?: ?\{(.{0,2000})\})?$")
_UNITS = lazy(r"(\d[\d.]{0,20}) ?([KMGTP]i?B|%|B)$", re.ASCII)
_MEMORY = lazy(r"Mem(?:Total|Available|Free)$|Shmem$")  # as meminfo calls them
_LONGEST = 20_000


@dataclass(slots=True)
class _Table:
    """What the header told: how cells are parted, and which series each column holds."""

    separator: str = ","
    columns: tuple[tuple[str, dict[str, str]], ...] = ()
    rows: bool = False


def claims(head: str, _around: Around) -> bool:
    """A header with a time and a known metric, or with series, time and value."""
    if not head.lstrip('"').startswith(HEADS):
        return False
    return _SEPARATOR.match(head.strip()) is not None or _header(head) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What the columns tell, each row at its own time."""
    begin = 1 if _SEPARATOR.match(lines[0].text.strip()) else 0
    table = _header(lines[begin].text) if begin < len(lines) else None
    if table is None:
        return Block(1, 0)
    samples: list[series.Sample] = []
    used = begin + 1
    for line in lines[used:]:
        cells = _cells(line.text, table.separator)
        stamp = _time(cells[1 if table.rows else 0]) if len(cells) > 1 else None
        if stamp is None:
            break
        samples += _samples(table, cells, line._replace(stamp=stamp))
        used += 1
    return Block(used, used if samples else 0, series.events(samples, around))


def _header(text: str) -> _Table | None:
    separator = ";" if text.count(";") > text.count(",") else ","
    cells = _cells(text, separator)
    if [cell.lower() for cell in cells] == ["series", "time", "value"]:
        return _Table(separator, rows=True)
    if len(cells) < 2 or cells[0].strip() != "Time":  # noqa: PLR2004 - a time and a series at least
        return None
    columns = tuple(_series_of(cell) for cell in cells[1:])
    return _Table(separator, columns) if any(name for name, _ in columns) else None


def _series_of(cell: str) -> tuple[str, dict[str, str]]:
    """The metric that a column is called after, with its labels; no name where it is not known."""
    found = _NAME.match(cell.strip())
    if found is None:
        return "", {}
    name = f"node_memory_{found[1]}_bytes" if _MEMORY.match(found[1]) else found[1]
    return (name if series.KNOWN.match(name) else "", dict(series.LABEL.findall(found[2] or "")))


def _cells(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([text[:_LONGEST]], delimiter=separator), [])
    except csv.Error:  # a NUL, a bare line break, a cell beyond the reader's limit
        return []


def _time(cell: str) -> Stamp | None:
    return stamps.epoch(cell.strip()) or moment(cell)


def _samples(table: _Table, cells: list[str], line: Text) -> Iterator[series.Sample]:
    if table.rows:
        *series_and_time, cell = cells[:3]
        named = [(_series_of(series_and_time[0]), cell)]
    else:
        named = list(zip(table.columns, cells[1:], strict=False))
    for (name, labels), cell in named:
        value = _value(cell, line)
        if name and value is not None:
            yield series.Sample(name, labels, value, line)


def _value(cell: str, line: Text) -> float | None:
    """A number, with the unit of a panel that shows one."""
    found = _UNITS.match(cell.strip())
    if found is None:
        return series.number(cell)
    if found[2] == "%":
        return series.number(found[1])
    amount = size(f"{found[1]}{found[2]}", line.ref, decimal="i" not in found[2])
    return None if amount is None else amount.number()
