"""`ibstat`, `ibstatus`, `ibv_devinfo`: the ports of RDMA adapters, whether they are up, how fast; `ibdev2netdev -v`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

    _Ports = dict[str, tuple[Text, dict[str, str]]]

KIND = "ibstat"
HEADS = ("CA '", "Infiniband device '", "hca_id:", " ==> ")

_DEVICE = lazy(r"CA '(\w{2,40})'$|Infiniband device '(\w{2,40})' port (\d{1,3}) status:$")
_HCA = lazy(r"\s{0,8}hca_id:\s{1,12}(\w{2,40})$")
_PORT = lazy(r"\s+(?:Port |port:\s{1,12})(\d{1,3}):?$")
_PAIR = lazy(r"\s+([A-Za-z][A-Za-z _]{1,30}):\s+(\S.{0,120})$")
_UNDER = lazy(
    r"\s+(?:[a-z][\w ]{1,40}:(?:\s|$)|GID\[)|(?:\t|\s{8})\s*\w[\w -]{2,60}(?:: \S{1,40})?$"
)  # of `-v` as well
_VERBOSE = lazy(
    r"\S{7,12} (\w{2,40}) \(.{1,80}\) .{0,120} port (\d{1,3}) \((\w{2,20})\) *==> (\S{1,40}) \((\w{2,20})\)$"
)
_KEPT = {
    "state": "state",
    "phys state": "physical",
    "physical state": "physical",
    "phys_state": "physical",
    "rate": "rate",
    "active_width": "width",
    "active_speed": "speed",
    "link layer": "layer",
    "link_layer": "layer",
}
_SHOWN = ("state", "physical", "rate", "layer")
_NUMBER = lazy(r" \(\d{1,4}\)$")  # ibv_devinfo prints an enumeration's number behind its name
_LANES = lazy(r"(\d{1,2})X$")
_SPEED = lazy(r"(\d{1,4}(?:\.\d)?) Gbps$")
# The names of `ibv_devinfo`, as `ibstat` has them.
_SAME = {
    "PORT_ACTIVE": "Active",
    "PORT_DOWN": "Down",
    "PORT_INIT": "Initializing",
    "PORT_ARMED": "Armed",
    "LINK_UP": "LinkUp",
    "DISABLED": "Disabled",
    "POLLING": "Polling",
    "IB": "InfiniBand",
}


def claims(head: str, _around: Around) -> bool:
    """The line that names an adapter."""
    line = head.rstrip()[:400]
    return any(pattern.match(line) is not None for pattern in (_DEVICE, _HCA, _VERBOSE))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per port: `rdma-port mlx5_0/1` is `Active LinkUp 400 InfiniBand`."""
    if _HCA.match(lines[0].text.rstrip()[:400]):
        ports, used = _devinfo(lines)
    else:
        ports, used = _status(lines)
    events = [
        Fact(where=around.at(line), text=line.quoted, name=f"rdma-port {name}", value=_value(told))
        for name, (line, told) in ports.items()
    ]
    return Block(max(used, 1), used, [*events])


def _status(lines: Sequence[Text]) -> tuple[_Ports, int]:
    """What `ibstat`, `ibstatus` and `ibdev2netdev -v` say, and in how many lines."""
    ports: _Ports = {}
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
    return ports, used


def _devinfo(lines: Sequence[Text]) -> tuple[_Ports, int]:
    """What `ibv_devinfo` says: all that is indented below an adapter is about it.

    A `grep` for the states leaves the ports' numbers out; then each state is the next port's.
    """
    ports: _Ports = {}
    device, port, unnumbered = "", "", False
    used = 0
    for place, line in enumerate(lines, 1):
        text = line.text.rstrip()[:400]
        hca, pair, number = (p.match(text) for p in (_HCA, _PAIR, _PORT))
        key = _KEPT.get(pair[1].lower(), "") if pair else ""
        if hca:
            device, port, unnumbered = hca[1], "", True
        elif text and not (device and _UNDER.match(text)):
            break
        elif number:
            port, unnumbered = number[1], False
        elif pair and key:
            if key == "state" and unnumbered:
                port = str(int(port or 0) + 1)
            word = _NUMBER.sub("", pair[2])
            ports.setdefault(f"{device}/{port or 1}", (line, {}))[1][key] = _SAME.get(word, word)
        used = place if text else used
    return ports, used


def _value(told: dict[str, str]) -> str:
    """State, physical state, rate in Gb/s and link layer, as far as they are told."""
    lanes, speed = _LANES.match(told.get("width", "")), _SPEED.match(told.get("speed", ""))
    if lanes and speed:
        told = {**told, "rate": f"{int(lanes[1]) * float(speed[1]):g}"}
    return " ".join(told[key] for key in _SHOWN if key in told)
