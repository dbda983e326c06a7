"""How a demand on host memory is put into words: whose pools, of which size, by which argument, on which host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import units
from analyzer.ledgers.host_demand import OFFLOADED

if TYPE_CHECKING:
    from analyzer.incident import Host, Incident
    from analyzer.ledgers.host_demand import Demand

_SEVERAL = 2  # times as much; below, a percentage says more


def summary(incident: Incident, host: Host, demand: Demand) -> str:
    """The cause in one sentence: what counts per rank, what a rank takes, what all take, what there is."""
    ledger, limit = demand.ledger, demand.limit
    where = said_of(incident, host)
    have = demand.has.format(units.shown(limit)) if limit is not None else "it has less"
    asked = units.both(demand.sum) if demand.sum is not None else "more"
    share = ledger.per_rank
    alone = ledger.ranks is not None and ledger.ranks.value == 1
    offload = incident.arguments.get("cpu_offload_gb")
    if share is None or ledger.ranks is None:
        by = f"--cpu-offload-gb {offload} counts per rank: " if offload else ""
        return f"{by}the ranks ask {where} for {asked} of host memory together, and {have}"
    pools = f"{'host pools' if len(ledger.pools) > 1 else 'a host pool'} of {units.shown(share)}"
    if ledger.block is not None and demand.sum is ledger.rounded:
        pools += f" that this release pins as {units.shown(ledger.block)}"
    if alone and not demand.more:
        return f"the server's host pool of {units.both(share)} does not fit {where}: {have}"
    by = _argument(incident)
    counts = (
        f"{by} counts per rank: each of {units.shown(ledger.ranks)} ranks"
        if by
        else f"each of {units.shown(ledger.ranks)} ranks"
    )
    beside = f", with {' and '.join(demand.more)}" if demand.more else ""
    return f"{counts} takes {pools}; together{beside} they ask {where} for {asked}, and {have}"


def said_of(incident: Incident, host: Host) -> str:
    """The host: by name where there are several."""
    return "the host" if len(incident.hosts) == 1 else f"node {host.name}"


def product(incident: Incident, demand: Demand) -> str:
    """The sum in one line: `8 ranks × 300 GB per rank = 2,400 GB = 2,235 GiB`, and what comes on top of it."""
    ledger = demand.ledger
    whole = units.both(demand.sum) if demand.sum is not None else ""
    if ledger.per_rank is None or ledger.ranks is None or ledger.asked is None:
        return f"{_offload(incident, demand)}{whole}"
    many = "rank" if ledger.ranks.value == 1 else "ranks"
    text = f"{units.shown(ledger.ranks)} {many} × {units.shown(ledger.per_rank)} per rank = {units.both(ledger.asked)}"
    if ledger.rounded is not None and demand.sum is ledger.rounded:
        text += f" (pinned as {units.shown(ledger.rounded)})"
    if demand.more:
        text += f", with {' and '.join(demand.more)} {whole},"
    return text


def _offload(incident: Incident, demand: Demand) -> str:
    """`8 ranks × 64 GiB per rank = `, where offloaded weights are all that is asked for."""
    share = incident.arguments.amount("cpu_offload_gb", "GiB")
    if demand.more != (OFFLOADED,) or share is None or demand.sum is None:
        return ""
    return f"{units.many(round((demand.sum / share).value), 'rank')} × {units.shown(share)} per rank = "


def against(demand: Demand) -> str:
    """The limit in one line: `341 GiB (available before the launch, beside 414 GiB in use)`."""
    limit = units.shown(demand.limit) if demand.limit is not None else "an unknown limit"
    return f"{limit} ({demand.what}{f', beside {units.shown(demand.beside)} in use' if demand.beside else ''})"


def excess(demand: Demand) -> str:
    """How much more than the limit that is: `about 5 times what there is`, `about 4% more than there is`."""
    if demand.sum is None or demand.limit is None:
        return ""
    times = demand.sum / demand.limit
    if times.value >= _SEVERAL:
        return f"{units.times(times)} what there is"
    return f"about {float(times.value - 1):.0%} more than there is"


def _argument(incident: Incident) -> str:
    """The argument that set the size, as it is typed; empty where SGLang chose it."""
    arguments = incident.arguments
    size, ratio = arguments.get("hicache_size"), arguments.get("hicache_ratio")
    if size not in {None, 0, "0"}:
        return f"--hicache-size {size}"
    return f"--hicache-ratio {ratio}" if ratio is not None and arguments.flag("enable_hierarchical_cache") else ""
