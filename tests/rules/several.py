"""Launches over several nodes, and the two legs of one deployment, laid out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import analyzer.rules  # noqa: F401 - registers the rules
from analyzer import timeline
from analyzer.events import ArgumentsPrinted
from analyzer.incident import Given, Incident, hosts_of
from analyzer.launches.arguments import from_events
from analyzer.rule import RULES
from tests.build import launch, timed, where

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.launches import Launch
    from analyzer.verdict import Verdict


def printed(source: str, **values: Any) -> ArgumentsPrinted:
    """The `server_args` line of one node's log."""
    return ArgumentsPrinted(where=where(1, "10:00:00", source=source), values=values)


def over_nodes(*nodes: tuple[Event, ...], as_of: str | None = None) -> Incident:
    """One launch: the first tuple holds node n0's events, the second n1's, and so on."""
    made = launch()
    made.nodes = {f"n{i}": (f"node{i}.log",) for i in range(len(nodes))}
    made.events = [timed(event, f"n{i}") for i, events in enumerate(nodes) for event in events]
    made.events.sort(key=lambda t: t.at.seconds if t.at else 0.0)
    made.arguments = from_events([t.event for t in made.events if isinstance(t.event, ArgumentsPrinted)], [])
    return _incident(made, (), as_of)


def legs(prefill: Launch, decode: Launch) -> tuple[Incident, Incident]:
    """The two legs of one deployment, each with the other as its neighbour."""
    prefill.role, decode.role = "prefill", "decode"
    return _incident(prefill, (decode,), None), _incident(decode, (prefill,), None)


def _incident(made: Launch, neighbours: tuple[Launch, ...], as_of: str | None) -> Incident:
    from tests.build import instant

    laid_out = timeline.build(made, instant(as_of).seconds if as_of else None)
    return Incident(made, laid_out, hosts_of(made, laid_out, Given()), Given(), neighbours)


def judged(rule: str, incident: Incident) -> list[Verdict]:
    """All verdicts of a rule on such an incident."""
    return list(RULES[rule].run(incident))
