"""The host-memory ledger: what all local ranks ask of one host together, part by part, and how firmly it is known.

Figures stand in this order: announced (`Allocating …`: printed after that rank's guard passed, before the memory is
touched) over refused (what the guard was asked for) over declared (the arguments) over inferred.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.immutable import immutable
from analyzer.ledgers.kv_pool import device_pool
from analyzer.units import Amount, Byte, Given, One, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.evidence import Instant, Ref
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed

    _Pools = dict[str, list[tuple[str, Amount[Byte]]]]


@immutable
class HostLedger:
    """What one host is asked for.

    `per_rank` is one rank's share (the largest where they differ), `ranks` how many ranks ask, `asked` their sum, all
    named steps. `figure` says how `per_rank` is known: announced, refused, declared. `block` is one rank's share after
    the release's rounding of pinned memory, where there is one, and `rounded` the sum of those. `began` is when the
    first rank announced. `announcing` ranks have been heard of, and `heard` is the sum of those alone. `pools` are the
    largest rank's own, by name. `missing` names the inputs without which the sum cannot be made.
    """

    host: Host
    per_rank: Amount[Byte] | None = None
    ranks: Amount[One] | None = None
    asked: Amount[Byte] | None = None
    rounded: Amount[Byte] | None = None
    figure: str = ""
    began: Instant | None = None
    lines: tuple[Ref, ...] = ()
    announcing: int = 0
    missing: tuple[str, ...] = ()
    heard: Amount[Byte] | None = None
    pools: tuple[tuple[str, Amount[Byte]], ...] = ()
    block: Amount[Byte] | None = None

    @property
    def pinned(self) -> Amount[Byte] | None:
        """What will really be held: the sum, or the larger one after rounding."""
        return self.rounded or self.asked


def host_memory(incident: Incident, host: Host) -> HostLedger:
    """The ledger of one host."""
    announced = incident.at_node(host, ev.HostPoolAnnounced)
    refused = incident.at_node(host, ev.HostPoolRefused)
    if not announced and not refused:
        return _declared(incident, host)
    declared = incident.ranks_declared()
    alone = declared is not None and declared.value == 1
    pools = _by_rank([(t.process, t.event.pool, t.event.size) for t in announced], lost_ranks=not alone)
    asked_in_vain = _by_rank([(t.process, t.event.pool, t.event.wanted) for t in refused])
    for process, wanted in asked_in_vain.items():
        pools.setdefault(process, []).append(max(wanted, key=lambda part: part[1].value))  # said again by every handler
    items = [*announced, *refused]
    lines = tuple(dict.fromkeys(t.ref for t in items))
    made = replace(HostLedger(host), figure="announced" if announced else "refused", began=items[0].at, lines=lines)
    return _filled(incident, made, pools)


def _by_rank(items: Sequence[tuple[str, str, Amount[Byte] | None]], *, lost_ranks: bool = False) -> _Pools:
    """The pools of each rank, as name and size; what names no rank counts only where nothing does.

    `lost_ranks`: lines without a rank that repeat one pool are several ranks' whose headers were lost.
    """
    sized = [(process, pool, size) for process, pool, size in items if size is not None]
    ranked = [item for item in sized if not item[0].endswith("/main")]
    found: _Pools = {}
    for process, pool, size in ranked or sized:
        places = (f"{process}#{n}" if n else process for n in count())
        once = ranked or not lost_ranks
        place = next(p for p in places if once or not _holds(found.get(p, []), pool, size))
        found.setdefault(place, []).append((pool, size))
    return found


def _holds(pools: list[tuple[str, Amount[Byte]]], pool: str, size: Amount[Byte]) -> bool:
    return any(name == pool and held.value == size.value for name, held in pools)


def _filled(incident: Incident, ledger: HostLedger, pools: _Pools) -> HostLedger:
    """The ledger with its sums."""
    if not pools:
        return HostLedger(ledger.host, missing=("the size in the allocation lines",))
    shares = {process: total(size for _, size in parts) for process, parts in pools.items()}
    widest = max(shares, key=lambda process: shares[process].value)
    largest = shares[widest].called("host pool of one rank" if len(pools[widest]) == 1 else "host pools of one rank")
    declared = incident.ranks(ledger.host)
    heard = units.counted(len(shares), ledger.lines, "ranks that announce a pool").called("ranks")
    ranks = declared if declared is not None and declared.value > heard.value else heard
    block = _block(incident, largest) if ledger.figure == "announced" else None  # what was refused is not pinned
    equal = all(s.value == largest.value for s in shares.values())
    asked = largest * ranks if equal or ranks is declared else total(shares.values())
    return replace(
        ledger,
        per_rank=largest,
        ranks=ranks,
        asked=asked.called("asked by all ranks on the host"),
        heard=asked if ranks is heard else total(shares.values()),
        block=block,
        rounded=(block * ranks).called("pinned by all ranks on the host") if block is not None else None,
        announcing=len(shares),
        pools=tuple(pools[widest]),
    )


def _block(incident: Incident, per_rank: Amount[Byte]) -> Amount[Byte] | None:
    """What is pinned for one rank's pool in the releases whose allocator rounds up to a power of two."""
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is None or not guard.rounds_to_power_of_two:
        return None
    power = Fraction(1)
    while power < per_rank.value:
        power *= 2
    reason = f"a pinned block of {units.both(per_rank)} is rounded up to a power of two in this release"
    return Amount(power, "B", Given("release", reason), name="pinned block of one rank")


