"""Records of kills that are none of this server's: of another host, or of a process beside ranks that all live."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer.launches.hosts import host_of, short

if TYPE_CHECKING:
    from collections.abc import Collection

    from analyzer.incident import Incident
    from analyzer.launches import Timed

_PLACED = "pod.node"


def on_another_host(incident: Incident, item: Timed[Any]) -> bool:
    """Whether a record is of another host than the server's.

    So it is where the server's own lines stand in the same file and name another one; where a cluster tells on which
    node the pod ran; and where another host of the same fleet, called alike but for its number, is the server's.
    """
    of_cluster = getattr(item.event, "node", "")
    host = short(of_cluster) or _host(incident, item)
    if not host:
        return False
    beside = {short(t.event.where.node) for t in incident.launch.events if t.ref.source == item.ref.source} - {""}
    if beside:
        return host not in beside
    placed = {short(t.event.value) for t in incident.of(ev.Fact) if t.event.name == _PLACED}
    if of_cluster and placed:
        return host not in placed
    alike = re.compile(rf"(?:^|[^a-z0-9])({re.sub(r'[0-9]+', '[0-9]+', re.escape(host))})(?:[^a-z0-9]|$)")
    named = {found for text in (*_names(incident), *placed) for found in alike.findall(text)}
    return bool(named) and host not in named


def of_several_hosts(incident: Incident, item: Timed[Any]) -> bool:
    """Whether tools tell of several hosts, and nothing whether the record's is the server's."""
    host, server = _host(incident, item), {short(t.event.where.node) for t in incident.launch.events}
    unnamed = host not in server and not any(host in name for name in _names(incident))
    return bool(host) and unnamed and len(hosts_told(incident)) > 1


def hosts_told(incident: Incident) -> frozenset[str]:
    """The hosts whose outputs are here, by what stands before their lines and by the names of files."""

    def made() -> frozenset[str]:
        spoken = {short(t.event.where.node) for t in incident.launch.outside} - {""}
        return frozenset(spoken | incident.launch.hosts_told)

    return incident.launch.once("hosts whose outputs are here", made)


def beside_living_ranks(incident: Incident, pid: int) -> bool:
    """Whether the server's listing has every rank alive, none with this pid, and nothing else tells of a death."""
    if not pid or incident.of(ev.RankDead, ev.KilledPrinted, ev.ExitCode):
        return False
    rows = [t for t in incident.of(ev.ProcessListed) if "sglang::schedul" in t.event.command]
    living = {t.event.pid for t in rows if not is_dead(t)}
    return pid not in {t.event.pid for t in rows} and all_ranks(incident, living)


def all_ranks(incident: Incident, pids: Collection[int]) -> bool:
    """Whether so many schedulers are those of a whole node, by the arguments."""
    ranks = incident.ranks_declared() if incident.arguments.count("tp_size") is not None else None
    return ranks is not None and ranks.value <= len(pids)


def is_dead(item: Timed[ev.ProcessListed]) -> bool:
    """Whether the row is of a process that has ended and waits to be collected."""
    return item.event.state.startswith(("Z", "X")) or "<defunct>" in item.event.command


def _names(incident: Incident) -> frozenset[str]:
    """What may name the server's hosts: the origins of its lines, and its files."""

    def made() -> frozenset[str]:
        nodes = {t.event.where.node.lower() for t in incident.launch.events}
        return frozenset(nodes | {source.lower() for source in incident.launch.sources})

    return incident.launch.once("names of the server's hosts", made)


def _host(incident: Incident, item: Timed[Any]) -> str:
    """The host whose record it is: by its line, else by its file's name, where others of its fleet are here too."""
    named = short(item.event.where.node)
    told = host_of(item.ref.source) if not named else ""
    return named or (told if told in incident.launch.hosts_told else "")
