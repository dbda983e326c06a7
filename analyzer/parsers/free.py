"""The table of `free`: old and new layout, wide or not, in several languages.

Numbers with a suffix speak for themselves (`Gi`, and `G` of old versions, are binary). Numbers without one are in the
unit that the echoed command, the banner or the file's name tells (`free -g`, `free_m.txt`; `free` alone is KiB).
Where nothing tells, the largest total decides, for hosts of 8 GiB to 8 TiB: below 8,192 it is GiB, below 8,388,608
(8 TiB in MiB) MiB, below 2^33 (8 TiB in KiB) KiB, else bytes. `-g`, `-m` and `-h` cut whole units off.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.events import MemorySnapshot
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "free"
_TOTAL = (
    "total",
    "gesamt",
    "totalt",
    "totale",
    "razem",
    "toplam",
    "totaal",
    "celkem",
    "всего",
    "загалом",
    "총계",
    "tổng",
    "სულl",
    "总计",
    "總計",
    "合計",
)
_MEMORY = (
    *("Mem", "Mem.", "Memoria", "Memória", "Mémoire", "Speicher", "Pamięć", "Minne", "Geheugen", "Bellek", "Paměť"),
    *("Память", "Пам.", "内存", "記憶體", "メモリ", "メモリー", "메모리", "BNhớ", "მეხს"),
)
HEADS = (*_TOTAL, *_MEMORY)

_CELL = lazy(r"\d{1,20}(?:[.,]\d)?(?:[KMGTP]i?)?B?$", re.ASCII)
_COMMAND = lazy(r"\bfree((?:\s+-{1,2}[a-z]+|\s+\d+){0,9})(?:[\s;|]|$)", re.ASCII)
_NAME = lazy(r"free[_ -]+([bkmghltvw]{1,3}|plain)(?:\.|$)", re.ASCII)
_SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_SMALLEST = 2**28  # bytes of a host
_FLAGS = {"b": "B", "k": "KiB", "m": "MiB", "g": "GiB"}
_WORDS = {
    "--kibi": "KiB",
    "--mebi": "MiB",
    "--gibi": "GiB",
    "--tebi": "TiB",
    "--kilo": "kB",
    "--mega": "MB",
    "--giga": "GB",
    "--tera": "TB",
    "--bytes": "B",
}
_OF_THOUSANDS = {"KiB": "kB", "MiB": "MB", "GiB": "GB"}  # `--si`
_PLAUSIBLE = ((2**13, "GiB"), (2**23, "MiB"), (2**33, "KiB"))
_OLD = ("total", "used", "free", "shared", "buffers", "cache")
_NEW = ("total", "used", "free", "shared", "cache", "available")
_WIDE = ("total", "used", "free", "shared", "buffers", "cache", "available")
_SWAP = ("total", "used", "free")
_NO_SWAP = frozenset({  # further rows of three figures: -l, -t, -v
    "low", "high", "total", "comm", "niedrig", "hoch", "gesamt", "alta", "baja", "baixa", "haute", "basse", "dédié",
    "wysoka", "niska", "razem", "zajęta", "högt", "lågt", "totalt", "til.", "верхня", "нижня", "загалом", "com.",
    "상 위", "하 위", "총 계", "커 밋", "高", "低", "总量", "cao", "thấp", "tổng", "მაღალი", "დაბალი", "ჯამი",
    "ბრძანება",
})  # fmt: skip


class _Row(NamedTuple):
    """A row under the header: its label in lower case and its figures as printed."""

    line: Text
    label: str
    cells: tuple[str, ...]


def claims(head: str, _around: Around) -> bool:
    """A header of five to eight words, or a memory row without its header."""
    if len(head) > 400:  # noqa: PLR2004 - no table is that wide
        return False
    return _is_header(head) or _is_memory(head)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The rows under the header, as one snapshot."""
    header = lines[0].text.split() if _is_header(lines[0].text) else []
    rows: list[_Row] = []
    for line in lines[1 if header else 0 :][:6]:
        row = _row(line)
        if row is None or (rows and len(row.cells) > len(_SWAP)):  # a second row of memory is the next snapshot
            break
        rows.append(row)
    used = len(rows) + bool(header)
    if not rows or len(rows[0].cells) <= len(_SWAP):
        return Block(max(used, 1), 0)
    return Block(used, used, [_snapshot(header, rows, around)])


