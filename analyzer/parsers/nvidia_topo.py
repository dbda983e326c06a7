"""`nvidia-smi topo -m`: how each pair of GPUs is connected (`NV18`, `PHB`, `SYS`), and the NUMA node each hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "nvidia-topo"
HEADS = ("GPU0",)

_GPU = lazy(r"GPU\d{1,3}$")
_OTHER = lazy(r"(?:CPU|NUMA|NIC\d{1,3}|mlx\w{1,12}|ib\w{1,12}|bnxt\w{1,12})$")
_LEGEND = lazy(r"(?:NIC )?Legend:\s*$| {2}(?:X|SYS|NODE|PHB|PXB|PIX|NV#|NIC\d{1,3}) *[=:] \S")
_LINK = lazy(r"(?:X|NV\d{1,3}|SYS|NODE|PHB|PXB|PIX|PSB|XGMI)$")


def claims(head: str, _around: Around) -> bool:
    """The header: the GPUs in their order, then other devices or affinities."""
    words = head[:2000].split()
    gpus = _gpus(words)
    behind = words[len(gpus) :]
    return bool(gpus) and (not behind or _OTHER.match(behind[0]) is not None) and len(words) > 1


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per pair of GPUs, and one per GPU whose NUMA node is told."""
    words = lines[0].text.split()
    gpus = _gpus(words)
    devices = words.index("CPU") if "CPU" in words else len(words)
    affine = "NUMA" in words[devices:]
    events: list[Event] = []
    used = 1
    for line in lines[1:]:
        name, *links = line.text[:2000].split() or [""]
        if not links or not _LINK.match(links[0]):
            break
        used += 1
        if name in gpus:
            pairs = zip(gpus, links, strict=False)
            later = [(other, link) for other, link in pairs if gpus.index(other) > gpus.index(name)]
            events += [_fact(f"link.{name}-{other}", link, line, around) for other, link in later]
            behind = links[devices:]  # the CPUs, then the NUMA node
            if affine and len(behind) > 1 and behind[1].isdecimal():
                events.append(_fact(f"numa.{name}", behind[1], line, around))
    used = _with_legend(lines, used)
    return Block(used, used, events)


def _with_legend(lines: Sequence[Text], used: int) -> int:
    """The lines up to the end of what explains the signs, where that follows the table."""
    for number, line in enumerate(lines[used:], used + 1):
        if _LEGEND.match(line.text):
            used = number
        elif line.text.strip():
            break
    return used


def _gpus(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for number, word in enumerate(words):
        if not _GPU.match(word) or word != f"GPU{number}":
            break
        found.append(word)
    return found


def _fact(name: str, value: str, line: Text, around: Around) -> Fact:
    return Fact(where=around.at(line), text=line.quoted, name=f"gpu.{name}", value=value)
