"""The container's limit as the kernel's records of the server's own kills tell it, where nothing else does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.ledgers.processes import own_oom_kills

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer import events as ev
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed


def with_own_limits(incident: Incident) -> Incident:
    """The incident, each of whose hosts has the least limit that is told of the server's memory there.

    A record's limit is that of the group that ran short: the server's own, or one above it, which binds it as well.
    """
    kills = [t for t in own_oom_kills(incident) if t.event.scope == "cgroup" and t.event.limit is not None]
    if not kills:
        return incident
    return replace(incident, hosts=tuple(_limited(host, kills) for host in incident.hosts))


def _limited(host: Host, kills: Sequence[Timed[ev.OomKill]]) -> Host:
    told = [t for t in (host.cgroup, *kills) if t is not None and t.node == host.node]
    return replace(host, cgroup=min(told, key=_value, default=host.cgroup))


def _value(item: Timed[ev.CgroupMemory] | Timed[ev.OomKill]) -> float:
    return float(item.event.limit.value) if item.event.limit is not None else float("inf")
