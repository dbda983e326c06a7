"""Sizes, counts and durations as tools print them, made into amounts; a text that is no number gives `None`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.expression import lazy
from analyzer.units import Amount, read

if TYPE_CHECKING:
    from analyzer.evidence import Ref

_SIZE = lazy(r"(\d{1,20}(?:[.,]\d{1,9})?) ?([kKmMgGtTpP]?)(i?)([bB]?)$", re.ASCII)
_COUNT = lazy(r"-?\d{1,20}(?:\.\d{1,9})?$", re.ASCII)
_CLOCK = lazy(r"(?:(\d{1,6})-)?(?:(\d{1,5}):)?(\d{1,5}):(\d\d)(?:\.\d{1,9})?$", re.ASCII)
_BINARY = {"K": "KiB", "M": "MiB", "G": "GiB", "T": "TiB", "P": "PiB"}
_DECIMAL = {"K": "kB", "M": "MB", "G": "GB", "T": "TB"}


def size(
    text: str, line: Ref, *, bare: str = "B", decimal: bool = False, truncated: bool = False
) -> Amount[Any] | None:
    """`121Gi`, `2.5G`, `100g`, `8.7M`, `0B`, `1655200` as bytes.

    `bare` is the unit of a number without a suffix. `decimal` makes `K`, `M`, `G` powers of 1000; `Ki`, `Mi`, `Gi`
    are binary always. `truncated` marks tools that cut whole numbers instead of rounding them.
    """
    found = _SIZE.match(text.strip())
    if found is None:
        return None
    digits, letter, binary, byte = found.groups()
    prefixes = _DECIMAL if decimal and not binary else _BINARY
    unit = prefixes.get(letter.upper()) if letter else "B" if byte else bare
    if unit is None:
        return None
    plain = digits.replace(",", ".")
    return _figure(plain, unit, line, truncated=truncated and "." not in plain)


def count(text: str, line: Ref, unit: str = "count") -> Amount[Any] | None:
    """A plain number in `unit` (`count`, `percent`, `s`, …)."""
    plain = text.strip()
    return _figure(plain, unit, line) if _COUNT.match(plain) else None


def elapsed(text: str, line: Ref) -> Amount[Any] | None:
    """`[[days-]hours:]minutes:seconds` as seconds."""
    found = _CLOCK.match(text.strip())
    if found is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return _figure(str(((days * 24 + hours) * 60 + minutes) * 60 + seconds), "s", line)


def _figure(digits: str, unit: str, line: Ref, *, truncated: bool = False) -> Amount[Any] | None:
    """The amount; `None` for a number beyond everything that a host can have."""
    try:
        return read(digits, unit, line, truncated=truncated)
    except ValueError:
        return None


def whole(text: str) -> int | None:
    """A process id, a port: an integer of at most 18 digits."""
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= 18 else None  # noqa: PLR2004 - 64 bits
