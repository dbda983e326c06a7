"""`ibstat` and `ibstatus`: the ports of RDMA adapters, whether they are up and how fast; `ibdev2netdev -v`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ibstat"
HEADS = ("CA '", "Infiniband device '", " ==> ")

_DEVICE = lazy(r"CA '(\w{2,40})'$|Infiniband device '(\w{2,40})' port (\d{1,3}) status:$")
_PORT = lazy(r"\s+Port (\d{1,3}):$")
_PAIR = lazy(r"\s+([A-Za-z][A-Za-z _]{1,30}):\s+(\S.{0,120})$")
_VERBOSE = lazy(
    r"\S{7,12} (\w{2,40}) \(.{1,80}\) .{0,120} port (\d{1,3}) \((\w{2,20})\) *==> (\S{1,40}) \((\w{2,20})\)$"
)
_KEPT = {"state": "state", "phys state": "physical", "physical state": "physical", "rate": "rate"}


def claims(head: str, _around: Around) -> bool:
    """The line that names an adapter."""
    line = head.rstrip()[:400]
    return _DEVICE.match(line) is not None or _VERBOSE.match(line) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per port: `rdma-port mlx5_0/1` is `Active LinkUp 400`."""
    ports: dict[str, tuple[Text, dict[str, str]]] = {}
    device, port = "", ""
    used = 0
    for line in lines:
        text = line.text.rstrip()[:400]
        named, verbose, pair, number = (p.match(text) for p in (_DEVICE, _VERBOSE, _PAIR, _PORT))
        if verbose:
            ports[f"{verbose[1]}/{verbose[2]}"] = (
                line,
                {"state": verbose[3], "physical": f"{verbose[4]} {verbose[5]}"},
            )
        elif named:
            device, port = named[1] or named[2], named[3] or ""
        elif number:
            port = number[1]
        elif pair is None or not device:
            break
        elif port and (key := _KEPT.get(pair[1].lower())):
            ports.setdefault(f"{device}/{port}", (line, {}))[1][key] = pair[2].partition(": ")[2] or pair[2]
        used += 1
    events = [
        Fact(where=around.at(line), text=line.quoted, name=f"rdma-port {name}", value=" ".join(told.values()))
        for name, (line, told) in ports.items()
    ]
    return Block(max(used, 1), used, [*events])
