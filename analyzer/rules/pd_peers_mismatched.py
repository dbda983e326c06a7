"""Prefill and decode do not match: sizes, library or model differ where they must not.

What it is. The KV of one leg does not fit the other: unequal tensor-parallel sizes for a model that cannot reshape,
unequal page sizes or KV types, or two releases of the transfer engine.

How it shows. `PD Disaggregation does NOT support PD different TP sizes …`, `Page size mismatch: prefill server has
…`, `State index length mismatch` on one leg, while the other merely waits; `Failed to get local segment descriptor`
where the engines are of different releases.

What it is mistaken for. A dead peer: it is alive, and answers /health. A hang of the decode leg.

What confirms and refutes it. The `server_args` lines and the package lists of both legs, side by side.

How it is fixed. The same values, or the same release, on both legs.

Since and until which release. With PD disaggregation: 0.4.5 on; some models may differ in TP size from 0.5.x on.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.spoken import in_time
from analyzer.ledgers.transfers import legs, transfers
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Launch, Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

    Difference = tuple[str, Any, Any, Launch]

_TOPIC = "pd-peers-mismatched"
_EXPLAINS = ("pd-transfer-failed", "scheduler-crashed", "scheduler-stalled", "warmup-failed", "package-mismatch")
_ARGUMENTS = ("tp_size", "page_size", "kv_cache_dtype", "model_path", "pp_size")
_ENGINES = ("mooncake", "nixl", "mori")
_CONFIRM = (
    Confirm("grep -m1 server_args= server.log", "the arguments of both, side by side"),
    Confirm(
        "pip list | grep -iE 'mooncake|nixl|sglang'",
        "the transfer engine's release on both",
        where="container",
    ),
)


@rule(_TOPIC, explains=_EXPLAINS)
def mismatched(incident: Incident) -> Iterator[Verdict]:
    """The server's own word; else failed transfers between engines of different releases."""
    said = in_time(incident.failures(_TOPIC))
    if said:
        yield _said(incident, said)
        return
    account = transfers(incident)
    if account is None or not account.harmed:
        return
    engines = _engines(incident)
    if engines:
        yield _different_engines(incident, engines)
    elif legs(incident):
        yield Cleared(
            "both legs' arguments and packages were compared as far as they are here", (account.lines[0].ref,)
        )


def _said(incident: Incident, said: list[Timed[ev.Failure]]) -> Found:
    first = said[0].event
    lines = tuple(t.ref for t in said)
    differing = _differing(incident)
    claims = [Claim(Part.EFFECT, first.text[:200], Status.ESTABLISHED, lines[:8])]
    numbers: list[Amount[Any]] = []
    for name, mine, theirs, leg in differing:
        text = f"{name} is {mine} on the {incident.launch.role} leg and {theirs} on the {leg.role} leg"
        refs = tuple(r for r in (incident.arguments.made_at, leg.arguments.made_at) if r is not None)
        claims.append(Claim(Part.LINK, text, Status.ESTABLISHED, refs))
        numbers += [a.called(f"{name}, {role}") for a, role in _counts(incident, name, leg) if a is not None]
    sides = "; ".join(c.text for c in claims[1:3])
    return Found(
        summary=f"prefill and decode do not match: {first.detail or first.text[:160]}"
        + (f" ({sides})" if sides else ""),
        claims=tuple(claims),
        explanation="The other leg only waits: it may show nothing at all.",
        numbers=tuple(numbers),
        lines=(*lines, *_threads(incident)),
        remedy=_remedies(differing),
        confirm=_CONFIRM,
        at=said[0].at,
        harm=True,
    )


def _counts(incident: Incident, name: str, leg: Launch) -> list[tuple[Amount[Any] | None, str]]:
    """A number that differs, on either side."""
    here, there = incident.arguments.amount(name, "count"), leg.arguments.amount(name, "count")
    return [(here, incident.launch.role), (there, leg.role)]


def _threads(incident: Incident) -> tuple[Any, ...]:
    """The dead threads whose exceptions these are."""
    return tuple(
        t.ref for t in incident.failures("pd-transfer-failed") if t.event.detail.endswith(("_worker", "_thread"))
    )


def _remedies(differing: list[Difference]) -> tuple[Remedy, ...]:
    if not differing:
        return (Remedy("fix", "give both legs the same sizes, types and release"),)
    return tuple(
        Remedy("fix", f"the same --{name.replace('_', '-')} on both legs", name, str(theirs), str(mine))
        for name, mine, theirs, _ in differing[:2]
    )


def _differing(incident: Incident) -> list[Difference]:
    mine = incident.arguments.made
    both = [(leg, leg.arguments.made, name) for leg in legs(incident) for name in _ARGUMENTS]
    return [
        (name, mine[name], theirs[name], leg)
        for leg, theirs, name in both
        if name in mine and name in theirs and _comparable(name, mine[name]) != _comparable(name, theirs[name])
    ]


def _comparable(name: str, value: Any) -> str:
    return PurePosixPath(str(value)).name if name == "model_path" else str(value)


def _engines(incident: Incident) -> dict[str, list[Timed[ev.PackageListed]]]:
    """Transfer engines that are listed in more than one version, by name."""
    found: dict[str, list[Timed[ev.PackageListed]]] = {}
    for item in incident.of(ev.PackageListed):
        if item.event.name.lower().startswith(_ENGINES):
            found.setdefault(item.event.name.lower(), []).append(item)
    return {
        n: items
        for n, items in found.items()
        if len({t.event.version for t in items}) > 1 and len({t.ref.source for t in items}) > 1
    }


def _different_engines(incident: Incident, engines: dict[str, list[Timed[ev.PackageListed]]]) -> Found:
    name, items = next(iter(engines.items()))
    versions = " against ".join(f"{t.event.version} ({t.ref.source})" for t in items)
    account = transfers(incident)
    failed = account.lines if account is not None else ()
    alive = [leg for leg in legs(incident) if leg.events and leg.events[-1].at is not None]
    return Found(
        summary=f"the legs run different releases of {name}: {versions}; every transfer fails",
        claims=(
            Claim(Part.DEMAND, f"{name}: {versions}", Status.ESTABLISHED, tuple(t.ref for t in items)),
            Claim(Part.EFFECT, failed[0].event.text[:200], Status.ESTABLISHED, tuple(t.ref for t in failed[:8])),
            Claim(Part.LINK, "the other leg lives, and nothing else between them differs", Status.SUPPORTED),
        )
        if failed and alive
        else (Claim(Part.LINK, f"{name}: {versions}", Status.HYPOTHESIS, tuple(t.ref for t in items)),),
        numbers=(units.counted(account.requests, tuple(t.ref for t in failed), "requests").called("failed requests"),)
        if account is not None and failed and account.requests
        else (),
        lines=(*(t.ref for t in items), *(t.ref for t in failed)),
        remedy=(Remedy("fix", f"install the same release of {name} on both legs"),),
        confirm=_CONFIRM,
        at=failed[0].at if failed else None,
        harm=True,
    )
