"""SGLang's own guard refused the HiCache host pool.

What it is. Before it allocates, every rank compares its request with the memory that the host has available, less a
reserve of 10 GiB (from 0.5.19 on divided by the ranks of the replica on the host, from 0.5.21 on also with the
container's limit), and raises `Not enough host memory available` when it does not fit.

How it shows. `Requesting X GB but only have Y GB free`, on one rank or on all, after CUDA graph capture.

What it is mistaken for. The printed "free" is not what `free` shows: up to 0.4.8 it is the figure before the reserve is
taken off (so a refusal can print more "free" than it requests), from 0.4.9 the figure after it, from 0.5.19 one rank's
share. Where all ranks together do not fit, that sum is the cause and this refusal its symptom.

What confirms and refutes it. `free -b` at the same moment, with the guard's arithmetic beside it.

How it is fixed. A smaller size per rank, or memory given back on the host.

Since and until which release. 0.4.3 to today; the arithmetic behind the figure changed twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.ledgers.host_remedy import least_size, without_hicache
from analyzer.ledgers.host_sizes import reserve_of
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte
    from analyzer.verdict import Verdict

_CONFIRM = (Confirm("free -b", "what the guard compares the request with"),)


@rule("hicache-refused", explains=("scheduler-crashed", "launch-stalled"))
def refused(incident: Incident) -> Iterator[Verdict]:
    """The first refusal stands for all ranks."""
    items = incident.of(ev.HostPoolRefused)
    announced = incident.of(ev.HostPoolAnnounced)
    if items:
        yield _found(incident, items)
    elif announced:
        yield Cleared("the pools were announced, which a rank does after its guard passed", (announced[0].ref,))


def _found(incident: Incident, items: list[Timed[ev.HostPoolRefused]]) -> Found:
    first = items[0].event
    lines = tuple(t.ref for t in items)
    usable = _usable(incident, first)
    wanted = first.wanted.called("asked for by one rank") if first.wanted is not None else None
    text = f"a rank asked for {units.both(wanted)}" if wanted is not None else "a rank's request was refused"
    limit = f"the guard allowed {units.both(usable)}" if usable is not None else "the guard allowed less"
    who = len({t.process for t in items})
    return Found(
        summary=f"SGLang's guard refused a host pool: {text}, {limit}",
        claims=(
            Claim(Part.DEMAND, text, Status.ESTABLISHED, lines[:1]),
            Claim(Part.LIMIT, limit, Status.ESTABLISHED, lines[:1]),
            Claim(
                Part.EFFECT, f"{who} {'rank' if who == 1 else 'ranks'} raised it and ended", Status.ESTABLISHED, lines
            ),
        ),
        explanation=_what_free_means(incident),
        numbers=tuple(a for a in (wanted, usable, _available(incident, first)) if a is not None),
        lines=lines,
        remedy=_remedy(incident, usable),
        confirm=_CONFIRM,
        at=items[0].at,
    )


def _usable(incident: Incident, first: ev.HostPoolRefused) -> Amount[Byte] | None:
    """What a request may be at most: the printed figure, less the reserve in the releases that print it before."""
    if first.free is None:
        return None
    printed = first.free.called("printed as free")
    before = _free_means(incident) == "available"
    if not before and first.wanted is not None and first.wanted.surely_below(first.free):
        before = True  # a refusal of less than it prints as free can only be the older message
    return (printed - reserve_of(incident)).called("usable after the reserve") if before else printed


def _available(incident: Incident, first: ev.HostPoolRefused) -> Amount[Byte] | None:
    """What was available on the host, where the printed figure is one rank's share of it."""
    ranks = incident.replica_ranks()
    if _free_means(incident) != "rank-share" or first.free is None or ranks is None:
        return None
    shares = first.free.called("printed as free") * ranks
    return (shares + reserve_of(incident)).called("available when it was refused")


def _free_means(incident: Incident) -> str | None:
    guard = knowledge.host_pool_guard(incident.launch.release)
    return guard.free_means if guard is not None else None


def _what_free_means(incident: Incident) -> str:
    guard = knowledge.host_pool_guard(incident.launch.release)
    return guard.sentences.get("free_means", "") if guard is not None else ""


def _remedy(incident: Incident, usable: Amount[Byte] | None) -> tuple[Remedy, ...]:
    whole, without = assumed("1", "GB", "the argument takes whole GB"), without_hicache(incident)
    if usable is None or usable.value < whole.value:
        return (Remedy("fix", "give memory back on the host: nothing is left for a pool"), without)
    size = usable.floor(whole).called("largest size that passes")
    value = f"{size.number() / 1e9:.0f}"
    least = least_size(incident, device_pool(incident))
    small = least is not None and not least.surely_below(size)
    risk = (
        f"this release also wants more than the GPU's pool of {units.both(least)}"
        if small and least is not None
        else None
    )
    return (
        Remedy(
            "fix",
            f"--hicache-size {value} or less: more does not pass the guard at this moment",
            argument="hicache_size",
            after=value,
            command_line=with_argument(incident, "hicache_size", value),
            risk=risk,
            numbers=(size,),
        ),
        without,
    )