def _declared(incident: Incident, host: Host) -> HostLedger:
    arguments = incident.arguments
    if not arguments.flag("enable_hierarchical_cache"):
        return HostLedger(host, missing=("a HiCache argument or an allocation line",))
    ranks = incident.ranks(host)
    per_rank, lines = _declared_share(incident, host)
    if per_rank is None or ranks is None:
        return HostLedger(host, missing=_what_is_missing(per_rank, ranks))
    asked = (per_rank * ranks).called("asked by all ranks on the host")
    block = _block(incident, per_rank)
    rounded = (block * ranks).called("pinned by all ranks on the host") if block is not None else None
    return HostLedger(host, per_rank, ranks, asked, rounded, "declared", None, lines, block=block)


def _declared_share(incident: Incident, host: Host) -> tuple[Amount[Byte] | None, tuple[Ref, ...]]:
    size = incident.arguments.amount("hicache_size", "GB")
    if size is not None and size.value > 0:
        return size.called("host pool of one rank"), _known(incident.arguments.ref("hicache_size"))
    ratio = incident.arguments.amount("hicache_ratio", "ratio")
    pool = device_pool(incident, host)
    if ratio is None or pool is None or pool.size is None:
        return None, ()
    share = (pool.size.called("KV pool of one rank on the GPU") * ratio.called("(--hicache-ratio)")).called(
        "host pool of one rank"
    )
    return share, tuple(units.lines_of(share))


def _known(ref: Ref | None) -> tuple[Ref, ...]:
    return (ref,) if ref is not None else ()


def _what_is_missing(per_rank: Amount[Byte] | None, ranks: Amount[One] | None) -> tuple[str, ...]:
    found = []
    if per_rank is None:
        found.append("the size of one rank's host pool (an `Allocating` line, or the KV pool's size for a ratio)")
    if ranks is None:
        found.append("how many ranks run on the host")
    return tuple(found)


def offloaded(incident: Incident, host: Host) -> Amount[Byte] | None:
    """What `--cpu-offload-gb` takes at most: GiB per rank, of weights that may be fewer, times the local ranks."""
    per_rank = incident.arguments.amount("cpu_offload_gb", "GiB")
    ranks = incident.ranks(host)
    if per_rank is None or per_rank.value <= 0 or ranks is None:
        return None
    return (per_rank.called("weights offloaded by one rank") * ranks).called("weights offloaded by all ranks, at most")


def held_by(items: Iterable[Timed[ev.ProcessListed]]) -> Amount[Byte] | None:
    """The resident memory of listed processes together."""
    sizes = [t.event.resident for t in items if t.event.resident is not None]
    return total(sizes) if sizes else None
