"""Whether host pools are being filled right now, and how fast: what a host has left, from look to look."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer import knowledge
from analyzer.events import HostPoolAnnounced
from analyzer.immutable import immutable
from analyzer.ledgers.host_memory import host_memory
from analyzer.units import assumed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.units import Amount, Byte, Second

_STEP = assumed("1", "GiB", "a smaller change between two looks is no filling of a pool")


@immutable
class Filling:
    """Pools that fill: what was taken between the first and the last look, in how many seconds, of how much."""

    taken: Amount[Byte]
    seconds: float
    whole: Amount[Byte]

    @property
    def needed(self) -> float:
        """How many seconds all of it takes at that pace."""
        return float(self.whole.value / self.taken.value) * self.seconds


def pinning_times(incident: Incident) -> Iterator[Amount[Second]]:
    """How long pinning may take: what is usual for the size, and what the pace seen makes of it.

    Nothing where a rank has gone on to its storage, behind a pool that stands.
    """
    sizes = [t.event.size for t in incident.of(HostPoolAnnounced) if t.event.size is not None]
    if not sizes or incident.failures("dependency-unreachable"):
        return
    yield knowledge.usual_pinning(max(sizes, key=lambda size: size.value)).high
    pace = filling(incident)
    if pace is not None:
        yield assumed(f"{pace.needed:.0f}", "s", "the pools fill at a steady pace: so long until they are full")


def filling(incident: Incident) -> Filling | None:
    """The host whose pools fill to the last look; `None` where no two dated looks since the announcement show it."""
    found = [f for host in incident.hosts if (f := _on(incident, host)) is not None]
    return max(found, key=lambda f: f.needed, default=None)


def _on(incident: Incident, host: Host) -> Filling | None:
    ledger = host_memory(incident, host)
    if ledger.figure != "announced" or ledger.began is None or ledger.pinned is None:
        return None
    begun = ledger.began.seconds
    seen = [
        (s.at.seconds, s.event.available)
        for s in host.snapshots
        if s.at is not None and s.at.seconds >= begun and s.event.available is not None
    ]
    if len(seen) <= 1 or not all(_less(later, earlier) for (_, earlier), (_, later) in pairwise(seen)):
        return None
    (first, most), (last, least) = seen[0], seen[-1]
    return Filling(most - least, last - first, ledger.pinned) if last > first else None


def _less(later: Amount[Byte], earlier: Amount[Byte]) -> bool:
    return _STEP.value <= (earlier - later).value
