"""The NUMA nodes of a host: what each has and has left, and which ranks may use the memory of which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.immutable import immutable
from analyzer.ledgers.host_memory import host_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.evidence import Ref
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, One


_HARD_SINCE = "0.5.9"  # before, a node was preferred, and others were used when it was full


@immutable
class NumaNode:
    """One node by its number; `free` leaves out what its page cache could give back."""

    number: str
    total: Amount[Byte]
    free: Amount[Byte] | None
    lines: tuple[Ref, ...]


def numa_nodes(incident: Incident, host: Host) -> tuple[NumaNode, ...]:
    """The nodes that `numactl -H` or the nodes' own meminfo tell of, by the last look."""
    found: dict[str, dict[str, Timed[ev.Fact]]] = {}
    for item in incident.at_node(host, ev.Fact):
        family, _, rest = item.event.name.partition(".node")
        number, _, what = rest.partition(".")
        if family == "numa" and what and item.event.amount is not None:
            found.setdefault(number, {})[what] = item
    return tuple(_node(number, parts) for number, parts in sorted(found.items()) if "total" in parts)


def _node(number: str, parts: dict[str, Timed[ev.Fact]]) -> NumaNode:
    total: Any = parts["total"].event.amount
    free: Any = parts["free"].event.amount if "free" in parts else None
    return NumaNode(number, total, free, tuple(item.ref for item in parts.values()))


def bound(incident: Incident) -> bool:
    """Whether ranks may only use their own node's memory: by wish, or by the release where nothing refused it."""
    if incident.notices("numa-binding-refused"):
        return False
    release = incident.launch.release
    wish = next(
        (t.event.value.lower() for t in incident.of(ev.Fact) if t.event.name == "env.SGLANG_AUTO_NUMA_BIND"), ""
    )
    if wish in {"0", "false"}:
        return False
    if wish in {"1", "true"} or _listed(incident):
        return not release.certainly_before(_HARD_SINCE)
    guard = knowledge.host_pool_guard(release)
    return guard is not None and guard.binds_to_numa_node is True


def ranks_by_node(incident: Incident, host: Host) -> dict[str, Amount[One]]:
    """How many ranks use the memory of each node: by `--numa-node`, else by the GPUs' places; empty where unknown."""
    listed = _listed(incident)
    ref = incident.arguments.ref("numa_node")
    if listed and ref is not None:
        return {node: _counted(listed.count(node), (ref,)) for node in dict.fromkeys(listed)}
    places = {t.event.name.removeprefix("gpu.numa.GPU"): t for t in incident.at_node(host, ev.Fact) if _places(t.event)}
    ranks = incident.ranks(host)
    first, step = incident.arguments.count("base_gpu_id", 0) or 0, incident.arguments.count("gpu_id_step", 1) or 1
    if not places or ranks is None:
        return {}
    used = [places.get(str(first + step * n)) for n in range(int(ranks.value))]
    if any(place is None for place in used):
        return {}
    by_node: dict[str, list[Ref]] = {}
    for place in used:
        if place is not None:
            by_node.setdefault(place.event.value, []).append(place.ref)
    return {node: _counted(len(refs), refs) for node, refs in by_node.items()}


def _places(fact: ev.Fact) -> bool:
    return fact.name.startswith("gpu.numa.GPU")


def _listed(incident: Incident) -> list[str]:
    told = incident.arguments.get("numa_node")
    return [str(node) for node in told] if isinstance(told, list | tuple) else []


def _counted(number: int, lines: Sequence[Ref]) -> Amount[One]:
    return units.counted(number, tuple(lines), "ranks on the node").called("ranks on the node")


@immutable
class NodeDemand:
    """What the ranks that use one node's memory ask of it: `ranks` of them, `share` each, `asked` together."""

    number: str
    share: Amount[Byte]
    ranks: Amount[One]
    asked: Amount[Byte]
    node: NumaNode | None


def node_demands(incident: Incident, host: Host) -> dict[str, NodeDemand]:
    """The host pools by node; empty where their size, or the ranks' places, are not known."""
    share = host_memory(incident, host).per_rank
    nodes = {node.number: node for node in numa_nodes(incident, host)}
    if share is None:
        return {}
    return {
        number: NodeDemand(
            number, share, ranks, (share * ranks).called("asked by the ranks of the NUMA node"), nodes.get(number)
        )
        for number, ranks in ranks_by_node(incident, host).items()
    }
