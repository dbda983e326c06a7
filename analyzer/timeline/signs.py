"""Signs of life, of progress, and of time going on outside: what silence is measured between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.evidence import Instant
from analyzer.timeline.model import Sign
from analyzer.timeline.phases import MILESTONES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.evidence import Ref
    from analyzer.launches import Launch, Timed

# A server that only answers "not yet", polls or retries is alive but makes no progress.
_STEPS = tuple(kind for kind in MILESTONES if kind is not ev.StopRequested)
_PROGRESS = (*_STEPS, ev.KernelCompile, ev.ProgressLine, ev.RequestsRetracted, ev.HostPoolSized)
_NO_CLOCK = (ev.ProcessListed, ev.PackageListed, ev.HostNote, ev.ReleaseStated, ev.CommandLine)
_SERVING_TABLES = ("DecodeBatch", "PrefillBatch")
# Whose frames carry no header: a frame was drawn its own elapsed time after what began the bar.
_BARS: dict[type[ev.Event], type[ev.Event]] = {
    ev.ShardsProgress: ev.WeightLoadBegun,
    ev.GraphCaptureProgress: ev.GraphCaptureBegun,
    ev.KernelCompile: ev.KernelCompile,
}


# One prefill and one decode line of a process can be the server's own first request, which is a few tokens long:
# even one for each of many replicas, with a picture, is far below so many tokens.
_WARM_UP_ROWS, _WARM_UP_TOKENS = 2, 16384


def batch_times(launch: Launch) -> list[tuple[float, Ref]]:
    """First and last batch line of the launch: time and line, undated ones left out."""
    return sorted(end for name in _SERVING_TABLES for end in _ends(launch, name))


def _ends(launch: Launch, table: str) -> tuple[tuple[float, Ref], ...]:
    """The first of the earliest and the last of the latest dated rows."""
    found = launch.summary(table)
    return found.ends if found else ()


def progress(launch: Launch, batches: Sequence[tuple[float, Ref]]) -> Sign | None:
    """The last line that shows launch or serving advance."""
    signs = list(_advances(launch))
    signs += [Sign(Instant(at), ref, "batch") for at, ref in batches[-1:]]
    return _latest(signs)


def _advances(launch: Launch) -> Iterator[Sign]:
    begun: dict[tuple[str, type[ev.Event]], float] = {}
    for item in launch.events:
        kind = type(item.event)
        if item.at is None or not isinstance(item.event, _PROGRESS):
            continue
        sign = _sign(item)
        frame = kind in _BARS and not item.event.where.direct and getattr(item.event, "total", None) is not None
        elapsed = getattr(item.event, "elapsed", None)
        if frame and elapsed is not None:
            drawn = begun.get((item.node, _BARS[kind]), item.at.seconds) + elapsed.number()
            sign = Sign(Instant(max(drawn, item.at.seconds), item.at.slack), sign.ref, sign.what)
        elif not frame:
            begun[item.node, kind] = item.at.seconds
        yield sign


def beyond_warm_up(launch: Launch) -> bool:
    """Whether its batch lines are more, or a batch is larger, than the server's own first request makes them."""
    return launch.once("beyond warm-up", lambda: _busiest(launch) > _WARM_UP_ROWS or _tokens(launch) > _WARM_UP_TOKENS)


def _tokens(launch: Launch) -> float:
    """The most tokens in use that a decode line shows."""
    decoded = launch.summary("DecodeBatch")
    column = decoded.columns.get("tokens_token") if decoded else None
    return column.most if column else 0.0


def _busiest(launch: Launch) -> int:
    """The most batch lines that one process of the launch printed in one table."""
    found = [launch.summary(name) for name in _SERVING_TABLES]
    return max((count for summary in found if summary for count in summary.ranks.values()), default=0)


def life(launch: Launch, batches: Sequence[tuple[float, Ref]]) -> Sign | None:
    """The last dated line of the server itself."""
    signs = [*(_sign(t) for t in launch.events if t.at), *_advances(launch)]
    signs += [Sign(Instant(at), ref, "batch") for at, ref in batches[-1:]]
    return _latest(signs)


def _answers(launch: Launch) -> Iterator[Sign]:
    """The last line of the access log: a server that answers `not yet` shows that time goes on."""
    yield from (Sign(Instant(at), ref, "Access") for at, ref in _ends(launch, "Access")[1:])


def clock(launch: Launch, as_of: float | None) -> Sign | None:
    """The latest moment shown by anything: probes, snapshots, kernels, the user, or the server's own idle lines."""
    signs = [_sign(t) for t in launch.outside if t.at and not isinstance(t.event, _NO_CLOCK)]
    signs += [_sign(t) for t in launch.events if t.at and not isinstance(t.event, _PROGRESS)]
    signs += _answers(launch)
    if as_of is not None:
        signs.append(Sign(Instant(as_of), None, "given"))
    return _latest(signs)


def _sign(item: Timed[ev.Event]) -> Sign:
    assert item.at is not None  # noqa: S101 - callers filter
    return Sign(item.at, item.ref, type(item.event).__name__)


def _latest(signs: Iterable[Sign]) -> Sign | None:
    return max(signs, key=lambda s: s.at.seconds, default=None)
