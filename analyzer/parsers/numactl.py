"""The output of `numactl -H`: size and free memory of every NUMA node, its MB are MiB; and of `numactl --show`.

`--show` tells the policy of the shell that it was run in, which children of that shell inherit: a server that binds its
ranks itself is not bound by it.
"""

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
HEADS = ("available: ", "node ", "policy: ", "physcpubind: ")

_TITLE = lazy(r"available: (\d{1,4}) nodes? \([\d,-]{1,40}\)$")
_NODE = lazy(r"node (\d{1,4}) (size|free): (\d{1,12}) MB$")
_MORE = lazy(
    r"node (?:\d{1,4} cpus:|distances:|(?: +\d{1,4}){1,64} *$)| {1,8}\d{1,4}:(?: +\d{1,4}){1,64} *$"
    r"|preferred node: |preferred: |interleavemask: |interleavenode: |nodebind: "
)
_POLICY = lazy(r"policy: (default|local|bind|interleave|weighted interleave|preferred(?: many)?)$")
_BOUND = lazy(r"(physcpubind|cpubind|membind): {0,2}((?:\d{1,5}(?: \d{1,5}){0,2047})?)$")
_NAMES = {"size": "total", "free": "free"}


def claims(head: str, _around: Around) -> bool:
    """The title, the size of a node, or the policy of a shell."""
    line = head.strip()[:12_000]
    return any(pattern.match(line) is not None for pattern in (_TITLE, _NODE, _POLICY, _BOUND))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """Facts `numa.node0.total` and `numa.node0.free` for every node; `numa.policy`, `numa.membind` and the like."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        text = line.text.rstrip()[:4000]
        title, node, shown = _TITLE.match(text.strip()), _NODE.match(text.strip()), _shown(line.text.strip()[:12_000])
        if shown:
            name, value = shown
            events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=value))
        elif title:
            events.append(Fact(where=around.at(line), text=line.quoted, name="numa.nodes", value=title[1]))
        elif node:
            name = f"numa.node{node[1]}.{_NAMES[node[2]]}"
            amount = size(node[3], line.ref, bare="MiB", truncated=True)
            events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=node[3], amount=amount))
        elif not _MORE.match(text[:600]):
            break
        used += 1
    return Block(max(used, 1), used, [*events])


def _shown(text: str) -> tuple[str, str] | None:
    """Name and value of a line of `--show`; numbers that follow on each other as a range, `0-31 64-95`."""
    policy, bound = _POLICY.match(text), _BOUND.match(text)
    if policy:
        return "numa.policy", policy[1]
    if not bound:
        return None
    ranges: list[list[int]] = []
    for number in (int(word) for word in bound[2].split()):
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return f"numa.{bound[1]}", " ".join("-".join(map(str, ends)) for ends in ranges)[:400]
