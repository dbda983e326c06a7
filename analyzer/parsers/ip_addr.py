"""The output of `ip addr`: interfaces, whether they are up, and their IPv4 addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "ip-addr"
HEADS = (": <",)

_LINK = lazy(r"\s*\d{1,5}: ([\w.@:-]{1,40}): <([A-Z0-9_,-]{0,200})> mtu \d")
_INET = lazy(r"\s+inet (\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?) ")
_MORE = lazy(r"\s+(?:inet6? |link/|valid_lft |altname |vf )")


class _Link(NamedTuple):
    """An interface, whether it is up, and its addresses with their lines."""

    name: str
    state: str
    line: Text
    addresses: list[tuple[str, Text]]


def claims(head: str, _around: Around) -> bool:
    """The first line of an interface."""
    return _LINK.match(head[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per address, or per interface that has none: `interface eno1` is `192.0.2.12/24 UP`."""
    links: list[_Link] = []
    used = 0
    for line in lines:
        text = line.text[:400]
        found, inet = _LINK.match(text), _INET.match(text + " ")
        if found is None and not (links and _MORE.match(text)):
            break
        used += 1
        if found:
            links.append(_Link(found[1], "UP" if "UP" in found[2].split(",") else "DOWN", line, []))
        elif inet:
            links[-1].addresses.append((inet[1], line))
    events = [fact for link in links for fact in _facts(link, around)]
    return Block(max(used, 1), used, [*events])


def _facts(link: _Link, around: Around) -> list[Fact]:
    told = [(f"{address} {link.state}", line) for address, line in link.addresses] or [(link.state, link.line)]
    name = f"interface {link.name}"
    return [Fact(where=around.at(line), text=line.quoted, name=name, value=value) for value, line in told]
