"""The lines of `ibdev2netdev`: which RDMA device serves which interface, and whether it is up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ibdev2netdev"
HEADS = (" ==> ",)

_LINE = lazy(r"\s*(\w{2,40}) port (\d{1,3}) ==> (\S{1,40}) \((Up|Down|\w{2,20})\)\s*$")


def claims(head: str, _around: Around) -> bool:
    """A whole line of the tool."""
    return _LINE.match(head[:200]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per port: `rdma mlx5_0` is `ib0 Up`."""
    events: list[Fact] = []
    for line in lines:
        found = _LINE.match(line.text[:200])
        if found is None:
            break
        name = f"rdma {found[1]}" if found[2] == "1" else f"rdma {found[1]} port {found[2]}"
        events.append(Fact(where=around.at(line), text=line.quoted, name=name, value=f"{found[3]} {found[4]}"))
    return Block(max(len(events), 1), len(events), [*events])
