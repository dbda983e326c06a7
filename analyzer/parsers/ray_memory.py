"""What Ray's memory monitor says when it kills workers: node memory in use and how many died. Its GB are GiB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import MemorySnapshot, OrchestratorAct
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import size
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "ray-memory"
HEADS = ("killed due to memory pressure", "low on memory", "GB (0.", "GB / ", "ray logs raylet")

_KILLED = lazy(
    r"(?:\(raylet[^)]{0,80}\) )?(\d{1,6}) [Ww]orkers (?:\(tasks / actors\) )?killed due to memory pressure \(OOM\)"
)
_TASK = lazy(r".{0,60}(?:Task|Actor|Worker)s? (?:was|were) killed due to the node running low on memory")
_NODE = lazy(
    r"(?:Memory on the node \(.{1,2000} was |node )(\d[\d.]{0,12}) ?(?:GB)? ?/ (\d[\d.]{0,12}) ?GB \(0\.\d{1,20}\)"
)
_TOTAL = lazy(r"MemTotal (\d{1,3}(?:,\d{3}){2,5}) B")
_MORE = ("Memory on the node", "Refer to the documentation", "Consider provisioning", "Top 10 memory users", "PID\tMEM")


def claims(head: str, _around: Around) -> bool:
    """A sentence of the monitor's."""
    line = head.strip()[:4000]
    return any(pattern.match(line) for pattern in (_KILLED, _TASK, _NODE))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The kill and the node's memory, from the monitor's consecutive sentences."""
    events: list[Event] = []
    used = 0
    for line in lines:
        text = line.text.strip()[:4000]
        found = list(_events(text, line, around))
        if not found and not text.startswith(_MORE):
            break
        events += found
        used += 1
    return Block(max(used, 1), used, events)


def _events(text: str, line: Text, around: Around) -> Iterator[Event]:
    where = around.at(line)
    killed, node = _KILLED.match(text), _NODE.match(text)
    if killed or _TASK.match(text):
        times = int(killed[1]) if killed else 1
        yield OrchestratorAct(where=where, text=line.quoted, count=times, act="killed", reason="Ray's memory monitor")
    if node:
        told = _TOTAL.search(text)
        yield MemorySnapshot(
            where=where,
            text=line.quoted,
            tool=KIND,
            total=read(told[1], "B", line.ref) if told else size(node[2], line.ref, bare="GiB"),
            used=size(node[1], line.ref, bare="GiB"),
            label=around.label,
        )
