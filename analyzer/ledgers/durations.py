"""How long things take: shards per second and time left, a probe's budget, how long silence may mean nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.immutable import immutable
from analyzer.ledgers.endings import complaints, past_launch, waited_for
from analyzer.ledgers.health import fired, frozen
from analyzer.ledgers.host_pinning import pinning_times
from analyzer.units import Amount, Measured, Second
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from analyzer.evidence import Instant, Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import One

_LEAST = units.assumed("240", "s", "no phase that reports its steps is silent for four minutes")
_COMPILING = units.assumed(
    "1800", "s", "SGLang announces 10 to 20 minutes for compiling kernels, and one kernel may take long"
)
_FRAMES = units.assumed(
    "20", "count", "a bar that moves draws a frame per shard; twenty shards' time without one is a stop"
)


@immutable
class Load:
    """A shard bar: what is done, how long one shard takes, and what that makes of the rest."""

    done: Amount[One]
    total: Amount[One]
    spent: Amount[Second]
    first: Timed[ev.ShardsProgress]
    last: Timed[ev.ShardsProgress]

    @property
    def each(self) -> Amount[Second]:
        """Seconds per shard so far."""
        return (self.spent / self.done).called("seconds per shard")

    @property
    def whole(self) -> Amount[Second]:
        """What all shards take at that rate."""
        return (self.each * self.total.called("shards")).called("the whole load at this rate")

    @property
    def left(self) -> Amount[Second]:
        """What is still to come at that rate."""
        rest = (self.total.called("shards") - self.done.called("shards loaded")).called("shards left")
        return (self.each * rest).called("time left")

    @property
    def lines(self) -> tuple[Ref, ...]:
        """The first and the last frame."""
        return tuple(dict.fromkeys((self.first.ref, self.last.ref)))


def load(incident: Incident) -> Load | None:
    """The largest shard bar of the launch, where it moved at all."""
    made = [m for t in incident.of(ev.ShardsProgress) if (m := _frame(t)) is not None]
    largest = max((m.total.value for m in made), default=None)
    mine = [m for m in made if m.total.value == largest]
    return Load(mine[-1].done, mine[-1].total, mine[-1].spent, mine[0].first, mine[-1].last) if mine else None


def _frame(item: Timed[ev.ShardsProgress]) -> Load | None:
    done, total, spent = item.event.done, item.event.total, item.event.elapsed
    if done is None or total is None or spent is None or done.value <= 0 or spent.value <= 0:
        return None
    return Load(done, total, spent.called("time spent on them"), item, item)


def between(first: tuple[Instant, Ref], last: tuple[Instant, Ref], name: str) -> Amount[Second]:
    """The time from one dated line to another."""
    seconds = Fraction(last[0].seconds - first[0].seconds).limit_denominator(1000)
    slack = Fraction(first[0].slack + last[0].slack).limit_denominator(1000)
    origin = Measured("last", "stamps", 2, first[1], last[1])
    return Amount(seconds, "s", origin, slack, name=name)


def budget(settings: ev.ProbeSettings) -> Amount[Second] | None:
    """How long an orchestrator's probe waits before it acts: its delay, then so many failures, one period apart."""
    if settings.period is None or settings.failures is None:
        return None
    waits = settings.period * settings.failures
    total = settings.delay + waits if settings.delay is not None and settings.delay.value > 0 else waits
    return total.called(f"what the {settings.probe} probe allows")


def patience(incident: Incident, phase: Phase | None) -> Amount[Any]:
    """How long no line of progress may mean nothing, in the phase where the launch stands.

    A bar that moves sets its own pace; a compiler, pinning and a load without a bar are quiet by nature.
    """
    last = incident.timeline.progress
    if last is not None and last.what == "KernelCompile":
        return _COMPILING
    if phase is Phase.WEIGHT_LOAD and (moving := load(incident)) is not None:
        return units.most([_LEAST, moving.each * _FRAMES])
    if phase is Phase.HOST_POOL:
        return units.most([_LEAST, *pinning_times(incident)])
    usual = knowledge.usual_duration(phase) if phase is not None else None
    return units.most([_LEAST, usual.high]) if usual is not None else _LEAST


def stands_still(incident: Incident) -> bool:
    """Whether no work is done any more: by a watchdog, a heartbeat, probes or a person; before ready by a clock."""
    if fired(incident) or frozen(incident) is not None:
        return True
    if past_launch(incident):
        return bool(complaints(incident)) or waited_for(incident)
    return (incident.timeline.silence or 0.0) >= patience(incident, incident.timeline.phase()).number()
