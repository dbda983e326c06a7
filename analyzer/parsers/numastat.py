"""The tables of `numastat`: memory of every NUMA node (`-m`), of one process on them (`-p`), hits and misses.

The figures of `-m` and `-p` are megabytes of 2^20 bytes; those of the plain call are pages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.parsers.block import Around, Text

KIND = "numastat"
HEADS = ("Per-node ", "node0 ", " node0", "Node 0")

_TITLED = r"Per-node (?:system|process) memory usage \(in MBs\)(?: for PID (\d{1,10}) \(.{0,80}\))?:?$"
_NODES = r" *node\d{1,4}(?: +node\d{1,4}){0,63}$| *(?:PID +)?Node \d{1,4}(?: +Node \d{1,4}){0,63}(?: +Total)?$"
_TITLE = lazy(_TITLED)
_HEADER = lazy(_NODES)
_FRAME = lazy(rf"$|{_TITLED}|{_NODES}|[ -]+$|Token \S{{1,40}} not in hash table\.$")
_ROW = lazy(
    r"([A-Za-z]\w{1,40}(?:\(\w{1,8}\))?|\d{1,10} \(.{1,60}\)) +(\d[\d.]{0,20}(?: +\d[\d.]{0,20}){0,64}) *$", re.ASCII
)
_COUNTERS = frozenset({"numa_hit", "numa_miss", "numa_foreign", "interleave_hit", "local_node", "other_node"})
_SYSTEM = {"MemTotal": ("numa", "total"), "MemFree": ("numa", "free"), "Shmem": ("numastat", "shared")}


def claims(head: str, _around: Around) -> bool:
    """The title of `-m` and `-p`, or the header of either table."""
    line = head.rstrip()[:600]
    return bool(_TITLE.match(line) or _HEADER.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per node and row that matters: `numa.node0.free`, `numastat.node0.of 4177`."""
    owner = ""
    events: list[Fact] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:1200]
        title, row = _TITLE.match(text), _ROW.match(text)
        if not (row or _FRAME.match(text)) or (title and used):  # another title: the next table
            break
        owner = title[1] or "" if title else owner
        if row:
            events += _facts(row[1], row[2].split(), owner, line, around)
        used = number if text else used
    return Block(max(used, 1), used, [*events])


def _facts(name: str, figures: list[str], owner: str, line: Text, around: Around) -> Iterator[Fact]:
    process = owner if name == "Total" else name.partition(" (")[0] if " (" in name else ""
    if name in _COUNTERS:
        family, key, unit = "numastat", name, ""
    elif process:
        family, key, unit = "numastat", f"of {process}", "MiB"
    elif name in _SYSTEM and not owner:
        family, key, unit = *_SYSTEM[name], "MiB"
    else:
        return
    nodes = figures if not unit else figures[:-1]  # the last one is the total of all nodes
    for node, figure in enumerate(nodes):
        amount = size(figure, line.ref, bare=unit) if unit else count(figure, line.ref)
        where, text = around.at(line), line.quoted
        yield Fact(where=where, text=text, name=f"{family}.node{node}.{key}", value=figure, amount=amount)
