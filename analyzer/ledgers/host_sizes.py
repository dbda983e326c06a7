"""How large a host pool may be: a ceiling above which it cannot work, and a size that leaves room for the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.immutable import immutable
from analyzer.incident import said_before
from analyzer.ledgers.host_others import others_hold
from analyzer.units import Amount, Byte, Given, One, assumed, of_release, total

if TYPE_CHECKING:
    from analyzer.incident import Host, Incident
    from analyzer.ledgers.host_memory import HostLedger

_MARGIN = "5"
_PER_PROCESS = "4"
_SYSTEM = "8"


@immutable
class Sizes:
    """Both numbers, each a whole GB per rank; `assumptions` are what the suggested one rests on besides lines.

    `refused` where the ceiling is what SGLang's guard had, not what the host has.
    """

    ceiling: Amount[Byte]
    suggested: Amount[Byte] | None
    assumptions: tuple[str, ...]
    refused: bool = False


def sizes(incident: Incident, ledger: HostLedger, granted: Amount[Byte] | None = None) -> Sizes | None:
    """The two sizes for `--hicache-size` on this host; `None` where its memory or its ranks are not known.

    The argument is for one pool where a rank has several that each take the full size, so those count. `granted` is
    what SGLang's guard had for all ranks, where a refusal tells.
    """
    free, assumptions = _free_before(incident, ledger, ledger.host.limit)
    limit, ranks = ledger.host.limit or free, ledger.ranks
    if limit is None or free is None or ranks is None:
        return None
    reserve = reserve_of(incident)
    whole = assumed("1", "GB", "the argument takes whole GB")
    pools = _pools_of_full_size(ledger)
    share = ranks if pools is None else (ranks * pools).called("pools on the host")
    rounds = _rounds(incident)
    most = _block((limit.called("memory of the host") - reserve) / share, rounds=rounds)
    margin = (limit * assumed(_MARGIN, "percent", "room for what grows after the start")).called("margin of 5%")
    room = free - reserve - margin
    if granted is not None and granted.value - margin.value < room.value:
        room, assumptions = granted - margin, ()
    fits = _block(room / share, rounds=rounds)
    refused = granted is not None and granted.value < (limit - reserve).value
    if granted is not None and refused:
        most = _block(granted / share, rounds=rounds)
    return Sizes(
        most.floor(whole).called("ceiling per rank"),
        _below_what_failed(fits.floor(whole).called("suggested size per rank"), ledger),
        assumptions,
        refused=refused,
    )


def _below_what_failed(size: Amount[Byte], ledger: HostLedger) -> Amount[Byte] | None:
    """The size, unless it is none, or no smaller than the one that did not work."""
    failed = ledger.pools and size.value >= max(pool.value for _, pool in ledger.pools)
    return None if failed or size.value <= 0 else size


def _rounds(incident: Incident) -> bool:
    guard = knowledge.host_pool_guard(incident.launch.release)
    return guard is not None and guard.rounds_to_power_of_two is True


def _block(room: Amount[Byte], *, rounds: bool) -> Amount[Byte]:
    """The largest pinned block in `room`: a power of two in the releases whose allocator rounds up to one."""
    if not rounds or room.value < 1:
        return room
    power = Fraction(2) ** (int(room.value).bit_length() - 1)
    reason = f"the largest power of two in {units.binary(room.value)}: this release rounds blocks up to one"
    return Amount(power, "B", Given("release", reason)).called("largest block that fits")


def _pools_of_full_size(ledger: HostLedger) -> Amount[One] | None:
    """How many pools of a rank take the full size each, where that is more than one."""
    largest = max((size.value for _, size in ledger.pools), default=None)
    many = sum(size.value == largest for _, size in ledger.pools)
    return units.counted(many, ledger.lines, "pools of the full size in a rank") if many > 1 else None


def reserve_of(incident: Incident) -> Amount[Byte]:
    """What SGLang keeps back on every host: 10 GiB, in every release known."""
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is not None:
        return guard.reserve.called("SGLang's reserve")
    return of_release("10", "GiB", "every release since 0.4.3 keeps 10 GiB back").called("SGLang's reserve")


def proven_by_guard(incident: Incident, ledger: HostLedger) -> Amount[Byte] | None:
    """What must have been available, at least, when the last guard passed: its request and the reserve.

    Of several pools the smallest counts, as each is checked when the one before it stands.
    """
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is None or guard.divides_by_ranks is None or ledger.figure != "announced" or not ledger.pools:
        return None
    pool = min((size for _, size in ledger.pools), key=lambda size: size.value)
    counted = (ledger.per_rank if len(ledger.pools) == 1 else pool.called("smallest pool of one rank")) or pool
    if guard.divides_by_ranks:
        ranks = incident.replica_ranks()
        counted = counted * ranks if ranks is not None else counted
    return (counted + guard.reserve.called("SGLang's reserve")).called("available when a rank's guard passed")


def available_before(incident: Incident, ledger: HostLedger) -> Amount[Byte] | None:
    """What was available before the pools: by a snapshot, else by SGLang's own look (0.5.21 on).

    A snapshot that shows less than a passed guard proves is of another time, and does not count.
    """
    snapshot, proven = ledger.host.before(ledger.began), proven_by_guard(incident, ledger)
    available = snapshot.event.available if snapshot is not None else None
    if available is not None and (proven is None or not available.surely_below(proven)):
        return available.called("available before the pools")
    seen = next((t.event for t in incident.at_node(ledger.host, ev.HostPoolSized) if t.event.host is not None), None)
    if seen is None or seen.host is None:
        return None
    parts = [part for part in (seen.host, seen.cgroup) if part is not None]
    return min(parts, key=lambda part: part.value).called("available before the pools")


def rank_processes(ranks: Amount[One]) -> Amount[Byte]:
    """What the ranks' processes hold beside their pools, by assumption."""
    each: Amount[Any] = assumed(_PER_PROCESS, "GiB", "what a rank's process holds beside its pool")
    return (each * ranks).called("rank processes, assumed")


