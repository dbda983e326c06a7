"""The whole flow on one screen: paths to a report."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from analyzer import bundle, launches, parsers, timeline, units
from analyzer.catalog import Catalog
from analyzer.contract import Report, Tool
from analyzer.diagnose import Reading, diagnose
from analyzer.errors import UsageError
from analyzer.incident import Given, Incident, hosts_of, neighbours_of, node_names
from analyzer.launches.clock import Clock
from analyzer.parsers.moments import moment
from analyzer.redact import Private, mask_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.launches import Launch

__all__ = ["Given", "analyse"]


def analyse(
    paths: Sequence[str],
    given: Given | None = None,
    command: str = "",
    *,
    on_bytes: Callable[[int], None] | None = None,
    private: Private | None = None,
) -> Report:
    """Reads all paths as one incident and says what happened.

    `given` are facts that the input lacks; `command` is recorded in the report; `on_bytes` hears of progress in bytes.
    Secrets and prompts are masked. `private` is told what else is not to be passed on, for a later `redact`.
    Unreadable paths are named in `coverage`. Raises `UnreadableError` where nothing at all could be read.
    """
    facts = given or Given()
    inputs = bundle.gather(paths)
    catalog = Catalog.load()
    sources = [parsers.parse(source, catalog, on_bytes=on_bytes) for source in inputs.sources]
    gathered = launches.launches(sources, release=facts.release, zone=facts.tz)
    known = private or Private()
    known.learn(inputs.sources, names=private is not None)
    _check_names(gathered.launches, facts)
    incidents = [_incident(launch, gathered.launches, facts) for launch in gathered.launches]
    reading = Reading(sources, inputs.errors, gathered.notes, given_facts(facts))
    tool = Tool("sglang-postmortem", tool_version(), command)
    report = diagnose(
        incidents, reading, tool, lambda refs: {ref: known.cover(text) for ref, text in inputs.lines(refs).items()}
    )
    return mask_secrets(report, known)


def _incident(launch: Launch, everyone: list[Launch], given: Given) -> Incident:
    laid_out = timeline.build(launch, _as_of(given))
    hosts = hosts_of(launch, laid_out, given)
    return Incident(launch, laid_out, hosts, given, neighbours_of(launch, everyone))


def _check_names(found: Sequence[Launch], given: Given) -> None:
    """A fact for a node that is not there is a mistake of the command line, not a fact to leave aside."""
    known = {name for launch in found for node in launch.nodes for name in node_names(launch, node)}
    wrong = [name for name in given.ram if name is not None and name.lower() not in known]
    if wrong:
        nodes = "; ".join(
            f"{node} ({', '.join(sources) or 'no log'})" for launch in found for node, sources in launch.nodes.items()
        )
        raise UsageError(f"--ram {wrong[0]}=…: no node is called {wrong[0]}; there are {nodes or 'none'}")


def _as_of(given: Given) -> float | None:
    stamp = moment(given.as_of) if given.as_of else None
    instant = Clock(None, None, None).instant(stamp)
    return instant.seconds if instant else None


def given_facts(given: Given) -> list[str]:
    """The facts given by hand, for the report."""
    found = [f"RAM{f' of {name}' if name else ''}: {units.shown(ram)}" for name, ram in given.ram.items()]
    found += [f"GPU memory: {units.shown(given.gpu_memory)}"] if given.gpu_memory is not None else []
    found += [f"GPUs: {given.gpus}"] if given.gpus is not None else []
    found += [f"SGLang {given.release}"] if given.release else []
    found += [f"as of {given.as_of}"] if given.as_of else []
    return found


def tool_version() -> str:
    """The installed version."""
    try:
        return version("sglang-postmortem")
    except PackageNotFoundError:
        return "0"
