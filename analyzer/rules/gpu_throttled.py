"""A GPU runs below its clocks, and in a tensor-parallel group the others wait for it.

What it is. Heat, a power brake, a power cap or pending repairs make the driver lower the clocks of one card or of all.
Every layer ends in a collective, so the slowest card sets the pace while the others spin at 100% utilisation.

How it shows. `HW Slowdown: Active`, `HW Thermal Slowdown`, `HW Power Brake Slowdown` in `nvidia-smi -q`; an SM clock
far below the maximum on a busy card; one card hotter, or drawing less power, than its neighbours; throughput far below
the same run's own at the same load.

What it is mistaken for. A full KV pool or a cap (then requests wait), longer contexts (then tokens grow), a slow host.
`SW Power Cap` alone is normal under full load; low clocks of an idle card are normal too.

What confirms and refutes it. `nvidia-smi -q -d CLOCK,PERFORMANCE,TEMPERATURE,POWER` of all cards under load.

How it is fixed. Cooling, power supply, the power limit; the card drained and checked if it stays slow.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.throughput import Drop, sustained_drop
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_HARMFUL = ("hw slowdown", "thermal", "power brake", "hw_slowdown", "hw_thermal", "sw_thermal", "power_brake")
_SLOW = assumed("0.6", "ratio", "a busy card under its power limit rarely runs below this share of its clock")
_BUSY = assumed("0.5", "ratio", "idle cards lower their clocks")
_CONFIRM = (
    Confirm("nvidia-smi -q -d CLOCK,PERFORMANCE,TEMPERATURE,POWER", "which card is slow, and why, under load"),
    Confirm("nvidia-smi dmon -s pct -c 30", "clocks, power and temperature of all cards side by side"),
)
_REMEDY = (
    Remedy("mitigate", "serve on the other cards or on another node until it is repaired"),
    Remedy(
        "fix",
        "check airflow, power supply and power limit of the card; drain and reset it; replace it if it stays slow",
    ),
    Remedy("prevent", "alert on throttle reasons and on SM clocks under load"),
)


@rule("gpu-throttled", explains=("rank-straggler",))
def throttled(incident: Incident) -> Iterator[Verdict]:
    """A listing that shows a harmful reason or a low clock; the run's own throughput tells whether it hurt."""
    listed = incident.of(ev.GpuListed)
    slow = [t for t in listed if _harmful(t.event) or _slow(t.event)]
    if slow and incident.ready:
        yield _found(incident, slow)
    elif listed and any(t.event.clock is not None for t in listed):
        yield Cleared("the listed GPUs run at their clocks", (listed[0].ref,))


def _harmful(event: ev.GpuListed) -> bool:
    return any(word in event.throttle.lower() for word in _HARMFUL)


def _slow(event: ev.GpuListed) -> bool:
    """A busy card far below its clock: one that gives a reason, or is shown to be used."""
    if event.clock is None or event.clock_limit is None:
        return False
    busy = event.utilisation is not None and event.utilisation.value >= _BUSY.value
    return (busy or bool(event.throttle)) and event.clock.surely_below(event.clock_limit * _SLOW)


def _found(incident: Incident, slow: list[Timed[ev.GpuListed]]) -> Found:
    drop = sustained_drop(incident)
    complained = [t for t in incident.of(ev.Complaint) if t.event.topic == "slow"]
    cards = [_Card(incident, t) for t in slow[:8]]
    lines = tuple(dict.fromkeys((*(t.ref for t in slow), *(t.ref for c in cards for t in c.seen))))
    numbers: list[Amount[Any]] = [n for c in cards for n in c.numbers]
    text = "; ".join(c.text for c in cards[:3])
    return Found(
        summary=f"{text}{_dropped(drop)}",
        claims=(
            Claim(Part.LIMIT, text, Status.ESTABLISHED, lines[:8]),
            _effect(drop, complained),
        ),
        explanation="Ranks meet in a collective at every layer: the slowest card sets the pace of its group.",
        numbers=(*numbers, *((drop.times,) if drop is not None else ())),
        lines=(*lines, *(drop.lines if drop is not None else ()), *(t.ref for t in complained)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=drop.at if drop is not None else slow[0].at,
        harm=drop is not None or bool(complained),
        not_known=()
        if drop is not None
        else ("whether the server became slower by it: no throughput before and after",),
    )


def _dropped(drop: Drop | None) -> str:
    return f"; {drop.text}" if drop is not None else ""


def _effect(drop: Drop | None, complained: list[Timed[ev.Complaint]]) -> Claim:
    if drop is not None:
        return Claim(Part.EFFECT, drop.text, Status.SUPPORTED, drop.lines)
    if complained:
        return Claim(Part.EFFECT, complained[0].event.text[:160], Status.SUPPORTED, (complained[0].ref,))
    return Claim(Part.EFFECT, "no line shows that the server became slower", Status.HYPOTHESIS)


class _Card:
    """One slow card in words and numbers, with what other listings say of the same card."""

    def __init__(self, incident: Incident, item: Timed[ev.GpuListed]) -> None:
        event = item.event
        self.seen = [t for t in incident.of(ev.GpuListed) if t is not item and _same(t.event, event)]
        index = next((t.event.index for t in self.seen if t.event.index.isdigit()), event.index)
        heat = event.temperature or next(
            (t.event.temperature for t in self.seen if t.event.temperature is not None), None
        )
        parts = (
            [f"at {units.shown(event.clock)} of {units.shown(event.clock_limit)} MHz"]
            if event.clock and event.clock_limit
            else []
        )
        parts += [f"{units.shown(heat)} °C"] if heat is not None else []
        parts += [event.throttle] if event.throttle else []
        self.text = f"GPU {index} runs below its clocks ({', '.join(parts)})"
        self.numbers = [
            amount.called(f"{name} of GPU {index}")
            for amount, name in (
                (event.clock, "SM clock (MHz)"),
                (event.clock_limit, "highest SM clock (MHz)"),
                (heat, "°C"),
            )
            if amount is not None
        ]


def _same(one: ev.GpuListed, other: ev.GpuListed) -> bool:
    """Whether two rows are of one card: the same index, or the bus id of one in the other's line."""
    return bool(other.index) and (one.index == other.index or (":" in other.index and other.index in one.text))