def _is_header(head: str) -> bool:
    words = head.split()
    most = 8 if words[:1] == ["razem"] else 7  # with -w; one column in Polish has two words
    if not 5 <= len(words) <= most or words[0] not in _TOTAL:  # noqa: PLR2004 - five columns in busybox
        return False
    return not any(any(c.isdigit() or c in ":=" for c in word) for word in words)


def _is_memory(head: str) -> bool:
    label, cells = _split(head)
    return label in _MEMORY and len(cells) in {6, 7}


def _split(text: str) -> tuple[str, tuple[str, ...]]:
    """Label and figures of a row; no figures where one of them is none."""
    label, colon, rest = text.replace("：", ":", 1).partition(":")  # noqa: RUF001 - the Chinese table's own colon
    cells = tuple(rest.split())
    if not colon or len(label) > 40 or not all(_CELL.match(cell) for cell in cells):  # noqa: PLR2004
        return "", ()
    return " ".join(label.split()), cells


def _row(line: Text) -> _Row | None:
    text = line.text.replace("-/+ buffers/cache", "-/+", 1)
    label, cells = _split(text[:400])
    return _Row(line, label.lower(), cells) if label and cells else None


def _snapshot(header: list[str], rows: list[_Row], around: Around) -> MemorySnapshot:
    unit, decimal = _unit(rows, around), "--si" in f"{around.command} {around.label}".split()
    memory, swap, real = rows[0], None, None
    for row in rows[1:]:
        if row.label == "-/+":
            real = row
        elif swap is None and len(row.cells) == len(_SWAP) and row.label not in _NO_SWAP:
            swap = row
    old = len(memory.cells) == len(_OLD) and (real is not None or header[-1:] == ["cached"])
    names = _OLD if old else _WIDE if len(memory.cells) == len(_WIDE) else _NEW
    sizes = _sizes(memory, names, unit, decimal=decimal)
    if old:  # its first line counts the cache as used; the second one does not
        sizes["used"] = _sizes(real, ("used", "free"), unit, decimal=decimal)["used"] if real else None
        buffers, cache = sizes.get("buffers"), sizes.get("cache")
        sizes["cache"] = cache + buffers if cache is not None and buffers is not None else cache
    of_swap = _sizes(swap, _SWAP, unit, decimal=decimal) if swap else {}
    return MemorySnapshot(
        where=around.at(memory.line),
        text=memory.line.quoted,
        tool=KIND,
        total=sizes.get("total"),
        used=sizes.get("used"),
        free=sizes.get("free"),
        shared=sizes.get("shared"),
        cache=sizes.get("cache"),
        available=sizes.get("available"),
        swap_total=of_swap.get("total"),
        swap_used=of_swap.get("used"),
        label=around.label,
    )


def _sizes(row: _Row, names: Sequence[str], unit: str, *, decimal: bool) -> dict[str, Amount[Any] | None]:
    exact = unit in {"B", "KiB"}
    bare = _OF_THOUSANDS.get(unit, unit) if decimal else unit
    return {
        name: size(
            cell, row.line.ref, bare=bare, decimal=decimal, truncated=not (exact and cell.isdigit()) and cell != "0B"
        )
        for name, cell in zip(names, row.cells, strict=False)
    }


def _unit(rows: list[_Row], around: Around) -> str:
    """The unit of a number without a suffix."""
    flags = " ".join(found[1] for text in (around.command, around.label) for found in _COMMAND.finditer(text[:400]))
    if flags or _COMMAND.search(around.command[:400]):  # a banner "free" alone does not tell how it was called
        return _of_flags(flags)
    totals = [int(row.cells[0]) for row in rows if row.cells[0].isdigit()]
    largest = max(totals, default=0)
    named = _NAME.search(around.source.rsplit("/", 1)[-1])
    if named:
        unit = _of_flags(f"-{named[1]}" if named[1] != "plain" else "")
        if named[1] == "plain" or largest * _SIZES[unit] >= _SMALLEST:  # else it means something else: b for before
            return unit
    return next((unit for limit, unit in _PLAUSIBLE if largest < limit), "B")


def _of_flags(flags: str) -> str:
    for flag in flags.split():
        if flag in _WORDS:
            return _WORDS[flag]
        if not flag.startswith("--"):
            letters = [letter for letter in flag if letter in _FLAGS]
            if letters:
                return _FLAGS[letters[-1]]
    return "KiB"
