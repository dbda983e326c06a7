"""The table of `vmstat`: with and without `-t`, `-w`, `-a`, in the unit of `-S`, of old and new versions.

Memory and swap columns are in the unit of `-S` where the echoed command, the banner or the file's name shows one, else
in KiB. The first row of a run holds rates since boot, unless the command says `-y`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.events import VmstatRow
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment, zone_of
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "vmstat"
HEADS = ("procs", "swpd")

_UNIT = lazy(r"S[ _]?([kKmM])(?:[ _.]|$)")
_UNITS = {"k": "kB", "K": "KiB", "m": "MB", "M": "MiB"}


@dataclass(slots=True)
class _Table:
    """What the header told: the columns, the zone over the time column, the unit of sizes."""

    unit: str
    names: tuple[str, ...] = ()
    zone: str = ""


def claims(head: str, _around: Around) -> bool:
    """The banner over the columns, or the columns where the banner is cut off."""
    return _is_banner(head) or _is_header(head)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row; the headers that `vmstat` repeats between its rows belong to the block."""
    table = _Table(_unit(around))
    first = " -y" not in around.command
    rows: list[VmstatRow] = []
    used = 0
    for line in lines:
        if _is_header(line.text):
            _learn(table, line.text.split())
        elif not _is_banner(line.text):
            row = _row(table, line, around, since_boot=first and not rows)
            if row is None:
                break
            rows.append(row)
        used += 1
    return Block(max(used, 1), used, [*rows])


def _is_banner(text: str) -> bool:
    return text[:200].replace("-", " ").split()[:3] == ["procs", "memory", "swap"]


def _is_header(text: str) -> bool:
    return text[:200].split()[:3] == ["r", "b", "swpd"]


def _learn(table: _Table, words: list[str]) -> None:
    table.zone = words.pop() if words[-1].isupper() or words[-1][0] in "+-" else ""
    table.names = tuple(words)


def _row(table: _Table, line: Text, around: Around, *, since_boot: bool) -> VmstatRow | None:
    words = line.text[:400].split()
    figures, rest = words[: len(table.names)], words[len(table.names) :]
    if not table.names or len(figures) < len(table.names) or not all(w.isascii() and w.isdigit() for w in figures):
        return None
    cells = dict(zip(table.names, figures, strict=True))
    stamp = moment(f"{' '.join(rest)} {table.zone if zone_of(table.zone) else ''}") if rest else None

    def sized(name: str) -> Amount[Any] | None:
        return size(cells.get(name, ""), line.ref, bare=table.unit, truncated=table.unit != "KiB")

    return VmstatRow(
        where=around.at(line._replace(stamp=stamp) if stamp else line),
        text=line.quoted,
        running=count(cells.get("r", ""), line.ref),
        blocked=count(cells.get("b", ""), line.ref),
        free=sized("free"),
        cache=sized("cache"),
        swapped=sized("swpd"),
        swap_in=sized("si"),
        swap_out=sized("so"),
        read_in=count(cells.get("bi", ""), line.ref),
        waiting=count(cells.get("wa", ""), line.ref, "percent"),
        since_boot=since_boot,
    )


def _unit(around: Around) -> str:
    for text in (around.command, around.label, around.source):
        _, name, options = text.rpartition("vmstat")
        found = _UNIT.search(options[:40]) if name else None
        if found:
            return _UNITS[found[1]]
    return "KiB"
