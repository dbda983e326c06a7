"""What to do about host pools that do not fit: stop, drop them, size them, or let a later release count the ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.ledgers.host_bound import left_by_guard
from analyzer.ledgers.host_sizes import sizes
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument, without_arguments
from analyzer.verdict import Remedy

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.ledgers.host_demand import Demand
    from analyzer.ledgers.host_memory import HostLedger
    from analyzer.ledgers.host_sizes import Sizes
    from analyzer.ledgers.kv_pool import DevicePool
    from analyzer.units import Amount

_HICACHE = ("enable_hierarchical_cache", "hicache_size", "hicache_ratio", "hicache_storage_backend")


def remedies(incident: Incident, demand: Demand, *, hangs: bool) -> tuple[Remedy, ...]:
    """Mitigate (stop it, start without the pools), fix (a size with its arithmetic), prevent (a guard that counts).

    `hangs` is for a launch of which nothing shows an end.
    """
    ledger = demand.ledger
    found = [_stop(incident)] if hangs else []
    found.append(_without(incident, demand))
    granted = left_by_guard(incident, ledger.host, ledger)
    made = (
        sizes(incident, ledger, granted)
        if incident.arguments.flag("enable_hierarchical_cache") or not demand.more
        else None
    )
    if made is not None:
        found.append(_sized(incident, ledger, made))
    return (*found, _prevent(incident, ledger))


def _stop(incident: Incident) -> Remedy:
    pid = next((t.event.pid for t in incident.of(ev.CommandLine) if t.event.argv == incident.arguments.argv), None)
    whose = f" (pid {pid} and its children)" if pid is not None else ""
    return Remedy(
        "mitigate", f"look first (ps, dmesg), then stop the server{whose}: it cannot come up, waiting does not help"
    )


def without_hicache(incident: Incident) -> Remedy:
    """Start without the host pools: nothing to size."""
    return Remedy(
        "mitigate",
        "start without --enable-hierarchical-cache: no HiCache, no size to get wrong",
        argument="enable_hierarchical_cache",
        before="on",
        after="off",
        command_line=without_arguments(incident, _HICACHE),
        risk="prefixes are cached on the GPU alone; concurrency stays as it is",
    )


def _without(incident: Incident, demand: Demand) -> Remedy:
    if incident.arguments.flag("enable_hierarchical_cache") or not (demand.more or incident.launch.role == "decode"):
        return without_hicache(incident)
    if not demand.more:
        return _changed(
            incident, "disaggregation_decode_retraction_backup", "cpu_tensor", "no host pool for retracted requests"
        )
    offload = incident.arguments.get("cpu_offload_gb")
    return Remedy(
        "mitigate",
        "a smaller --cpu-offload-gb: it counts per rank, like a pool",
        argument="cpu_offload_gb",
        before=None if offload is None else str(offload),
    )


def _changed(incident: Incident, argument: str, value: str, what: str) -> Remedy:
    return Remedy(
        "mitigate",
        f"start without the pools: {what}",
        argument=argument,
        after=value,
        command_line=with_argument(incident, argument, value),
    )


def _sized(incident: Incident, ledger: HostLedger, made: Sizes) -> Remedy:
    pool = device_pool(incident, ledger.host)
    least = least_size(incident, pool)
    if made.suggested is None or (least is not None and not least.surely_below(made.suggested)):
        return _none(made, least)
    value, ceiling = _gigabytes(made.suggested), _gigabytes(made.ceiling)
    numbers: list[Amount[Any]] = [made.ceiling, made.suggested]
    whole = buys = ""
    cannot = "SGLang refuses as the host stands" if made.refused else "cannot work"
    if ledger.ranks is not None:
        then = (made.suggested * ledger.ranks).called("asked by all ranks then")
        numbers.append(then)
        whole = f"{units.binary(then.value)} in all; "
    if pool is not None and pool.per_token is not None:
        tokens = made.suggested.buys(pool.per_token).called(f"{_use(incident).replace(' ', '-')} tokens per rank")
        numbers.append(tokens)
        buys = f" and buys {units.shown(tokens)} of {_use(incident)} per rank"
    return Remedy(
        "fix",
        f"or with --hicache-size {value}, which leaves room for the rest ({whole}more than {ceiling} {cannot}){buys}",
        argument="hicache_size",
        before=_before(incident),
        after=value,
        command_line=with_argument(incident, "hicache_size", value),
        risk=None if _keeps_retracted(incident) else _concurrency(incident, pool),
        assumptions=made.assumptions,
        numbers=tuple(numbers),
    )


def _use(incident: Incident) -> str:
    """What a host pool is for: a decode server of disaggregated serving may have one without a prefix cache."""
    return "retracted requests" if _keeps_retracted(incident) else "prefix cache"


def _keeps_retracted(incident: Incident) -> bool:
    return incident.launch.role == "decode" and not incident.arguments.flag("enable_hierarchical_cache")


def _none(made: Sizes, least: Amount[units.Byte] | None) -> Remedy:
    """That no size works, and between which two it would have to be."""
    fits, demands = "none is known to fit beside the rest", ""
    if made.suggested is not None and least is not None:
        fits = f"{units.shown(made.suggested)} fit"
        demands = f", and this release wants more than the GPU's pool, {units.both(least)}"
    return Remedy(
        "fix",
        f"no --hicache-size can be named: {fits} per rank (more than {_gigabytes(made.ceiling)} cannot){demands}",
        numbers=tuple(a for a in (made.ceiling, made.suggested, least) if a is not None),
        assumptions=made.assumptions,
    )


def _gigabytes(size: Amount[units.Byte]) -> str:
    return f"{size.number() / 1e9:.0f}"


def least_size(incident: Incident, pool: DevicePool | None) -> Amount[units.Byte] | None:
    """The size that a host pool must exceed in the releases that refuse a smaller one than the GPU's."""
    guard = knowledge.host_pool_guard(incident.launch.release)
    if guard is None or not guard.refuses_smaller_pool or pool is None or pool.size is None:
        return None
    return pool.size.called("KV pool of one rank")


def _concurrency(incident: Incident, pool: DevicePool | None) -> str:
    bound = f", whose pool holds {units.shown(pool.tokens)}" if pool is not None and pool.tokens is not None else ""
    architecture = next((t.event.architecture for t in incident.of(ev.WeightsLoaded) if t.event.architecture), "")
    same = "; with MLA all ranks hold the same tokens" if knowledge.is_mla(architecture) else ""
    return f"HiCache adds prefix hits, not concurrency: running requests keep their KV on the GPU{bound}{same}"


def _before(incident: Incident) -> str | None:
    typed = incident.arguments.get("hicache_size")
    return None if typed in {None, 0} else str(typed)


def _prevent(incident: Incident, ledger: HostLedger) -> Remedy:
    ranks = units.shown(ledger.ranks) if ledger.ranks is not None else "N"
    check = (
        f"multiply sizes by the ranks on the host before a launch: `postmortem explain hicache-size --ranks {ranks}`"
    )
    if incident.launch.release.certainly_from("0.5.21"):
        return Remedy("prevent", f"{check}; SGLang's guard does not count other replicas or servers")
    return Remedy(
        "prevent",
        f"use a release whose guard counts the ranks of the host (0.5.19) and the container's limit (0.5.21); {check}",
    )
