"""`lscpu`, whole or in part: how many processors a host has, of which model, on how many NUMA nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "lscpu"
HEADS = ("Architecture:", "CPU(s):", "Model name:")

_HEAD = lazy(
    r"(?:Architecture: +(?:x86_64|aarch64|ppc64le|s390x)|CPU\(s\):\s+\d{1,5}|Model name: +(?:AMD|Intel|ARM|Neoverse))\b"
)
_KEYS = (
    r"Architecture|(?:On-line |Off-line )?CPU\(s\)(?: list| scaling MHz)?|CPU (?:op-mode|family|min|max|MHz)[^:]{0,12}"
    r"|(?:BIOS )?(?:Model name|Vendor ID)|BIOS CPU family|Model|Thread\(s\) per core|Core\(s\) per (?:socket|cluster)"
    r"|Socket\(s\)|Cluster\(s\)|Stepping|Address sizes|Byte Order|BogoMIPS|Flags|Frequency boost|Caches[^:]{0,30}"
    r"|Virtualization[^:]{0,30}|Hypervisor vendor|L[123][di]?(?: cache)?|NUMA(?: node(?:\(s\)|\d{1,4} CPU\(s\)))?"
)
_WEAKNESSES = (
    r"Vulnerabilit[^:]{1,40}|Retbleed|Spec [^:]{1,30}|Spectre [^:]{1,20}|Srbds|Tsx async abort|Meltdown|Mds|L1tf"
    r"|Itlb multihit|Mmio stale data|Gather data sampling|Reg file data sampling|Ghostwrite|Indirect target selection"
    r"|Tsa|Vmscape"
)
_LINE = lazy(rf"\s*({_KEYS}|{_WEAKNESSES}):(?:\s+(.*))?$")
_KEPT = {"CPU(s)": "cpu.count", "Model name": "cpu.model", "Socket(s)": "cpu.sockets", "NUMA node(s)": "numa.nodes"}


def claims(head: str, _around: Around) -> bool:
    """The first line, or one that an excerpt begins with."""
    return _HEAD.match(head[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact for each of the few figures that are kept; the other lines are only counted as read."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        found = _LINE.match(line.text.rstrip()[:4000])
        if found is None:
            break
        used += 1
        name = _KEPT.get(found[1])
        if name and found[2]:
            events.append(_fact(name, found, line, around))
    return Block(max(used, 1), used, [*events])


def _fact(name: str, found: re.Match[str], line: Text, around: Around) -> Fact:
    value = found[2].strip()[:200]
    return Fact(where=around.at(line), text=line.quoted, name=name, value=value, amount=count(value, line.ref))
