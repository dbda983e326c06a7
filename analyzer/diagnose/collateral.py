"""Consequences folded under the root, and error lines that nothing explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import contract
from analyzer import events as ev
from analyzer.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.diagnose.lines import Lines
    from analyzer.diagnose.roles import Placed
    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed

# Always a consequence of something else; which, the root says.
_FOLDED: dict[type[ev.Event], str] = {
    ev.ChildFailed: "the parent received SIGQUIT from a child",
    ev.InitializationFailed: "initialization failed",
    ev.RankDead: "the parent found a rank dead",
    ev.TreeKilled: "SGLang killed its own process tree",
    ev.KilledPrinted: "a shell or the parent printed that a process was killed",
    ev.HealthFailed: "health checks failed",
    ev.RequestAborted: "requests were aborted",
    ev.ShutdownStep: "steps of a shutdown",
}
_ERRORS = (ev.ErrorLine, ev.Failure, ev.ExceptionRaised, ev.GpuOutOfMemory)
_SHOWN = 40


def folded(incident: Incident, placed: Sequence[Placed], lines: Lines) -> list[contract.Collateral]:
    """What follows from the root, by kind: how many lines, which processes, the first of them."""
    claimed = _claimed(placed)
    groups: dict[str, list[Timed[Any]]] = {}
    for item in incident.launch.events:
        text = _FOLDED.get(type(item.event))
        if text is not None and item.ref not in claimed:
            groups.setdefault(text, []).append(item)
        elif isinstance(item.event, ev.ExceptionRaised) and item.ref not in claimed and _another(item, placed):
            groups.setdefault(f"{item.event.type} in other processes", []).append(item)
    return [_collateral(text, items, lines) for text, items in groups.items()]


def _another(item: Timed[Any], placed: Sequence[Placed]) -> bool:
    at = _root_time(placed)
    return at is not None and item.at is not None and item.at.seconds >= at


def _root_time(placed: Sequence[Placed]) -> float | None:
    """When the root took effect; what merely stands by dates nothing."""
    root = next((p.found for p in placed if p.role is Role.ROOT), None)
    return root.at.seconds if root is not None and root.at is not None else None


def _collateral(text: str, items: list[Timed[Any]], lines: Lines) -> contract.Collateral:
    processes = sorted({t.process for t in items})
    return contract.Collateral(text, sum(t.event.count for t in items), processes[:16], lines.id(items[0].ref))


def _claimed(placed: Iterable[Placed]) -> frozenset[Ref]:
    return frozenset(r for p in placed for r in (*p.found.lines, *(x for c in p.found.claims for x in c.lines)))


def unexplained(incident: Incident, placed: Sequence[Placed], lines: Lines) -> list[contract.Unexplained]:
    """Error lines that no finding claims and that are no consequence of the root, most frequent first."""
    claimed = {(r.source, r.line) for r in _claimed(placed)}
    ended = _root_time(placed)
    counts: dict[str, tuple[Ref, int]] = {}
    for item in incident.launch.events:
        if not isinstance(item.event, _ERRORS) or (item.ref.source, item.ref.line) in claimed:
            continue
        if ended is not None and item.at is not None and item.at.seconds >= ended:
            continue
        key = item.event.text[:120]
        ref, count = counts.get(key, (item.ref, 0))
        counts[key] = (ref, count + item.event.count)
    most = sorted(counts.values(), key=lambda pair: -pair[1])[:_SHOWN]
    return [contract.Unexplained(lines.id(ref), count) for ref, count in most]
