"""The HiCache host pool does not hold more tokens than the device pool.

What it is. A rank's host pool is meant to back its GPU pool and to hold more beside it. Up to 0.5.14 SGLang asserts
that it holds more tokens; from 0.5.15 on it only warns, and the second level of the cache has little effect.

How it shows. `AssertionError: The host memory should be larger than the device memory with the current protocol` on
every rank after the CUDA graphs are captured; later `HiCache host KV pool (… tokens) is smaller than the device pool
(… tokens)`.

What it is mistaken for. A lack of memory on the host or on the GPU: there is enough of both. It is the number of
tokens that is compared.

What confirms and refutes it. --hicache-size (decimal GB per rank) against the size of one rank's KV pool on the GPU
(printed in GiB).

How it is fixed. A --hicache-size above the device pool of one rank (check that all ranks together still fit the
host), or a --hicache-ratio above 1, or a smaller device pool.

Since and until which release. 0.4.3 to 0.5.14 ends the launch; from 0.5.15 on a warning.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.host_remedy import without_hicache
from analyzer.ledgers.kv_pool import DevicePool, device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, One, Token
    from analyzer.verdict import Found, Verdict

_TOPIC = "hicache-pool-too-small"
_SPARE = Fraction(19, 20)  # pages and rounding on either side
_CONFIRM = (Confirm("free -b", "whether a larger pool on all ranks fits the host"),)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "invalid-arguments"))
def too_small(incident: Incident) -> Iterator[Verdict]:
    """The assertion that ended the launch; the later warning is no cause of anything."""
    lines = in_time(decisive(incident, _TOPIC))
    warned = incident.first(ev.HostPoolSmall)
    if lines:
        yield _found(incident, lines)
    elif warned is not None:
        host, device = warned.event.host_tokens, warned.event.device_tokens
        sizes = f": {units.shown(host)} on the host, {units.shown(device)} on the GPU" if host and device else ""
        yield Cleared(
            f"only a warning in this release{sizes}; prefixes that leave the GPU find little room", (warned.ref,)
        )


def _found(incident: Incident, lines: list[Timed[ev.Failure]]) -> Found:
    pool = device_pool(incident)
    size = incident.arguments.amount("hicache_size", "GB")
    asked = size.called("host pool of one rank") if size is not None and size.value > 0 else None
    room = _tokens(pool, asked)
    found = from_lines(lines, remedy=_remedies(incident, pool, asked), confirm=_CONFIRM)
    device = pool.tokens.called("tokens of the device pool") if pool is not None and pool.tokens is not None else None
    demand = f"the host pool holds {units.shown(room)}" if room is not None else "the host pool holds too few tokens"
    limit = (
        f"the device pool holds {units.shown(device)}"
        if device is not None
        else "the device pool holds as many or more"
    )
    numbers: tuple[Amount[Any] | None, ...] = (room, device, _bytes(pool))
    return replace(
        found,
        summary=f"the HiCache host pool is not larger than the device pool: {demand}, {limit}",
        claims=(
            *found.claims,
            Claim(Part.DEMAND, demand, Status.ESTABLISHED if room is not None else Status.SUPPORTED, found.lines[:1]),
            Claim(Part.LIMIT, limit, Status.ESTABLISHED, (pool.ref,) if pool is not None else found.lines[:1]),
        ),
        sum=_sum(pool, asked, room, device),
        explanation="The host is not short of memory: this release wants more tokens in the host pool than on the GPU.",
        numbers=tuple(amount for amount in numbers if amount is not None),
    )


def _tokens(pool: DevicePool | None, asked: Amount[Byte] | None) -> Amount[Token] | None:
    """How many tokens a declared size holds, at the bytes per token of the device pool."""
    if pool is None or pool.per_token is None or asked is None:
        return None
    return asked.buys(pool.per_token).floor(assumed("1", "token", "whole tokens")).called("tokens of the host pool")


def _sum(
    pool: DevicePool | None, asked: Amount[Byte] | None, room: Amount[Token] | None, device: Amount[Token] | None
) -> str | None:
    if pool is None or device is None or pool.size is None:
        return None
    if pool.per_token is None or asked is None or room is None:
        return f"{units.shown(device)} on the GPU of each rank take {units.shown(pool.size)}"
    each = units.shown(pool.per_token)
    return f"{units.shown(asked)} ÷ {each} = {units.shown(room)} per rank, against {units.shown(device)} on its GPU"


def _bytes(pool: DevicePool | None) -> Amount[Byte] | None:
    return pool.size.called("KV pool of one rank") if pool is not None and pool.size is not None else None


def _remedies(incident: Incident, pool: DevicePool | None, asked: Amount[Byte] | None) -> tuple[Remedy, ...]:
    without = without_hicache(incident)
    later = Remedy(
        "prevent", "from 0.5.15 on a small host pool is only warned about: it then adds little, but it starts"
    )
    size = _bytes(pool)
    if size is None:
        ratio = Remedy(
            "fix", "a --hicache-ratio above 1 (2 is usual), without --hicache-size", argument="hicache_ratio", after="2"
        )
        return (ratio, without, later)
    least = _least(size)
    whole = _whole(incident, least)
    short = _short(incident, whole)
    if short is not None and whole is not None:
        return (_fewer_tokens(incident, asked, pool, f"{units.shown(whole)} for all ranks, {short}"), without, later)
    value = f"{least.number() / 1e9:.0f}"
    fits = f" ({units.shown(whole)} on the host for all its ranks)" if whole is not None else ""
    return (
        Remedy(
            "fix",
            f"--hicache-size {value} or more per rank{fits}: above the device pool, as this release demands",
            argument="hicache_size",
            before=f"{asked.number() / 1e9:.0f}" if asked is not None else None,
            after=value,
            command_line=with_argument(incident, "hicache_size", value),
            risk="check it against the host's memory first: every rank takes as much",
            numbers=(least, *((whole,) if whole is not None else ())),
        ),
        without,
        later,
    )


def _least(size: Amount[Byte]) -> Amount[Byte]:
    """The smallest whole number of GB above the device pool."""
    step = assumed("1", "GB", "the argument takes whole GB")
    least = size.floor(step) + step
    least = least if size.surely_below(least) else least + step
    return least.called("smallest size that is larger than the device pool")


def _fewer_tokens(incident: Incident, asked: Amount[Byte] | None, pool: DevicePool | None, why: str) -> Remedy:
    """A smaller device pool, where a host pool above it would not fit the host."""
    room = _tokens(pool, asked)
    value = str(int(room.value * _SPARE) // 1000 * 1000) if room is not None else None
    below = f" {value}, below the {units.shown(room)} that the host pool holds" if room is not None else ""
    return Remedy(
        "fix",
        f"a smaller device pool: --max-total-tokens{below}; a host pool above it does not fit ({why})",
        argument="max_total_tokens",
        after=value,
        command_line=with_argument(incident, "max_total_tokens", value) if value else None,
        risk="fewer tokens run at a time",
        numbers=(room,) if room is not None else (),
    )


def _whole(incident: Incident, least: Amount[Byte]) -> Amount[Byte] | None:
    ranks: list[Amount[One]] = [r for h in incident.hosts if (r := incident.ranks(h)) is not None]
    most = max(ranks, key=lambda r: r.value, default=None)
    return (least * most).called("asked by all ranks on the host") if most is not None else None


def _short(incident: Incident, whole: Amount[Byte] | None) -> str | None:
    """The host that the pool which the release demands would not fit, with what it has."""
    short: list[Host] = [
        h for h in incident.hosts if whole is not None and h.limit is not None and h.limit.surely_below(whole)
    ]
    if not short or short[0].limit is None:
        return None
    return f"and {short[0].name} has {units.shown(short[0].limit)}"
