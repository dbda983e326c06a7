"""Which ranks and nodes a launch should have by its arguments, and which of them are heard of."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from analyzer import events as ev

if TYPE_CHECKING:
    from analyzer.evidence import Rank
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.timeline import ProcessLine

_RANK_DIGITS = 7  # more than any rank has, as in a header


def world(incident: Incident) -> int | None:
    """How many ranks join one world: tensor times pipeline parallel; plain data parallel replicas are worlds apart."""
    tp = incident.arguments.count("tp_size")
    return tp * (incident.arguments.count("pp_size", 1) or 1) if tp else None


def nodes(incident: Incident) -> int:
    """How many nodes the arguments name."""
    return incident.arguments.count("nnodes", 1) or 1


def replicas(incident: Incident) -> int:
    """How many worlds there are: plain data parallel replicas; 1 with DP attention, which lives inside one world."""
    arguments = incident.arguments
    return 1 if arguments.flag("enable_dp_attention") else arguments.count("dp_size", 1) or 1


def world_rank(incident: Incident, rank: Rank) -> int | None:
    """A process's place in its world; `None` where its header names no rank."""
    if rank.tp is None:
        return 0 if world(incident) == 1 else None
    return (rank.pp or 0) * (incident.arguments.count("tp_size", 1) or 1) + rank.tp


def speaking(incident: Incident) -> dict[int, ProcessLine]:
    """The processes that say anything, by their rank in the world (of the first replica that says it)."""
    found: dict[int, ProcessLine] = {}
    for line in incident.timeline.schedulers:
        place = world_rank(incident, line.rank)
        if place is not None:
            found.setdefault(place, line)
    return found


def missing_ranks(incident: Incident) -> tuple[int, ...]:
    """Ranks of the world that no log here speaks for."""
    size = world(incident)
    heard = speaking(incident)
    return tuple(r for r in range(size) if r not in heard) if size and heard else ()


def missing_nodes(incident: Incident) -> tuple[int, ...]:
    """Node ranks that the arguments call for and whose log is not here."""
    count = nodes(incident)
    if len(incident.launch.nodes) >= count:
        return ()
    return tuple(n for n in range(count) if n not in node_ranks(incident))


def node_ranks(incident: Incident) -> frozenset[int]:
    """The node ranks whose logs are here, by what they print, else by the ranks that speak there."""
    printed = [t.event.values.get("node_rank") for t in incident.of(ev.ArgumentsPrinted)]
    size, count = world(incident), nodes(incident)
    each = size // count if size else 0
    spoken = {r // each for r in speaking(incident)} if each else set()
    return frozenset({n for n in printed if isinstance(n, int)} | spoken)


def node_of(incident: Incident, rank: int) -> int:
    """The node rank that holds a rank of the world."""
    size = world(incident) or 1
    return rank // max(1, size // nodes(incident))


def complete(incident: Incident) -> bool:
    """Whether the logs of all nodes are surely here: the arguments tell how many there are."""
    return world(incident) is not None and not missing_nodes(incident)


def named(incident: Incident, ranks: tuple[int, ...]) -> str:
    """Ranks for people: `rank 3 (node 0)`, `ranks 8 to 15 (node 1)`."""
    if not ranks:
        return "no rank"
    where = sorted({node_of(incident, r) for r in ranks})
    place = f" (node {', '.join(map(str, where))})" if nodes(incident) > 1 else ""
    if len(ranks) == 1:
        return f"rank {ranks[0]}{place}"
    if all(after == rank + 1 for rank, after in pairwise(ranks)):
        return f"ranks {ranks[0]} to {ranks[-1]}{place}"
    return f"ranks {', '.join(map(str, ranks[:8]))}{' …' if len(ranks) > 8 else ''}{place}"  # noqa: PLR2004


def rank_said(incident: Incident, item: Timed[ev.Failure]) -> int | None:
    """The rank that an error line speaks for: by its text, else by its header."""
    text = item.event.rank_text
    if text.isdigit() and len(text) < _RANK_DIGITS:
        return int(text)
    return world_rank(incident, item.rank) if item.rank.tp is not None else None
