"""A NUMA node's memory is used up while the host has more.

What it is. A process that is bound to a NUMA node (`numactl --membind`, a cpuset) may only use that node's memory. When
it is full the kernel reclaims there and then kills, whatever other nodes have left. From 0.5.18 on SGLang binds each
rank to its GPU's node by default, where numactl is installed and permitted, while its own check of a HiCache pool
counts the whole machine.

How it shows. An OOM record with `constraint=CONSTRAINT_MEMORY_POLICY` (or `_CPUSET`) and a `nodemask`; a rank with exit
code -9 although `free` shows plenty; `numactl -H` with one node almost empty. Mostly where all GPUs of a server hang on
one node, or half of the host's memory is on a node without GPUs.

What it is mistaken for. A host without memory (`free` adds up all nodes), a container's limit. A node with little free
memory alone is no shortage: its page cache counts as used.

What confirms and refutes it. The kernel's record; `numactl -H` and `numastat -m` against the pools of the ranks on that
node; `numactl --show` inside the container. Refuted where binding was refused.

How it is fixed. A pool that fits the node for all its ranks, ranks spread over the nodes (`--numa-node`), or no binding
(`SGLANG_AUTO_NUMA_BIND=0`).

Since and until which release. With `--numa-node` or SGLANG_AUTO_NUMA_BIND=1 from 0.5.9 on; by default from 0.5.18.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import knowledge, units
from analyzer.ledgers.host_effect import effect_on
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.host_sizes import rank_processes, reserve_of
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.numa import bound, node_demands, numa_nodes
from analyzer.ledgers.processes import own_oom_kills
from analyzer.rule import rule
from analyzer.units import assumed, total
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.ledgers.host_effect import Effect
    from analyzer.ledgers.host_memory import HostLedger
    from analyzer.ledgers.numa import NodeDemand
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_CONFIRM = (
    Confirm("numactl -H; numastat -m", "what each node has, and has left"),
    Confirm("numactl --show", "which nodes a process may use", where="container"),
)


@rule(
    "numa-memory-exhausted",
    explains=(
        "host-oom-kill",
        "host-memory-exhausted",
        "killed-by-unknown-sender",
        "launch-stalled",
        "zombie-server",
        "scheduler-crashed",
        "collective-timeout",
        "scheduler-stalled",
    ),
)
def exhausted(incident: Incident) -> Iterator[Verdict]:
    """Per host: the kernel's own word, or the pools of the ranks on a node against what it has."""
    for host in incident.hosts:
        kills = [t for t in own_oom_kills(incident) if t.node == host.node]
        bound_kills = [t for t in kills if t.event.scope == "numa"]
        if bound_kills:
            yield _by_kernel(incident, host, bound_kills)
        elif by_kernel := [t for t in kills if not t.event.killer]:
            yield Cleared("the kernel's record is not about single nodes", (by_kernel[0].ref,))
        elif not incident.ready:
            yield from _by_sum(incident, host)


def _by_kernel(incident: Incident, host: Host, kills: list[Timed[ev.OomKill]]) -> Found:
    event, lines = kills[0].event, tuple(t.ref for t in kills)
    sizes = [a for a in (event.anon, event.file, event.shmem) if a is not None]
    held = total(sizes).called("resident when killed") if sizes else None
    nodes = f"node {event.nodes}" if event.nodes else "the nodes it is bound to"
    after = host.after(incident.timeline.start)
    spare = after.event.available if after is not None else None
    rest = f", while {units.shown(spare)} are available on the host" if spare is not None else ""
    demand = node_demands(incident, host).get(event.nodes)
    own = f"{units.shown(held)} in the killed process{rest}" if held is not None else None
    records = "record" if len(kills) == 1 else "records"
    return Found(
        summary=f"the kernel killed {event.command} (pid {event.pid}) because NUMA {nodes} had no memory left{rest}",
        sum=f"{_product(demand)}{rest}" if demand is not None and demand.node is not None else own,
        claims=(
            Claim(Part.LIMIT, f"memory ran out on NUMA {nodes}", Status.ESTABLISHED, lines[:1]),
            Claim(Part.EFFECT, f"{len(kills)} kill {records}", Status.ESTABLISHED, lines),
            Claim(Part.LINK, "the record names a memory policy, not the host", Status.ESTABLISHED, lines[:1]),
            *_seen(incident, host),
        ),
        explanation=_explained(incident),
        numbers=_numbers(held, spare, demand),
        lines=(*lines, *((after.ref,) if after is not None and spare is not None else ())),
        remedy=_remedies(incident, demand),
        confirm=_CONFIRM,
        at=kills[0].at,
    )


def _numbers(
    held: Amount[Byte] | None, spare: Amount[Byte] | None, demand: NodeDemand | None
) -> tuple[Amount[Any], ...]:
    node = demand.node if demand is not None else None
    known = (
        held,
        spare.called("available on the host") if spare is not None else None,
        demand.asked if demand is not None else None,
        node.total.called("memory of the NUMA node") if node is not None else None,
        node.free.called("left on the NUMA node") if node is not None and node.free is not None else None,
    )
    return tuple(amount for amount in known if amount is not None)


