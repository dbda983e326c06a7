"""The whole flow on one screen: paths to a report."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

from analyzer import bundle, launches, timeline, units
from analyzer.catalog import Catalog
from analyzer.contract import Report, Tool
from analyzer.diagnose import Reading, diagnose
from analyzer.errors import UsageError
from analyzer.incident import Given, Incident, hosts_of, neighbours_of, node_names
from analyzer.launches.clock import Clock, anchor, naive_span, parse_zone, printed
from analyzer.ledgers.own_limit import with_own_limits
from analyzer.parsers import apart
from analyzer.parsers.moments import moment
from analyzer.redact import Private, mask_secrets
from analyzer.tables.spill import Spill

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.evidence import Ref
    from analyzer.launches import Launch
    from analyzer.parsers.parsed import Parsed

__all__ = ["Given", "analyse"]


class Watch(Protocol):
    """Who is told of the reading, and may end it."""

    def begin(self, size: int | None) -> None:
        """The bytes that there are to read, where that is known."""
        ...

    def heard(self, size: int) -> bool:
        """So many bytes more have been read; `False` ends the reading, and what has been found is reported."""
        ...


def analyse(  # noqa: PLR0913 - each of them is left to its default by most
    paths: Sequence[str] | bundle.Bundle,
    given: Given | None = None,
    command: str = "",
    *,
    watch: Watch | None = None,
    workers: int = 0,
    private: Private | None = None,
) -> Report:
    """Reads all paths, or a bundle gathered from them, as one incident and says what happened.

    `given` are facts that the input lacks; `command` is recorded in the report; `watch` hears of the reading.
    Several files of middle size are read by so many `workers`.
    Secrets and prompts are masked. `private` is told what else is not to be passed on, for a later `redact`.
    Unreadable paths are named in `coverage`. Raises `UnreadableError` where nothing at all could be read,
    `UsageError` for a given fact that does not fit the input.
    """
    facts = given or Given()
    inputs = paths if isinstance(paths, bundle.Bundle) else bundle.gather(paths)
    if watch:
        watch.begin(inputs.size)
    with Spill() as spill:
        catalog, heard = Catalog.load(), watch.heard if watch else None
        sources = apart.read(inputs.sources, catalog, heard, spill, workers)
        return _report(inputs, sources, facts, command, private)


def _report(
    inputs: bundle.Bundle, sources: list[Parsed], facts: Given, command: str, private: Private | None
) -> Report:
    """What the sources say, judged."""
    gathered = launches.launches(sources, release=facts.release, zone=facts.tz)
    known = private or Private()
    known.learn(inputs.sources, names=private is not None)
    for origin in dict.fromkeys(name for source in sources for name in source.origins) if private else ():
        known.identities.name("host", origin)
    _check_names(gathered.launches, facts)
    as_of = _as_of(facts, sources)
    incidents = [_incident(launch, gathered.launches, facts, as_of) for launch in gathered.launches]
    _check_moment(incidents, facts, as_of)
    reading = Reading(sources, inputs.errors, [*gathered.notes, *_left_out(sources)], given_facts(facts))
    tool = Tool("sglang-postmortem", tool_version(), command)
    told = {source.name: source.told for source in sources if source.told}

    def quoted(refs: Iterable[Ref]) -> dict[Ref, str]:
        cited = set(refs)
        lines = inputs.lines(ref for ref in cited if ref.source not in told)
        lines |= {ref: told[ref.source] for ref in cited if ref.source in told}
        return known.cover(lines)

    return mask_secrets(diagnose(incidents, reading, tool, quoted), known)


def _incident(launch: Launch, everyone: list[Launch], given: Given, as_of: float | None) -> Incident:
    laid_out = timeline.build(launch, as_of)
    hosts = hosts_of(launch, laid_out, given)
    return with_own_limits(Incident(launch, laid_out, hosts, given, neighbours_of(launch, everyone)))


def _check_names(found: Sequence[Launch], given: Given) -> None:
    """A fact for a node that is not there is a mistake of the command line, not a fact to leave aside."""
    known = {name for launch in found for node in launch.nodes for name in node_names(launch, node)}
    wrong = [name for name in given.ram if name is not None and name.lower() not in known]
    if wrong:
        nodes = "; ".join(
            f"{node} ({', '.join(sources) or 'no log'})" for launch in found for node, sources in launch.nodes.items()
        )
        raise UsageError(f"--ram {wrong[0]}=…: no node is called {wrong[0]}; there are {nodes or 'none'}")


def _as_of(given: Given, sources: Sequence[Parsed]) -> float | None:
    """The given moment on the input's clock; a time of day is of the day on which the input ends."""
    if given.as_of is None:
        return None
    stamp = moment(given.as_of) or moment(f"{given.as_of}:00")  # a time may lack its seconds
    day = anchor(sources)
    zone = parse_zone(given.tz, day) if given.tz else None
    instant = Clock(day, naive_span(sources), zone).instant(stamp)
    return instant.seconds if instant else None


def _check_moment(incidents: Sequence[Incident], given: Given, as_of: float | None) -> None:
    """A log that goes on after the moment was not silent then."""
    ends = [found.timeline.life.at for found in incidents if found.timeline.life is not None]
    if as_of is not None and ends and all(as_of < end.seconds - end.slack for end in ends):
        last = printed(max(end.seconds for end in ends))
        raise UsageError(
            f"--as-of {given.as_of}: the log goes on until {last}; give a later time at which it was silent"
        )


def _left_out(sources: Sequence[Parsed]) -> list[str]:
    """What an excerpt says of itself."""
    return [
        f"{s.name} is an excerpt: it leaves out {s.left_out:,} lines of the original" for s in sources if s.left_out
    ]


def given_facts(given: Given) -> list[str]:
    """The facts given by hand, for the report."""
    found = [f"RAM{f' of {name}' if name else ''}: {units.shown(ram)}" for name, ram in given.ram.items()]
    found += [f"GPU memory: {units.shown(given.gpu_memory)}"] if given.gpu_memory is not None else []
    found += [f"GPUs: {given.gpus}"] if given.gpus is not None else []
    found += [f"SGLang {given.release}"] if given.release else []
    found += [f"as of {given.as_of}"] if given.as_of else []
    found += [f"times without a zone are of {given.tz}"] if given.tz else []
    return found


def tool_version() -> str:
    """The installed version."""
    try:
        return version("sglang-postmortem")
    except PackageNotFoundError:
        return "0"