def _free_before(
    incident: Incident, ledger: HostLedger, limit: Amount[Byte] | None
) -> tuple[Amount[Byte] | None, tuple[str, ...]]:
    """Memory available before the pools were touched: seen by somebody, else the whole less what is assumed."""
    available = available_before(incident, ledger)
    if available is not None and (limit is None or not limit.surely_below(available)):
        if not _before_the_ranks(incident, ledger) or ledger.ranks is None:
            return available, ()
        processes = rank_processes(ledger.ranks)
        return available - processes, (_for_processes(processes),)
    if limit is None or ledger.ranks is None:
        return None, ()
    parts, text = _beside(incident, ledger.host, ledger.ranks)
    return limit - total(parts), text


def _before_the_ranks(incident: Incident, ledger: HostLedger) -> bool:
    """Whether the memory was looked at before the ranks' processes were there, whose own share is then to come."""
    snapshot, start = ledger.host.before(ledger.began), incident.timeline.start
    if snapshot is None:
        return False
    if snapshot.at is None or start is None:
        return said_before(snapshot)
    return snapshot.at.seconds + snapshot.at.slack < start.seconds


def _for_processes(processes: Amount[Byte]) -> str:
    return f"{_PER_PROCESS} GiB for each rank's process ({units.shown(processes)} together)"


def _beside(incident: Incident, host: Host, ranks: Amount[One]) -> tuple[list[Amount[Byte]], tuple[str, ...]]:
    """What is taken off the whole: the ranks' processes, the system (not in a container), what a listing shows."""
    processes = rank_processes(ranks)
    parts, text = [processes], [_for_processes(processes)]
    if host.cgroup_limit is None:
        parts.append(assumed(_SYSTEM, "GiB", "the operating system and everything else").called("system, assumed"))
        text.append(f"{_SYSTEM} GiB for the operating system and everything else")
    others = others_hold(incident, host)
    return [*parts, *((others,) if others is not None else ())], tuple(text)