def _product(demand: NodeDemand) -> str:
    """`4 ranks × 60 GB = 240 GB = 223.5 GiB of 251.6 GiB on NUMA node 0`."""
    has = f" of {units.shown(demand.node.total)} on NUMA node {demand.number}" if demand.node is not None else ""
    return f"{units.shown(demand.ranks)} ranks × {units.shown(demand.share)} = {units.both(demand.asked)}{has}"


def _seen(incident: Incident, host: Host) -> Iterator[Claim]:
    """What the nodes themselves show."""
    nodes = [(n, n.free) for n in numa_nodes(incident, host) if n.free is not None]
    if nodes:
        parts = [f"node {n.number} {units.shown(free)} free of {units.shown(n.total)}" for n, free in nodes]
        lines = tuple(ref for n, _ in nodes for ref in n.lines)
        yield Claim(Part.LIMIT, "; ".join(parts), Status.ESTABLISHED, lines)


def _by_sum(incident: Incident, host: Host) -> Iterator[Verdict]:
    """Without a record: pools that do not fit a node, a binding that is not refused, and a launch that ended there."""
    ledger = host_memory(incident, host)
    demands = [d for d in node_demands(incident, host).values() if d.node is not None]
    if ledger.figure != "announced" or not demands:
        return
    if not bound(incident):
        yield Cleared("nothing binds the ranks to the memory of one NUMA node", ledger.lines[:1])
        return
    over = next((d for d in demands if d.node is not None and d.node.total.surely_below(d.asked)), None)
    effect = effect_on(incident, host, ledger.began)
    if over is None:
        lines = tuple(ref for d in demands if d.node is not None for ref in d.node.lines)
        yield Cleared("the pools of the ranks on each NUMA node fit it", lines)
    elif effect is not None:
        yield _found(incident, ledger, over, effect)


def _found(incident: Incident, ledger: HostLedger, demand: NodeDemand, effect: Effect) -> Found:
    lines = demand.node.lines if demand.node is not None else ()
    limit = units.shown(demand.node.total) if demand.node is not None else "less"
    ranks = f"{units.shown(demand.ranks)} ranks use the memory of the node"
    return Found(
        summary=f"the ranks bound to NUMA node {demand.number} ask it for {units.both(demand.asked)}; it has {limit}",
        sum=_product(demand),
        claims=(
            Claim(Part.DEMAND, ranks, Status.ESTABLISHED, ledger.lines),
            Claim(Part.LIMIT, f"the node has {limit}", Status.ESTABLISHED, lines),
            Claim(Part.EFFECT, effect.text, effect.status, effect.lines),
            Claim(Part.LINK, "the ranks are bound to their node, by argument or by this release", Status.SUPPORTED),
        ),
        explanation=_explained(incident),
        numbers=_numbers(None, None, demand),
        lines=(*ledger.lines, *lines, *effect.lines),
        remedy=_remedies(incident, demand),
        confirm=_CONFIRM,
        at=ledger.began,
    )


def _explained(incident: Incident) -> str:
    guard = knowledge.host_pool_guard(incident.launch.release)
    sentence = guard.sentences.get("binds_to_numa_node", "") if guard is not None and guard.binds_to_numa_node else ""
    return f"In this release {sentence}." if sentence else ""


def _remedies(incident: Incident, demand: NodeDemand | None) -> tuple[Remedy, ...]:
    without = "without --numa-node and " if incident.arguments.get("numa_node") else ""
    free = Remedy(
        "mitigate", f"start {without}with SGLANG_AUTO_NUMA_BIND=0 in the environment: no rank is bound to one node"
    )
    spread = Remedy("fix", "spread the ranks over the nodes: --numa-node with a node for every rank")
    size = _size(incident, demand) if demand is not None else None
    if size is None or not incident.arguments.flag("enable_hierarchical_cache"):
        return (free, spread)
    value = f"{size.number() / 1e9:.0f}"
    smaller = Remedy(
        "fix",
        f"--hicache-size {value}, which leaves room for the rest on the node",
        argument="hicache_size",
        after=value,
        command_line=with_argument(incident, "hicache_size", value),
        numbers=(size,),
    )
    return (free, smaller, spread)


def _size(incident: Incident, demand: NodeDemand) -> Amount[Byte] | None:
    """A size per rank that the node holds beside the rest, and that is below the one that did not work."""
    if demand.node is None:
        return None
    limit = demand.node.total.called("memory of the NUMA node")
    margin = (limit * assumed("5", "percent", "room for what grows after the start")).called("margin of 5%")
    room = limit - reserve_of(incident) - rank_processes(demand.ranks) - margin
    whole = assumed("1", "GB", "the argument takes whole GB")
    size = (room / demand.ranks).floor(whole).called("suggested size per rank on the node")
    return size if size.value > 0 and size.surely_below(demand.share) else None
