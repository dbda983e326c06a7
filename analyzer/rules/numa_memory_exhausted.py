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
from analyzer.ledgers.host_sizes import reserve_of
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.numa import bound, numa_nodes, ranks_by_node
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
    from analyzer.ledgers.numa import NumaNode
    from analyzer.units import Amount, Byte, One
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
        elif kills:
            yield Cleared("the kernel's record is not about single nodes", (kills[0].ref,))
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
    demand = _demand(incident, host, event.nodes)
    return Found(
        summary=f"the kernel killed {event.command} (pid {event.pid}) because NUMA {nodes} had no memory left{rest}",
        claims=(
            Claim(Part.LIMIT, f"memory ran out on NUMA {nodes}", Status.ESTABLISHED, lines[:1]),
            Claim(Part.EFFECT, f"{len(kills)} kill {'record' if len(kills) == 1 else 'records'}", Status.ESTABLISHED, lines),
            Claim(Part.LINK, "the record names a memory policy, not the host", Status.ESTABLISHED, lines[:1]),
        ),
        explanation=_explained(incident),
        numbers=tuple(a for a in (held, spare.called("available on the host") if spare else None, *demand) if a is not None),
        lines=(*lines, *((after.ref,) if after is not None and spare is not None else ())),
        remedy=_remedies(incident, host, event.nodes),
        confirm=_CONFIRM,
        at=kills[0].at,
        sum=f"{units.shown(held)} in the killed process{rest}" if held is not None else None,
    )


def _demand(incident: Incident, host: Host, number: str) -> tuple[Amount[Any], ...]:
    """What the ranks of a node ask of it, and what it has; empty where either is not told."""
    asked = _asked(incident, host).get(number)
    node = next((n for n in numa_nodes(incident, host) if n.number == number), None)
    named = node.total.called("memory of the NUMA node") if node is not None else None
    return tuple(a for a in (asked[0] if asked else None, named) if a is not None)


def _asked(incident: Incident, host: Host) -> dict[str, tuple[Amount[Byte], Amount[One]]]:
    """By node: what its ranks ask for together, and how many they are."""
    share = host_memory(incident, host).per_rank
    ranks = ranks_by_node(incident, host)
    if share is None:
        return {}
    return {node: ((share * many).called("asked by the ranks of the NUMA node"), many) for node, many in ranks.items()}


def _by_sum(incident: Incident, host: Host) -> Iterator[Verdict]:
    """Without a record: pools that do not fit their node, a binding that is not refused, and a launch that ended there."""
    ledger, nodes = host_memory(incident, host), {n.number: n for n in numa_nodes(incident, host)}
    asked = {n: a for n, a in _asked(incident, host).items() if n in nodes}
    if ledger.figure != "announced" or not asked:
        return
    if not bound(incident):
        yield Cleared("nothing binds the ranks to the memory of one NUMA node", ledger.lines[:1])
        return
    over = [n for n, (amount, _) in asked.items() if nodes[n].total.surely_below(amount)]
    effect = effect_on(incident, host, ledger.began)
    if not over:
        yield Cleared("the pools of the ranks on each NUMA node fit it", tuple(r for n in asked for r in nodes[n].lines))
    elif effect is not None:
        yield _found(incident, host, nodes[over[0]], *asked[over[0]], effect)


def _found(
    incident: Incident, host: Host, node: NumaNode, asked: Amount[Byte], ranks: Amount[One], effect: Effect
) -> Found:
    ledger = host_memory(incident, host)
    limit = node.total.called("memory of the NUMA node")
    product = f"{units.shown(ranks)} ranks × {units.shown(ledger.per_rank)} = {units.both(asked)}" if ledger.per_rank else ""  # noqa: RUF001
    return Found(
        summary=f"the ranks bound to NUMA node {node.number} ask it for {units.both(asked)}, and it has {units.shown(limit)}",
        sum=f"{product} against {units.shown(limit)} (NUMA node {node.number})",
        claims=(
            Claim(Part.DEMAND, f"{units.shown(ranks)} ranks use the memory of the node", Status.ESTABLISHED, ledger.lines),
            Claim(Part.LIMIT, f"the node has {units.shown(limit)}", Status.ESTABLISHED, node.lines),
            Claim(Part.EFFECT, effect.text, effect.status, effect.lines),
            Claim(Part.LINK, "the ranks are bound to their node, by argument or by this release", Status.SUPPORTED),
        ),
        explanation=_explained(incident),
        numbers=(asked, limit),
        lines=(*ledger.lines, *node.lines, *effect.lines),
        remedy=_remedies(incident, host, node.number),
        confirm=_CONFIRM,
        at=ledger.began,
    )


def _explained(incident: Incident) -> str:
    guard = knowledge.host_pool_guard(incident.launch.release)
    sentence = guard.sentences.get("binds_to_numa_node", "") if guard is not None and guard.binds_to_numa_node else ""
    return f"In this release {sentence}." if sentence else ""


def _remedies(incident: Incident, host: Host, number: str) -> tuple[Remedy, ...]:
    free = Remedy("mitigate", "start with SGLANG_AUTO_NUMA_BIND=0 in the environment: no rank is bound to one node's memory")
    spread = Remedy("fix", "spread the ranks over the nodes: --numa-node with a node for every rank")
    asked = _asked(incident, host).get(number)
    node = next((n for n in numa_nodes(incident, host) if n.number == number), None)
    if asked is None or node is None or not incident.arguments.flag("enable_hierarchical_cache"):
        return (free, spread)
    whole = assumed("1", "GB", "the argument takes whole GB")
    room = node.total.called("memory of the NUMA node") - reserve_of(incident)
    size = (room / asked[1]).floor(whole).called("ceiling per rank on the node")
    value = f"{size.number() / 1e9:.0f}"
    smaller = Remedy(
        "fix",
        f"--hicache-size {value} at most: what the node has for each of its ranks",
        argument="hicache_size",
        after=value,
        command_line=with_argument(incident, "hicache_size", value),
        numbers=(size,),
    )
    return (free, smaller, spread)
