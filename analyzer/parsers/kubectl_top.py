"""`kubectl top pod` (with `--containers`) and `kubectl top node`, with their headers or as bare rows.

What a pod uses is its working set, without the page cache that the kernel can drop at once. A node's row is a fact:
which of a cluster's nodes the server runs on is not said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import CgroupMemory, Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "kubectl-top"
HEADS = ("MEMORY(bytes)", "m   ")  # its columns stand three blanks apart

_HEADER = lazy(r"(?:NAMESPACE +)?(?:POD +)?NAME +CPU\(cores\) +(?:CPU(?:%|\(%\)) +)?MEMORY\(bytes\)(?: +\S+){0,3} *$")
_NAME = r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?"
_CPU = r"(?:\d{1,9}[mnu]?|<unknown>)"
_MEMORY = r"(?:\d{1,15}(?:Ki|Mi|Gi)|<unknown>)"
_SHARE = r"(?:\d{1,4}%|<unknown>)"
_POD = lazy(rf"((?:{_NAME} +){{1,3}}){_CPU} {{2,}}({_MEMORY})((?: +{_MEMORY})?) *$", re.ASCII)
_NODE = lazy(rf"({_NAME}) +{_CPU} +{_SHARE} +({_MEMORY}) +({_SHARE})(?: +{_MEMORY}(?: +{_SHARE})?)? *$", re.ASCII)
_SUM = lazy(r" *_{4,} +_{4,} *$")  # `--sum` rules off its last row


def claims(head: str, _around: Around) -> bool:
    """The header, or a row whose CPU has its unit: a number alone may be anything."""
    line = head[:600]
    bare = _POD.match(line) or _NODE.match(line)
    return _HEADER.match(line) is not None or (bare is not None and re.search(r" \d{1,9}m +", line) is not None)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per row: a container's use of memory, or a node's as a fact."""
    used = int(_HEADER.match(lines[0].text[:600]) is not None)
    events: list[Event] = []
    for line in lines[used:]:
        text = line.text[:600]
        pod, node = _POD.match(text), _NODE.match(text)
        if node:
            events.append(_node(node, line, around))
        elif pod:
            events.append(_pod(pod, line, around))
        elif not (_SUM.match(text) or (events and re.fullmatch(rf" +{_CPU} +{_MEMORY} *", text))):
            break
        used += 1
    return Block(max(used, 1), used, events)


def _pod(found: re.Match[str], line: Text, around: Around) -> CgroupMemory:
    return CgroupMemory(
        where=around.at(line),
        text=line.quoted,
        used=size(found[2], line.ref),
        said_by="kubectl top",
        group="/".join(found[1].split()),
    )


def _node(found: re.Match[str], line: Text, around: Around) -> Fact:
    value = f"{found[2]} ({found[3]} of what pods may use)"
    amount = size(found[2], line.ref)
    return Fact(
        where=around.at(line), text=line.quoted, name=f"node {found[1]}.memory-used", value=value, amount=amount
    )
