"""IP and hardware addresses in a text, and stand-ins that keep who shares a network with whom."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, NamedTuple

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.redact.numbering import Key

_QUAD = regex.compile(r"(?:(?<=[._])|(?<![0-9A-Za-z]))\d{1,3}(?:\.\d{1,3}){3}(?![0-9A-Za-z])")
_COLONS = regex.compile(r"(?<![0-9A-Za-z.%:])[0-9A-Za-z.%]*:[0-9A-Za-z.%]*:[0-9A-Za-z.:%]*")
_HARDWARE = regex.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}")
# What stands before four numbers that are a release: `==12.4.5.8`, `cuDNN version: 9.1.0.70`, `nvidia-nccl-cu12  2.`
_RELEASE = regex.compile(
    r"(?i)(?:[=~<>!]=|[\w-]-cu\d\d|(?:version|driver|firmware|vbios|release|cudnn|nccl|cuda|rocm)[\"']?)\s*[-:=(]*\s*[\"']?$"
)
_NAMED = tuple(ipaddress.IPv6Network(net) for net in ("2000::/3", "fc00::/7", "fe80::/10"))
_BEFORE = 40


class Address(NamedTuple):
    """An address as printed, and its key: its kind, then its parts from the widest network down."""

    text: str
    key: Key


def addresses(text: str) -> Iterator[Address]:
    """The addresses in a text that name a machine: not loopback, not `0.0.0.0`, no net mask, no release."""
    for match in _QUAD.finditer(text):
        before, after = text[max(0, match.start() - _BEFORE) : match.start()], text[match.end() : match.end() + 2]
        longer = (before.endswith(".") and before[-2:-1].isdigit()) or (after[:1] == "." and after[1:].isdigit())
        if not longer and _names_a_machine(match[0]) and not _RELEASE.search(before):
            yield Address(match[0], ("addr", *match[0].split(".")))
    for match in _COLONS.finditer(text):
        yield from _with_colons(match[0].partition("%")[0].rstrip("."))


def _names_a_machine(quad: str) -> bool:
    try:
        address = ipaddress.IPv4Address(quad)
    except ValueError:
        return False
    return not (address.is_loopback or quad.startswith(("0.", "255.")))


def _with_colons(text: str) -> Iterator[Address]:
    trimmed = text if text.endswith("::") else text.rstrip(":")
    if _HARDWARE.fullmatch(trimmed):
        yield Address(trimmed, ("mac", trimmed.lower()))
        return
    try:
        address = ipaddress.IPv6Address(trimmed)
    except ValueError:
        return
    if any(address in network for network in _NAMED):
        groups = address.exploded.split(":")
        yield Address(trimmed, ("addr6", ":".join(groups[:3]), groups[3], ":".join(groups[4:])))
