"""What a launch's log ends with: an error line that nothing explains, or a launcher's word that the server ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.ledgers.endings import ends_it, retried

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.incident import Incident
    from analyzer.launches import Timed

_TABLES = ("DecodeBatch", "PrefillBatch", "Access")
_GOES_ON = lazy(r"(?i)fall(?:ing|s)?[ -]?back|\bretry|\bretries|\bskipp|\bignor|\binstead\b|\bdisabl|\bwarning\b")
_SIGNALS = frozenset({0, 9, -9, 15, -15, 137, 143})  # an end without an error, or by a signal: told of elsewhere


def last_words(incident: Incident) -> Timed[Any] | None:
    """The first of the error lines behind everything else that a log of this launch says; `None` where none is.

    A wording that came before, and was survived, is no last word, nor is one that says how it goes on; a liveness probe
    that failed is one, as others fail while a server launches.
    """
    lines = (t for t in incident.of(ev.ErrorLine) if t.event.count == 1)
    errors: list[Timed[Any]] = [t for t in lines if not _GOES_ON.search(t.event.text)]
    errors += [t for t in incident.of(ev.ProbeFailed) if t.event.probe.lower() == "liveness"]
    errors += [t for t in incident.of(ev.Failure) if retried(t.event)]
    return _behind_all(incident, errors)


def failing_probe(incident: Incident) -> Timed[ev.ProbeFailed] | None:
    """A liveness probe that failed at a time nobody tells, by another source's word."""
    probes = [t for t in incident.of(ev.ProbeFailed) if t.event.probe.lower() == "liveness" and t.at is None]
    return next((t for t in probes if t.ref.source not in incident.launch.sources), None)


def ended_elsewhere(incident: Incident) -> Timed[ev.ExitCode] | None:
    """An exit code that another source tells of, not dated before the launch's last step: its own, or another's."""
    last = incident.timeline.progress
    codes = [t for t in incident.of(ev.ExitCode) if t.event.code is not None and _failed(t.event.code.number())]
    codes = [t for t in codes if t.ref.source not in incident.launch.sources]
    return next((t for t in codes if t.at is None or last is None or t.at.seconds >= last.at.seconds), None)


def reported_end(incident: Incident) -> Timed[ev.ExitCode] | None:
    """The word of whoever started the server that it ended by itself, behind everything else in the same log."""
    codes = [t for t in incident.of(ev.ExitCode) if not t.event.oom and _own(t.event)]
    return _behind_all(incident, codes)


def _own(event: ev.ExitCode) -> bool:
    return "process" in event.reason or "server" in event.reason if event.code is None else _failed(event.code.number())


def _failed(code: float) -> bool:
    return int(code) not in _SIGNALS


def _behind_all(incident: Incident, items: Iterable[Timed[Any]]) -> Timed[Any] | None:
    sources = set(incident.launch.sources)
    found = [t for t in items if t.ref.source in sources and ends_it(incident, t)]
    found.sort(key=lambda t: t.written)
    until = {name: _said_until(incident, name) for name in {t.ref.source for t in found}}
    return next((t for t in found if t.written > until[t.ref.source]), None)


def _said_until(incident: Incident, source: str) -> float:
    """The last place in a source where it says anything but that something failed."""
    mine = [t for t in incident.launch.events if t.ref.source == source]
    lines = [line for t in mine if not _error(t.event) for line in (t.ref.line, t.ref.last_line)]
    tables = [found for name in _TABLES if (found := incident.launch.summary(name)) is not None]
    lines += [line for table in tables for line in table.lines.get(source, ())]
    return max((incident.launch.written(source, line) for line in lines), default=float("-inf"))


def _error(event: ev.Event) -> bool:
    return isinstance(event, ev.ErrorLine) or (isinstance(event, ev.Failure) and retried(event))
