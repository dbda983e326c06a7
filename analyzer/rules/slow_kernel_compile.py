"""Kernels are compiled at run time, and everything waits for it.

What it is. DeepGEMM, Triton, flashinfer, inductor or aiter build kernels that no cache holds: during the launch
(inside graph capture or the first request), or when the first real batch needs a shape that was never built.

How it shows. `Entering DeepGEMM JIT Pre-Compile session. It may take a long time (typically 10-20 mins)`, `DeepGEMM
warmup: 37%|…`, `start build […]` and `finish build […], cost 58.2s`, `Triton kernel … took 41.87 s to compile after
serving started`; health checks that fail meanwhile, over a heartbeat that moves.

What it is mistaken for. A hang in graph capture; a stalled scheduler (its heartbeat stands still and nothing comes
after); a crash, since probes may end a server that merely compiles.

What confirms and refutes it. The bars move, or a `finish build` line follows; `ps` shows compilers (nvcc, cicc,
ptxas, clang); the second launch is fast.

How it is fixed. Compile before serving (`python -m sglang.compile_deep_gemm …`), keep the cache directories on a
volume, and let probes allow the longest compilation.

Since and until which release. DeepGEMM's session since 0.4.5; Triton's line about serving since 0.5.18.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.durations import between
from analyzer.ledgers.health import beat, recovered
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Phase, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_LATE = units.assumed("300", "s", "a launch that has compiled for five minutes is late against any usual one")
_LONG = units.assumed("10", "s", "shorter builds are lost among requests")
_AFTER = 60.0  # seconds after a failed check in which the build that it met may say that it ended
_CONFIRM = (
    Confirm("ps aux | grep -E 'nvcc|cicc|ptxas|clang|ninja' | head", "whether compilers run", where="container"),
    Confirm(
        "ls -lt ~/.cache ~/.triton/cache ~/.aiter 2>/dev/null | head", "whether the caches grow", where="container"
    ),
)
_REMEDY = (
    Remedy("mitigate", "wait: a build ends by itself, and its result is kept in a cache"),
    Remedy(
        "fix",
        "build before serving (python3 -m sglang.compile_deep_gemm, same arguments; a warm-up of the usual shapes)",
    ),
    Remedy(
        "prevent",
        "keep the cache directories on a volume that outlives the container; let probes allow the longest build",
    ),
)


@rule("slow-kernel-compile", explains=("launch-stalled", "scheduler-stalled", "warmup-failed"))
def slow(incident: Incident) -> Iterator[Verdict]:
    """A launch that has compiled for minutes and still does; else builds that made health checks fail while serving."""
    builds = incident.of(ev.KernelCompile)
    if not builds:
        return
    if endings.past_launch(incident):
        yield from _serving(incident, builds)
    elif incident.timeline.progress is not None and incident.timeline.progress.what == "KernelCompile":
        yield from _launching(incident, builds)


def _launching(incident: Incident, builds: list[Timed[ev.KernelCompile]]) -> Iterator[Verdict]:
    last, first = incident.timeline.progress, builds[0]
    if last is None or last.ref is None or first.at is None or endings.first_error(incident) is not None:
        return
    if endings.kill(incident) is not None and endings.probed(incident) is None:
        return
    spent = between((first.at, first.ref), (last.at, last.ref), "time spent compiling so far")
    if not _LATE.surely_below(spent):
        yield Cleared(f"kernels were compiled for {units.shown(spent)}", (first.ref, last.ref))
        return
    phase = incident.timeline.phase() or Phase.GRAPH_CAPTURE
    bars = [t for t in builds if t.event.done is not None and t.event.total is not None]
    yield Found(
        summary=f"{first.event.what} compiles kernels in {phase}, for {units.shown(spent)} so far{_bar(bars)}",
        claims=(
            Claim(Part.EFFECT, first.event.text[:160], Status.ESTABLISHED, (first.ref, last.ref)),
            Claim(Part.LINK, "the last signs of progress are the compiler's", Status.ESTABLISHED, (last.ref,)),
        ),
        explanation="It advances: the bar of the kernel in hand moves, and each kernel has a bar of its own.",
        numbers=(spent, *_bar_figures(bars)),
        lines=tuple(dict.fromkeys((first.ref, *(t.ref for t in bars[-1:]), last.ref))),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=first.at,
    )


def _bar(bars: list[Timed[ev.KernelCompile]]) -> str:
    if not bars or bars[-1].event.done is None or bars[-1].event.total is None:
        return ""
    return f"; the kernel in hand is at {units.shown(bars[-1].event.done)} of {units.shown(bars[-1].event.total)}"


def _bar_figures(bars: list[Timed[ev.KernelCompile]]) -> tuple[Amount[Any], ...]:
    if not bars or bars[-1].event.done is None or bars[-1].event.total is None:
        return ()
    lines = tuple(dict.fromkeys(t.ref for t in bars))
    seen = len({t.ref.line for t in bars})
    return (
        bars[-1].event.done.called("done of the kernel in hand"),
        bars[-1].event.total.called("shapes of the kernel in hand"),
        units.counted(seen, lines, "bars").called("kernels seen"),
    )


def _serving(incident: Incident, builds: list[Timed[ev.KernelCompile]]) -> Iterator[Verdict]:
    """Long builds after ready: with failed health checks around them they did harm."""
    long_ones = [t for t in builds if _long_while_serving(incident, t)]
    checks = [t for t in recovered(incident) if any(_meets(t, build) for build in long_ones)]
    if not long_ones:
        return
    longest = max((t.event.elapsed for t in long_ones if t.event.elapsed is not None), key=lambda a: a.value)
    if not checks:
        yield Cleared(
            f"kernels were compiled while serving, {units.shown(longest)} at most, and no health check failed",
            (long_ones[0].ref,),
        )
        return
    lines = tuple(t.ref for t in checks)
    what = ", ".join(dict.fromkeys(t.event.what for t in long_ones))
    beats = {t.event.heartbeat for t in checks}
    yield Found(
        summary=f"{what} compiled kernels while serving, {units.shown(longest)} at most: "
        f"{len(checks)} health checks failed, and work went on after each",
        claims=(
            Claim(Part.EFFECT, long_ones[0].event.text[:160], Status.ESTABLISHED, tuple(t.ref for t in long_ones[:8])),
            Claim(Part.LINK, f"{len(beats)} different heartbeats: the scheduler lived", Status.ESTABLISHED, lines[:8]),
        ),
        numbers=(
            longest.called("longest build"),
            units.counted(len(checks), lines, "health checks").called("failed health checks"),
            units.counted(len(beats), lines, "heartbeats").called("different heartbeats"),
        ),
        lines=(*lines, *(t.ref for t in long_ones)),
        remedy=_REMEDY,
        confirm=_CONFIRM,
        at=long_ones[0].at,
        harm=True,
    )


def _meets(check: Timed[ev.HealthFailed], build: Timed[ev.KernelCompile]) -> bool:
    """Whether a check failed while a build ran: between its begin (its end less what it took) and shortly after it."""
    since = beat(check)
    if check.at is None or build.at is None or build.event.elapsed is None or since is None:
        return False
    return since.seconds <= build.at.seconds <= check.at.seconds + _AFTER


def _long_while_serving(incident: Incident, build: Timed[ev.KernelCompile]) -> bool:
    """Whether one kernel took long to build after the server was ready."""
    took, ready = build.event.elapsed, incident.timeline.ready
    if took is None or build.event.total is not None or not _LONG.surely_below(took):
        return False
    return ready is not None and ready.at is not None and build.at is not None and build.at.seconds >= ready.at.seconds
