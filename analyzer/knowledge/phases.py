"""The usual order of a launch's phases, and how long each may take before silence means something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.knowledge.facts import table
from analyzer.units import Amount, Byte, Second, assumed
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from analyzer.knowledge.release import Release


def phase_order(release: Release) -> tuple[Phase, ...]:
    """The phases in the order in which a scheduler goes through them.

    Phases that a launch has no use for are left out by it: `host-pool` without HiCache, `model-download` from a disk.
    They stand here wherever the release may have them.
    """
    rows = table("phases")["order"]
    return tuple(Phase(row["phase"]) for row in rows if not _before(row, release))


def _before(row: dict[str, Any], release: Release) -> bool:
    return "since" in row and release.certainly_before(row["since"])


@immutable
class Usual:
    """How long a phase takes without anything being wrong: an assumption with its reason, never a proof."""

    low: Amount[Second]
    high: Amount[Second]
    reason: str


def usual_duration(phase: Phase) -> Usual | None:
    """The usual duration of a phase; `None` for `host-pool` (see `usual_pinning`) and for open-ended phases."""
    row = table("phases")["usual"].get(phase.value)
    if row is None:
        return None
    return Usual(assumed(row["low"], "s", row["reason"]), assumed(row["high"], "s", row["reason"]), row["reason"])


def usual_pinning(pool: Amount[Byte]) -> Usual:
    """How long one rank usually takes to allocate and pin a host pool of `pool` bytes."""
    row = table("phases")["pinning"]
    reason = f"{row['low']} to {row['high']} {row['unit']} a second: {row['reason']}"
    second = assumed("1", "s", reason)
    slow, fast = (assumed(row[end], row["unit"], reason).per(second) for end in ("low", "high"))
    return Usual(pool.buys(fast), pool.buys(slow), reason)
