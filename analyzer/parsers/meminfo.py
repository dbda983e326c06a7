"""`/proc/meminfo`, whole or in part, and the same of one NUMA node; its `kB` are KiB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.events import Fact, MemorySnapshot
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "meminfo"
HEADS = ("Mem", "HugePages_", "Hugepagesize", "Swap", "Cached", "Buffers", "Active", "Commit")

_LINE = lazy(r"\s*(?:Node (\d{1,4}) )?([A-Z]\w{2,30}(?:\(\w{2,8}\))?):\s{0,30}(\d{1,17})( kB)?\s*$", re.ASCII)
_NAMES = """
    MemTotal MemFree MemUsed MemAvailable Buffers Cached SwapCached SwapTotal SwapFree Active AnonHugePages
    HugePages_Total HugePages_Free Hugepagesize Hugetlb CommitLimit Committed_AS Mlocked Unevictable AnonPages Shmem
"""
_FIRST = frozenset(_NAMES.split())


def claims(head: str, _around: Around) -> bool:
    """A line of meminfo that a listing or a `grep` in it may begin with."""
    found = _LINE.match(head[:200])
    return found is not None and found[2] in _FIRST and (bool(found[4]) or found[2].startswith("HugePages_"))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One snapshot of the host, or two facts per NUMA node, from consecutive lines."""
    whole: dict[str, Amount[Any]] = {}
    nodes: dict[str, dict[str, Amount[Any]]] = {}
    used = 0
    for line in lines:
        found = _LINE.match(line.text[:200])
        if found is None or (found[1] is None and found[2] in whole):  # a key again: the next host's
            break
        sizes = whole if found[1] is None else nodes.setdefault(found[1], {})
        sizes[found[2]] = read(found[3], "KiB" if found[4] else "count", line.ref)
        used += 1
    events: list[Event] = [_snapshot(whole, lines[0], around)] if whole else []
    for node, sizes in nodes.items():
        events += _of_node(node, sizes, lines[0], around)
    return Block(max(used, 1), used, events)


def _snapshot(sizes: dict[str, Amount[Any]], line: Text, around: Around) -> MemorySnapshot:
    swap, swap_free, page = sizes.get("SwapTotal"), sizes.get("SwapFree"), sizes.get("Hugepagesize")
    pages, pages_free = sizes.get("HugePages_Total"), sizes.get("HugePages_Free")
    return MemorySnapshot(
        where=around.at(line),
        text=line.quoted,
        tool=KIND,
        total=sizes.get("MemTotal"),
        free=sizes.get("MemFree"),
        shared=sizes.get("Shmem"),
        cache=sizes.get("Cached"),
        available=sizes.get("MemAvailable"),
        swap_total=swap,
        swap_used=swap - swap_free if swap and swap_free else None,
        huge_total=page * pages if page and pages else None,
        huge_free=page * pages_free if page and pages_free else None,
        label=around.label,
    )


def _of_node(node: str, sizes: dict[str, Amount[Any]], line: Text, around: Around) -> list[Event]:
    named = {"total": sizes.get("MemTotal"), "free": sizes.get("MemFree")}
    return [
        Fact(
            where=around.at(line),
            text=line.quoted,
            name=f"numa.node{node}.{key}",
            value=f"{amount.value}",
            amount=amount,
        )
        for key, amount in named.items()
        if amount is not None
    ]
