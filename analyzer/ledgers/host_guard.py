"""What SGLang's own check before a host pool proves, why it let the pools pass, and who could have told."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.units import Read
from analyzer.verdict import Claim
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.knowledge import HostPoolGuard
    from analyzer.launches import Timed
    from analyzer.ledgers.host_demand import Demand
    from analyzer.ledgers.host_effect import Effect

_QUIET = 60.0  # seconds; less needs no comment
_LATER = (
    "Later releases: from 0.5.19 the guard divides what is available by the ranks of the server on the host, and from "
    "0.5.21 it knows the container's limit."
)


def link_of(host: Host, demand: Demand, effect: Effect | None) -> Claim:
    """That this demand, and nothing else known, used the memory up."""
    limit, asked = demand.limit, demand.sum
    assert limit is not None and asked is not None  # noqa: S101, PT018 - the callers have checked it
    lines = demand.ledger.lines[:2]
    after = host.after(demand.ledger.began)
    left = after.event.available if after is not None else None
    whole = host.limit
    if demand.ledger.figure == "refused" or demand.by_guard:
        text = "SGLang's guard compared the request with what there was, and refused"
        return Claim(Part.LINK, text, Status.ESTABLISHED, lines)
    if after is not None and demand.proven is not None and left is not None and left.surely_below(demand.proven):
        text = (
            f"each rank's guard passed, so at least {units.shown(demand.proven)} were available when the last one "
            f"announced its pool; later {units.shown(left)}; nothing else known is that large"
        )
        return Claim(Part.LINK, text, Status.ESTABLISHED, (*lines, after.ref))
    if whole is not None and whole.surely_below(asked) and effect is not None:
        text = "the sum alone is larger than all there is: it cannot have been granted, whatever else runs"
        return Claim(Part.LINK, text, Status.ESTABLISHED, lines)
    return Claim(Part.LINK, "the sum does not fit beside what is already there", Status.SUPPORTED, lines)


_OF_MEMORY = frozenset({"host-pin-failure", "hicache-refused", "hicache-pool-too-small", "host-memory-exhausted"})
_OF_PEERS = frozenset({"collective-timeout", "distributed-init-stalled"})


def other_exception(incident: Incident) -> Timed[ev.ExceptionRaised] | None:
    """An exception of a rank that is neither about host memory nor the echo of a peer: it ended the launch alone."""
    about = {t.ref for t in incident.of(ev.HostPoolRefused)}
    about |= {t.ref for t in incident.of(ev.Failure) if t.event.topic in _OF_MEMORY | _OF_PEERS}
    raised = [t for t in incident.of(ev.ExceptionRaised) if t.event.process == "scheduler" and not t.event.handled]
    return next((t for t in raised if t.ref not in about), None)


def why_nobody_refused(incident: Incident, demand: Demand) -> list[str]:
    """Sentences on the pools, the guard and the launcher of this release, on what later ones do, on GB against GiB."""
    if demand.ledger.per_rank is None:
        return []  # no pool, no guard
    guard = knowledge.host_pool_guard(incident.launch.release)
    said = [*_several_pools(demand, guard), *_rounding(demand, guard)]
    if guard is not None and demand.ledger.figure == "refused" and "free_means" in guard.sentences:
        said.append(f"What the refusal hides: {guard.sentences['free_means']}.")
    if guard is not None and demand.ledger.figure == "announced":
        said += _of_release(incident, demand, guard)
    if demand.ledger.figure != "refused" and (
        guard is None or guard.divides_by_ranks is not True or guard.knows_cgroup is not True
    ):
        said.append(_LATER)
    if guard is not None:
        said.append(f"Still: {guard.always['strangers-not-counted']}.")
    return [*said, *_two_units(demand), *_pinning(incident, demand)]


def _of_release(incident: Incident, demand: Demand, guard: HostPoolGuard) -> Iterator[str]:
    plain_dp = (incident.arguments.count("dp_size", 1) or 1) > 1 and not incident.arguments.flag("enable_dp_attention")
    if guard.divides_by_ranks is False:
        yield f"Why nobody refused: {guard.sentences['divides_by_ranks']}."
    elif guard.divides_by_ranks and plain_dp:
        yield (
            f"Why nobody refused: {guard.sentences['divides_by_ranks']}; with plain data parallelism every replica is "
            "a server of its own to it."
        )
    if guard.knows_cgroup is False and demand.what.startswith("memory limit"):
        yield f"The container's limit: {guard.sentences['knows_cgroup']}."
    if guard.sees_dead_rank is False:
        yield f"Why nobody reported, a hypothesis: {guard.sentences['sees_dead_rank']}; or ranks stuck in reclaim."


def _several_pools(demand: Demand, guard: HostPoolGuard | None) -> Iterator[str]:
    pools = demand.ledger.pools
    if len(pools) <= 1:
        return
    parts = ", ".join(f"{name or 'unnamed'} {units.shown(size)}" for name, size in pools)
    rule = (
        f": {guard.sentences['hybrid_pools']}" if guard is not None and guard.hybrid_pools not in {None, "one"} else ""
    )
    yield f"A rank has {len(pools)} host pools ({parts}){rule}."


def _rounding(demand: Demand, guard: HostPoolGuard | None) -> Iterator[str]:
    if guard is not None and guard.rounds_to_power_of_two and demand.sum is not demand.ledger.asked:
        yield f"In this release {guard.sentences['rounds_to_power_of_two']}."


def _pinning(incident: Incident, demand: Demand) -> list[str]:
    """Silence against the time that pinning so much takes by itself."""
    quiet = incident.timeline.silence
    if quiet is None or quiet < _QUIET or demand.ledger.per_rank is None or demand.ledger.figure != "announced":
        return []
    usual = knowledge.usual_pinning(demand.ledger.per_rank)
    return [
        (
            f"Pinning {units.shown(demand.ledger.per_rank)} on a rank usually takes {units.shown(usual.low)} to "
            f"{units.shown(usual.high)} ({usual.reason}); {quiet:,.0f} s of silence alone prove nothing."
        )
    ]


def _two_units(demand: Demand) -> Iterator[str]:
    """Why dividing the two printed numbers misleads, where a tool printed GiB in whole numbers and GB were typed."""
    asked, limit = demand.sum, demand.limit
    if asked is None or limit is None or not asked.decimal or not isinstance(limit.origin, Read):
        return
    printed, _, unit = limit.origin.text.rpartition(" ")
    if unit != "GiB":
        return
    wrong = asked.value / 10**9 / Fraction(printed.replace(",", ""))
    number = units.decimal_size(asked.value).removesuffix(" GB")
    yield (
        f"{number} ÷ {printed} = {float(wrong):.1f} would divide GB (HiCache's unit, 10^9 bytes) by GiB (what the "
        f"{printed} are, 2^30 bytes) and come out 7% too high."
    )
