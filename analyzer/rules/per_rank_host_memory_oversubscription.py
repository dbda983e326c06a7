"""All ranks on a host together ask for more host memory than it has.

What it is. `--hicache-size` (GB, powers of ten), `--hicache-ratio` and `--cpu-offload-gb` count per rank: every
scheduler process takes the whole value for itself. Eight ranks with `--hicache-size 300` ask for 2,400 GB.

How it shows. Every rank prints `Allocating … GB host memory for hierarchical KV cache.` within a second or two of the
others, after CUDA graph capture, and then nothing: the pools are pinned page by page until the host has none left. The
end is silence until a health check gives up, a rank killed by the kernel (exit code -9), or, from 0.5.19 on, a refusal.

What it is mistaken for. A slow start (pinning hundreds of gigabytes takes minutes, so quiet alone proves nothing), a
hang in graph capture (which ended before), a memory leak, a hanging storage backend behind eight `Allocating` lines (a
rank that speaks to its storage has its pool). A pool that equals the resident set of its process is by design.

What confirms and refutes it. `free -g` while it hangs: almost nothing available, no page cache left. The sum against
MemTotal, or against the container's `memory.max`. Refuted where the sum fits and the machine has memory to spare.

How it is fixed. Take HiCache out (no size to get wrong), or give a size per rank that leaves room for everything else.
Several pools of a rank (KV, Mamba, indexer, draft) add up, as do offloaded weights and the segments that a Mooncake
store lends; up to 0.5.3 a pinned block is rounded up to a power of two.

Since and until which release. Up to 0.5.18 each rank compares its own request with the whole machine. 0.5.19 divides by
the ranks of the replica on the host; 0.5.21 knows the container's limit. Replicas of plain data parallelism and a
second server on the host are still not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.host_demand import OFFLOADED, Demand, demand_on, offload_seen
from analyzer.ledgers.host_effect import Effect, effect_on, end_of, plenty_left, silence_of
from analyzer.ledgers.host_guard import link_of, other_exception, why_nobody_refused
from analyzer.ledgers.host_others import others
from analyzer.ledgers.host_remedy import remedies
from analyzer.ledgers.host_words import against, excess, product, said_of, summary
from analyzer.ledgers.memory_kills import done
from analyzer.ledgers.processes import exit_codes
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Unknown
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_STATES = Confirm("ps -eo pid,stat,rss,args | grep sglang::", "whether the ranks live, and in which state they wait")
_KERNEL = Confirm("dmesg -T | grep -i oom", "whether the kernel killed one of them")
_BESIDE = Confirm("ps -eo pid,rss,args --sort=-rss | head -20", "what else held memory on the host")
_HOST_RAM = Confirm("free -g", "how much memory the host has and how much is left")
_RARE = units.assumed("1500", "GB", "few hosts have more memory than this")
_NAMED = 4  # of other processes: enough to recognise whose they are
_LOSE = "killing them first loses the processes' states (ps, py-spy) that tell stuck from dead"


@rule(
    "per-rank-host-memory-oversubscription",
    explains=(
        "host-memory-exhausted",
        "launch-stalled",
        "hicache-refused",
        "host-oom-kill",
        "numa-memory-exhausted",
        "killed-by-unknown-sender",
        "host-pin-failure",
        "zombie-server",
        "scheduler-stalled",
        "collective-timeout",
        "scheduler-crashed",
    ),
)
def oversubscribed(incident: Incident) -> Iterator[Verdict]:
    """One verdict per host."""
    for host in incident.hosts:
        demand = demand_on(incident, host)
        if demand is not None:
            yield _judged(incident, host, demand)


def _judged(incident: Incident, host: Host, demand: Demand) -> Verdict:
    if demand.sum is None:
        return Unknown(f"the sum over all ranks of {host.name}: {', '.join(demand.ledger.missing)}")
    if demand.limit is None:
        return _without_limit(incident, host, demand)
    lines = demand.ledger.lines
    if incident.ready:
        return Cleared(f"{units.both(demand.sum)} asked on {host.name}; it came up", lines)
    if not demand.limit.surely_below(demand.sum):
        return _fits(incident, host, demand)
    hard = host.limit is not None and host.limit.surely_below(demand.sum)
    if not hard and _all_stand(incident, host, demand):
        return Cleared(f"the pools of {host.name} stand: every rank went on behind them", lines)
    effect = effect_on(incident, host, demand.ledger.began)
    shown = effect is not None and effect.status is Status.ESTABLISHED
    if not hard and not shown and _went_on(incident, host):
        return Unknown(f"the memory of {host.name} now: a rank has its pool and asks its storage", (_HOST_RAM,))
    if demand.ledger.figure in {"declared", ""} and effect is None:
        return Unknown(f"whether the launch came to its host pools: {units.both(demand.sum)} would not have fitted")
    return _found(incident, host, demand)


def _fits(incident: Incident, host: Host, demand: Demand) -> Cleared:
    """Cleared; where the host is full all the same, with that said: something else is there that nothing names."""
    assert demand.sum is not None and demand.limit is not None  # noqa: S101, PT018 - the callers have checked it
    text = f"{units.both(demand.sum)} fits {units.shown(demand.limit)} ({demand.what})"
    effect = effect_on(incident, host, demand.ledger.began)
    if effect is not None and effect.status is Status.ESTABLISHED:
        return Cleared(f"{text}; what else holds memory, nothing here names: {effect.text}", demand.ledger.lines)
    return Cleared(text, demand.ledger.lines)


def _went_on(incident: Incident, host: Host) -> list[ev.Event]:
    """What a rank says only behind its pool: that it stands, or that the storage behind it does not answer."""
    storage = [t.event for t in incident.failures("dependency-unreachable") if t.node == host.node]
    return [*(t.event for t in incident.at_node(host, ev.HostPoolRegistered)), *storage]


def _all_stand(incident: Incident, host: Host, demand: Demand) -> bool:
    behind = {t.process for t in incident.at_node(host, ev.HostPoolRegistered)}
    announced = {t.process for t in incident.at_node(host, ev.HostPoolAnnounced)}
    return demand.ledger.figure == "announced" and announced <= behind


def _without_limit(incident: Incident, host: Host, demand: Demand) -> Verdict:
    """Nothing says how much memory there is: possible where the launch stopped right there, else not to be told."""
    ledger = demand.ledger
    assert demand.sum is not None  # noqa: S101 - the callers have checked it
    needs = f"the memory of {host.name}: {units.both(demand.sum)} are asked for"
    ordinary = ledger.figure in {"declared", ""} or demand.sum.surely_below(_RARE)
    if incident.ready or ordinary or _went_on(incident, host):
        return Unknown(needs, (_HOST_RAM,))
    return Found(
        summary=f"{product(incident, demand)} asked of {said_of(incident, host)}; nothing says how much memory it has",
        claims=(
            Claim(
                Part.DEMAND,
                f"pools announced by {units.many(ledger.announcing, 'rank')}",
                Status.ESTABLISHED,
                ledger.lines,
            ),
            Claim(Part.LIMIT, "the host's memory is not known", Status.HYPOTHESIS),
        ),
        explanation="A host of this size is rare; the log alone cannot tell, and pinning so much takes minutes.",
        numbers=(demand.sum,),
        lines=ledger.lines,
        confirm=(_HOST_RAM, _KERNEL),
        at=ledger.began,
    )


def _found(incident: Incident, host: Host, demand: Demand) -> Found:
    ledger, limit, asked = demand.ledger, demand.limit, demand.sum
    assert limit is not None and asked is not None  # noqa: S101, PT018 - the callers have checked it
    hangs = not any((endings.own_error(incident), endings.kill(incident), endings.stop(incident)))
    effect = _firmer(effect_on(incident, host, ledger.began), demand.refusal(incident))
    effect = effect or (_cannot_be_granted(host, demand) if hangs else None)
    times = (asked / limit).called("times what there is")
    short = (asked - limit).called("short by")
    link, end = _link(incident, host, demand, effect), end_of(incident, host)
    spare = plenty_left(host, ledger.began)
    return Found(
        summary=summary(incident, host, demand),
        sum=f"{product(incident, demand)} against {against(demand)}: {excess(demand)}, "
        f"short by {units.binary(short.value, short.slack)}",
        claims=(_demand(incident, host, demand), _limit(demand), _effect(effect), link, end or _end_not_known()),
        explanation=" ".join(
            [
                *why_nobody_refused(incident, demand),
                *_neighbours(incident, host, demand),
                *_other_hosts(incident, host, demand),
            ]
        ),
        numbers=(times, short, *_further(incident, host, demand, link, hangs=hangs)),
        lines=(*ledger.lines, *(effect.lines if effect else ())),
        contradicting=(spare.ref,) if spare is not None and effect is None else (),
        remedy=remedies(incident, demand, hangs=hangs),
        confirm=_confirm(incident, host, hangs=hangs),
        at=ledger.began,
        not_known=() if end else (_end_not_known().text,),
        lose=_LOSE if hangs else None,
    )


def _firmer(effect: Effect | None, refusal: Effect | None) -> Effect | None:
    return refusal if refusal is not None and (effect is None or effect.status is not Status.ESTABLISHED) else effect


def _link(incident: Incident, host: Host, demand: Demand, effect: Effect | None) -> Claim:
    """The link, unless a rank ended by an error that has nothing to do with memory."""
    raised = other_exception(incident)
    if raised is None:
        return link_of(host, demand, effect)
    text = f"{raised.process} raised {raised.event.type}, which ended the launch whatever the memory did"
    return Claim(Part.LINK, text, Status.HYPOTHESIS, (raised.ref,))


def _confirm(incident: Incident, host: Host, *, hangs: bool) -> tuple[Confirm, ...]:
    if hangs:
        return (_STATES, _KERNEL)
    if incident.at_node(host, ev.HostPoolRefused):
        return (Confirm("free -b", "what the guard compares the requests with"),)
    told = done(incident) or any(code.event.oom for code in exit_codes(incident))
    return (_BESIDE,) if told else (_KERNEL,)


def _further(incident: Incident, host: Host, demand: Demand, link: Claim, *, hangs: bool) -> tuple[Amount[Any], ...]:
    """Beside the sum: without rounding, what others hold, what a passed guard proves, other nodes, the silence."""
    proof = demand.proven if link.status is Status.ESTABLISHED else None
    others = [h.limit.called(f"memory of {h.name}") for h in incident.hosts if h is not host and h.limit is not None]
    return tuple(
        a
        for a in (demand.ledger.asked, demand.beside, proof, *others, silence_of(incident) if hangs else None)
        if a is not None
    )


def _neighbours(incident: Incident, host: Host, demand: Demand) -> Iterator[str]:
    rows = others(incident, host) if demand.beside is not None else []
    sizes: dict[str, list[Amount[Any]]] = {}
    for row in rows:
        if row.event.resident is not None:
            sizes.setdefault(row.event.command.split()[0].partition("_TP")[0], []).append(row.event.resident)
    named = [f"{len(held)} × {name} {units.shown(units.total(held))}" for name, held in sizes.items()]
    if named:
        yield f"Other processes of the host hold, by the listing: {', '.join(named[:_NAMED])}."


def _other_hosts(incident: Incident, host: Host, demand: Demand) -> Iterator[str]:
    for other in incident.hosts:
        mine = demand_on(incident, other) if other is not host else None
        if mine is None or mine.sum is None or mine.limit is None or demand.sum is None:
            continue
        does = "does not fit either" if mine.limit.surely_below(mine.sum) else "fits"
        yield f"On {other.name} {units.both(mine.sum)} {does}: {units.shown(mine.limit)}."


def _demand(incident: Incident, host: Host, demand: Demand) -> Claim:
    ledger = demand.ledger
    words = {
        "announced": _announced(demand),
        "refused": "the refused size, for every rank of the host",
        "declared": "the argument, for every rank of the host",
        "": "the argument, for every rank of the host",
    }
    text = words[ledger.figure]
    if ledger.rounded is not None and demand.sum is ledger.rounded:
        text += "; the rounding of pinned blocks is inferred from the release"
    if demand.more:
        text += f"; {' and '.join(demand.more)} by the arguments"
    if OFFLOADED in demand.more:  # an upper bound: the weights of a rank may be fewer
        seen = offload_seen(incident, host)
        if seen is None or seen.event.anon is None:
            return Claim(Part.DEMAND, text, Status.HYPOTHESIS, ledger.lines)
        text += f"; a rank held {units.shown(seen.event.anon)} when it was killed"
        return Claim(Part.DEMAND, text, Status.SUPPORTED, (*ledger.lines, seen.ref))
    return Claim(Part.DEMAND, text, Status.ESTABLISHED if demand.said else Status.SUPPORTED, ledger.lines)


def _announced(demand: Demand) -> str:
    """Who announces, of how many; whether those alone ask for too much where others are not heard of."""
    ledger, limit, heard = demand.ledger, demand.limit, demand.ledger.heard
    text = f"pools announced by {units.many(ledger.announcing, 'rank')}"
    if demand.ranks_said is not None:
        text += f"; the arguments say {units.many(demand.ranks_said, 'rank')}"
    if demand.said or ledger.ranks is None or ledger.announcing >= ledger.ranks.value or heard is None:
        return text
    alone = "is too much already" if limit is not None and limit.surely_below(heard) else "would fit"
    return f"{text}; what those {ledger.announcing} ask for, {units.both(heard)}, {alone}"


def _limit(demand: Demand) -> Claim:
    assert demand.limit is not None  # noqa: S101 - the callers have checked it
    lines = tuple(units.lines_of(demand.limit))
    firm = Status.ESTABLISHED if demand.firm and (lines or demand.by_hand) else Status.SUPPORTED
    return Claim(Part.LIMIT, f"{demand.what}: {units.shown(demand.limit)}", firm, lines)


def _effect(effect: Effect | None) -> Claim:
    if effect is None:
        return Claim(Part.EFFECT, "nothing shows the host's memory after the pools were announced", Status.HYPOTHESIS)
    return Claim(Part.EFFECT, effect.text, effect.status, effect.lines)


def _cannot_be_granted(host: Host, demand: Demand) -> Effect | None:
    """Announced pools that are larger than the whole host have no way but to fail, though nobody has looked yet."""
    limit, asked = host.limit, demand.ledger.asked
    if demand.ledger.figure != "announced" or limit is None or asked is None or not limit.surely_below(asked):
        return None
    text = "the announced pools are larger than all the memory there is: they cannot be granted"
    return Effect(text, Status.SUPPORTED, demand.ledger.lines[:2], demand.ledger.began)


def _end_not_known() -> Claim:
    return Claim(
        Part.END, "what became of the ranks (stuck in reclaim, or killed by the kernel) is not known", Status.UNKNOWN
    )
