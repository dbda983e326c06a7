"""Demand against limit on one host: the sum that counts, the limit that binds, and what stood there before."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.launches.nodes import nearest_node
from analyzer.ledgers.host_bound import Bound, bound_on
from analyzer.ledgers.host_effect import Effect
from analyzer.ledgers.host_memory import HostLedger, host_memory, offloaded
from analyzer.ledgers.host_segments import segments
from analyzer.ledgers.host_sizes import proven_by_guard
from analyzer.ledgers.processes import own_oom_kills
from analyzer.units import lines_of, total
from analyzer.vocabulary import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte

OFFLOADED = "offloaded weights"
_MOST = Fraction(3, 4)  # the rest of a rank's memory, its libraries and buffers, takes a few GiB


@immutable
class Demand:
    """One host's sum and the limit to hold it against.

    `sum` is all that the ranks will hold; `said` where that is shown by lines alone, without a rule of the release or
    an argument. `more` names what is in it beside the pools. `limit` is the binding one, `what` its name for people,
    `has` the words around its figure; `by_hand` where the user gave it, not `firm` where an assumption is in it,
    `by_guard` where SGLang's refusal shows it. `beside` is what other processes held before, where the limit is what
    they left. `proven` is the memory that must have been available when the last guard passed; `ranks_said` how many
    ranks the arguments put on the host.
    """

    ledger: HostLedger
    sum: Amount[Byte] | None
    limit: Amount[Byte] | None
    what: str
    has: str = ""
    said: bool = False
    more: tuple[str, ...] = ()
    by_hand: bool = False
    firm: bool = True
    by_guard: bool = False
    beside: Amount[Byte] | None = None
    proven: Amount[Byte] | None = None
    ranks_said: int | None = None

    def refusal(self, incident: Incident) -> Effect | None:
        """SGLang's own refusal as the sign that the limit was reached."""
        refused = list(incident.at_node(self.ledger.host, ev.HostPoolRefused))
        if not refused:
            return None
        who = len({t.process for t in refused})
        text = f"SGLang's guard refused {f'{who} ranks' if who > 1 else 'a rank'}: {refused[0].event.text}"
        return Effect(text, Status.ESTABLISHED, tuple(t.ref for t in refused[:8]), refused[0].at)


def demand_on(incident: Incident, host: Host) -> Demand | None:
    """The demand on one host; `None` where nothing there asks for pinned host memory."""
    ledger = host_memory(incident, host)
    wanted = [(want, bound_on(incident, host, ledger, want.amount)) for want in _wanted(incident, host, ledger)]
    if not wanted:
        return Demand(ledger, None, None, "") if incident.arguments.flag("enable_hierarchical_cache") else None
    want, bound = next((pair for pair in wanted if _exceeds(*pair)), wanted[-1])
    said = incident.ranks_declared()
    return Demand(
        ledger,
        want.amount,
        limit=bound.amount if bound else None,
        what=bound.what if bound else "",
        has=bound.has if bound else "",
        said=want.said and _said_by_all(incident, ledger),
        more=want.more,
        by_hand=bool(host.given),
        firm=bound is None or (bound.firm and not _of_any_node(incident, host, bound)),
        by_guard=bound is not None and bound.by_guard,
        beside=bound.beside if bound else None,
        proven=proven_by_guard(incident, ledger),
        ranks_said=int(said.value) if said else None,
    )


def _of_any_node(incident: Incident, host: Host, bound: Bound) -> bool:
    """Whether the limit comes from a file that may be any node's: of several, neither its name nor its lines tell."""
    nodes = incident.launch.nodes
    named = {t.ref.source for t in incident.launch.outside if t.node == host.node and t.event.where.node}
    sources = {ref.source for ref in lines_of(bound.amount)} - named - set(incident.launch.sources)
    return len(nodes) > 1 and any(nearest_node(source, nodes) is None for source in sources)


class _Want(NamedTuple):
    amount: Amount[Byte]
    said: bool
    more: tuple[str, ...] = ()


def _exceeds(want: _Want, bound: Bound | None) -> bool:
    return bound is not None and bound.amount.surely_below(want.amount)


def _wanted(incident: Incident, host: Host, ledger: HostLedger) -> Iterator[_Want]:
    """The sums to try, the best shown first: the pools, the pools with rounding, and with the rest that is pinned."""
    if ledger.asked is not None:
        yield _Want(ledger.asked, said=ledger.figure != "declared")
    if ledger.rounded is not None:
        yield _Want(ledger.rounded, said=False)
    others = ((offloaded(incident, host), OFFLOADED), (segments(incident, host), "Mooncake's segments"))
    parts = [(amount, name) for amount, name in others if amount is not None]
    if parts:
        names = tuple(name for _, name in parts)
        amounts = [a for a in (ledger.pinned, *(amount for amount, _ in parts)) if a is not None]
        whole = (
            amounts[0]
            if len(amounts) == 1
            else total(amounts).called(f"asked by all ranks, {' and '.join(names)} included")
        )
        yield _Want(whole, said=False, more=names)


def _said_by_all(incident: Incident, ledger: HostLedger) -> bool:
    """Whether all ranks say it, a refusal by their common argument."""
    if ledger.ranks is None or ledger.announcing >= ledger.ranks.value:
        return True
    return ledger.figure == "refused" and bool(incident.arguments.count("hicache_size"))


def offload_seen(incident: Incident, host: Host) -> Timed[ev.OomKill] | None:
    """The kernel's record of a rank that held most of the weights which it may offload.

    By anonymous memory: the files of a checkpoint that is being read are no part of it.
    """
    most = incident.arguments.amount("cpu_offload_gb", "GiB")
    if most is None or incident.arguments.flag("enable_hierarchical_cache"):
        return None
    kills = [t for t in own_oom_kills(incident) if t.node == host.node and t.event.anon is not None]
    return next((t for t in kills if t.event.anon and t.event.anon.value >= _MOST * most.value), None)
