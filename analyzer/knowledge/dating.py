"""The release as the printed server_args betray it: every release has its own set of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.knowledge.arguments import arguments
from analyzer.knowledge.release import first_after, last_before

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packaging.version import Version


def dated_by(fields: Iterable[str]) -> tuple[Version | None, Version | None]:
    """The lowest and highest release that has all these fields, for `Release.of(..., within=)`; `None` is no bound.

    Unknown names are left out, as a line that was cut ends in one; what is missing tells nothing for the same reason.
    """
    printed = [arguments()[name] for name in fields if name in arguments()]
    lows = (first_after(known.after) for known in printed if known.after is not None)
    highs = (last_before(known.gone) for known in printed if known.gone is not None)
    return max(filter(None, lows), default=None), min(filter(None, highs), default=None)
