"""The output of `numactl -H`: size and free memory of every NUMA node. Its MB are MiB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "numactl"
HEADS = ("available: ", "node ")

_TITLE = lazy(r"available: (\d{1,4}) nodes? \([\d,-]{1,40}\)$")
_NODE = lazy(r"node (\d{1,4}) (size|free): (\d{1,12}) MB$")
_MORE = lazy(
    r"node (?:\d{1,4} cpus:|distances:|(?: +\d{1,4}){1,64} *$)| {1,8}\d{1,4}:(?: +\d{1,4}){1,64} *$"
    r"|policy: |preferred node: "
)
_NAMES = {"size": "total", "free": "free"}


def claims(head: str, _around: Around) -> bool:
    """The title, or the size of a node."""
    line = head.strip()[:200]
    return bool(_TITLE.match(line) or _NODE.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """Facts `numa.node0.total` and `numa.node0.free` for every node."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        text = line.text.rstrip()[:4000]
        title, node = _TITLE.match(text.strip()), _NODE.match(text.strip())
        if title:
            events.append(Fact(where=around.at(line), text=line.quoted, name="numa.nodes", value=title[1]))
        elif node:
            name = f"numa.node{node[1]}.{_NAMES[node[2]]}"
            amount = size(node[3], line.ref, bare="MiB", truncated=True)
            events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=node[3], amount=amount))
        elif not _MORE.match(text[:600]):
            break
        used += 1
    return Block(max(used, 1), used, [*events])
