"""Facts that the user adds on the command line, read strictly: what they say must not be a guess."""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import regex
from packaging.version import InvalidVersion, Version

from analyzer import units
from analyzer.errors import UsageError
from analyzer.units.amount import Given

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.units import Amount, Byte

_SIZE = regex.compile(r"^(?:(?P<node>[^=]+)=)?(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z]*)$")
_UNITS = {
    **{unit.lower(): unit for unit in ("KiB", "MiB", "GiB", "TiB", "MB", "GB", "TB")},
    **{unit.lower(): f"{unit}B" for unit in ("Ki", "Mi", "Gi", "Ti")},
}
_OFFSET = regex.compile(r"^(?:UTC|Z|[+-]\d\d:?\d\d)$")


def size(text: str, option: str) -> tuple[str | None, Amount[Byte]]:
    """`449GiB` or `node1=449GiB` as (node or `None`, bytes); GB are powers of ten.

    Raises `UsageError` for a unit that is missing or does not say which of the two it is (`449G`).
    """
    match = _SIZE.match(text.strip())
    if match is None:
        raise UsageError(f"{option} {text}: this is no size; write 449GiB or node1=449GiB")
    number, unit = match["number"], _UNITS.get(match["unit"].lower())
    if unit is None:
        raise UsageError(
            f"{option} {text}: write {number}GiB (2^30 bytes, what free -g counts in) or {number}GB (10^9 bytes): "
            "the two differ by 7 %, and a verdict may turn on it"
        )
    return match["node"], units.given(number, unit, Given("user", option))


def ram(texts: Sequence[str]) -> dict[str | None, Amount[Byte]]:
    """Every `--ram` by node. Raises `UsageError` for a node named twice."""
    sizes: dict[str | None, Amount[Byte]] = {}
    for node, amount in (size(text, "--ram") for text in texts):
        if node in sizes:
            raise UsageError(f"--ram is given twice for {node or 'every node'}")
        sizes[node] = amount
    return sizes


def gpu_memory(text: str | None) -> Amount[Byte] | None:
    """`--gpu-memory`, the same for every GPU. Raises `UsageError`."""
    if text is None:
        return None
    node, amount = size(text, "--gpu-memory")
    if node is not None:
        raise UsageError("--gpu-memory takes one size for every GPU, without a node")
    return amount


def release(text: str | None, option: str = "--sglang-version") -> str | None:
    """What an option says of the release, without a leading `v`. Raises `UsageError`."""
    if text is None:
        return None
    plain = text.strip().removeprefix("v")
    try:
        Version(plain)
    except InvalidVersion:
        raise UsageError(f"{option} {text}: this is no version; write 0.5.9 or 0.5.5.post3") from None
    return plain


def zone(text: str | None) -> str | None:
    """`--tz`: a zone's name or an offset. Raises `UsageError`."""
    if text is None or _OFFSET.match(text):
        return text
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"--tz {text}: no such time zone; write Europe/Berlin, UTC or +02:00") from None
    return text


def moment(text: str | None) -> str | None:
    """`--as-of`: a date with a time, or a time of day. Raises `UsageError`."""
    if text is None:
        return None
    if ":" in text and any(_reads(parse, text) for parse in (datetime.fromisoformat, time.fromisoformat)):
        return text
    raise UsageError(f"--as-of {text}: this is no time; write '2026-02-17 10:12:41' or 10:12:41")


def _reads(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True
