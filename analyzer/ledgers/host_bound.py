"""What the pools of a host may take at most: the container, the machine, or what others had left of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge
from analyzer.immutable import immutable
from analyzer.ledgers.host_effect import used_up
from analyzer.ledgers.host_others import neighbours_asked, others_hold
from analyzer.ledgers.host_sizes import available_before, rank_processes, reserve_of
from analyzer.units import shown, total

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.ledgers.host_memory import HostLedger
    from analyzer.units import Amount, Byte


@immutable
class Bound:
    """A limit: `what` it is, and the words around its figure in a sentence (`has`, with `{}` for the figure).

    `beside` is what others hold, where the limit is what they left. `firm` unless an assumption is in it.
    `by_guard` where SGLang's own refusal shows it, its reserve taken off.
    """

    amount: Amount[Byte]
    what: str
    has: str
    beside: Amount[Byte] | None = None
    firm: bool = True
    by_guard: bool = False


def bound_on(incident: Incident, host: Host, ledger: HostLedger, whole: Amount[Byte]) -> Bound | None:
    """The first limit that `whole` surely exceeds, the hardest first; else the hardest that is known."""
    known = list(_bounds(incident, host, ledger))
    exceeded = next((b for b in known if b.amount.surely_below(whole)), None)
    return exceeded or (known[0] if known else None)


def _bounds(incident: Incident, host: Host, ledger: HostLedger) -> Iterator[Bound]:
    limit = host.limit
    if limit is not None:
        contained = host.cgroup_limit is not None and host.cgroup_limit.value == limit.value
        name = "memory limit of the container" if contained else "memory of the host"
        yield Bound(limit.called(name), name, "the container may use {}" if contained else "it has {}")
    if _huge_pages_would_do(host, ledger):
        return
    before = available_before(incident, ledger)
    if before is not None:
        beside = None
        if limit is not None and before.value < limit.value:
            beside = (limit.called("memory of the host") - before).called("already in use")
        yield Bound(before, "available before the launch", "{} were available", beside)
    refused = left_by_guard(incident, host, ledger)
    if refused is not None:
        yield Bound(refused, "what SGLang's guard had for the pools", "SGLang's guard had {} for them", by_guard=True)
    if limit is not None:
        yield from _beside(incident, host, limit)
        after = host.after(ledger.began)
        if after is not None and used_up(after.event):
            yield from _of_a_full_host(incident, ledger, limit)


def _beside(incident: Incident, host: Host, limit: Amount[Byte]) -> Iterator[Bound]:
    """What a listing's other processes leave, where the host's figures allow it: shared pages count several times."""
    others = others_hold(incident, host)
    if others is None or others.value >= limit.value:
        return
    left = (limit.called("memory of the host") - others).called("left beside other processes")
    last = host.after(None)
    available = last.event.available if last is not None else None
    if available is None or not left.surely_below(available):
        yield Bound(left, "memory that other processes leave", "other processes leave {}", others, firm=False)


def _of_a_full_host(incident: Incident, ledger: HostLedger, limit: Amount[Byte]) -> Iterator[Bound]:
    """What a host that is full had for the pools: without another server's, or what the ranks need beside theirs."""
    whole = limit.called("memory of the host")
    neighbour = neighbours_asked(incident)
    if neighbour is not None and neighbour.value < limit.value:
        left = (whole - neighbour).called("left beside the other server's pools")
        yield Bound(
            left, "memory that another server's pools leave", "another server's pools leave {}", neighbour, firm=False
        )
    if ledger.ranks is not None:
        left = whole - reserve_of(incident) - rank_processes(ledger.ranks)
        if left.value > 0:
            name = f"what a host of {shown(limit)} leaves them"
            left = left.called("left for the pools on a host that is full")
            yield Bound(left, name, "only {} are left for them", firm=False)


def _huge_pages_would_do(host: Host, ledger: HostLedger) -> bool:
    """Whether a refusal is one only because huge pages that nobody uses count as taken."""
    if ledger.figure != "refused" or ledger.asked is None:
        return False
    unused = [s.event.huge_free for s in host.snapshots if s.event.huge_free is not None]
    return any(not amount.surely_below(ledger.asked) for amount in unused)


def left_by_guard(incident: Incident, host: Host, ledger: HostLedger) -> Amount[Byte] | None:
    """What the guard had for all ranks together, by its own refusal; of one rank alone that says nothing more."""
    refused = incident.at_node(host, ev.HostPoolRefused)
    first = refused[0].event if refused else None
    if first is None or ledger.ranks is None or ledger.ranks.value <= 1:
        return None
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is None or guard.free_means is None or first.free is None:
        return _left_after(incident, ledger) if ledger.figure == "refused" else None
    if guard.free_means == "rank-share":
        return _shares(incident, ledger, first.free) if ledger.figure == "refused" else None
    usable = first.free if guard.free_means == "after-reserve" else first.free - reserve_of(incident)
    return _with_earlier(incident, host, usable.called("left for the rank that was refused"))


def _shares(incident: Incident, ledger: HostLedger, free: Amount[Byte]) -> Amount[Byte] | None:
    ranks = incident.replica_ranks() or ledger.ranks
    return (free.called("share printed as free") * ranks).called("usable by all ranks") if ranks is not None else None


def _with_earlier(incident: Incident, host: Host, usable: Amount[Byte]) -> Amount[Byte]:
    """Where ranks passed before, their pools may have been touched already: there was no more than this in all."""
    passed = [t.event.size for t in incident.at_node(host, ev.HostPoolAnnounced) if t.event.size is not None]
    return (usable + total(passed)).called("usable by all ranks, at most") if passed else usable


def _left_after(incident: Incident, ledger: HostLedger) -> Amount[Byte] | None:
    """What a snapshot after the refusal shows, less the reserve."""
    after = ledger.host.after(ledger.began)
    available = after.event.available if after is not None else None
    reserve = reserve_of(incident)
    if available is None or available.value <= reserve.value:
        return None
    return (available - reserve).called("available less SGLang's reserve")
