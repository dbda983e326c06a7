"""The way from bytes to a report by hand, so that a test can change what there is to read and reads the rest once."""

from __future__ import annotations

import functools
from contextlib import closing
from typing import TYPE_CHECKING

from analyzer import bundle, launches, parsers, timeline
from analyzer.bundle.source import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.contract import Tool
from analyzer.diagnose import Reading, diagnose
from analyzer.incident import Given, Incident, hosts_of, neighbours_of
from analyzer.ledgers.own_limit import with_own_limits
from analyzer.vocabulary import Kind, Role, Status
from tests.samples import CASES, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.contract import Report
    from analyzer.parsers import Parsed


@functools.cache
def catalog() -> Catalog:
    """The patterns, loaded once."""
    return Catalog.load()


def read(name: str, data: bytes) -> Parsed:
    """The facts of a file that holds these bytes."""
    return parsers.parse(Source(name, len(data), InMemory(data)), catalog())


@functools.cache
def files(sample: str) -> dict[str, bytes]:
    """What a sample's files hold, by name."""
    held = {}
    for source in bundle.gather([str(SAMPLES / sample)]).sources:
        with closing(source.open()) as stream:
            held[source.name] = stream.read(source.size)
    return held


@functools.cache
def sources(sample: str) -> tuple[Parsed, ...]:
    """The facts of all files of a sample, read once."""
    return tuple(read(name, data) for name, data in files(sample).items())


def answer(read_sources: Sequence[Parsed]) -> Report:
    """What the pipeline makes of sources that are read, without the text of the cited lines."""
    given, gathered = Given(), launches.launches(read_sources)
    incidents = []
    for launch in gathered.launches:
        laid_out = timeline.build(launch, None)
        hosts = hosts_of(launch, laid_out, given)
        made = Incident(launch, laid_out, hosts, given, neighbours_of(launch, gathered.launches))
        incidents.append(with_own_limits(made))
    return diagnose(incidents, Reading(read_sources), Tool("", "", ""), lambda _: {})


def accused(report: Report) -> frozenset[str]:
    """The causes and limits that a report blames; a guess blames nobody."""
    roles, kinds = {Role.ROOT, Role.CONTRIBUTING}, {Kind.CAUSE, Kind.LIMIT}
    found = [f for f in report.findings if f.role in roles and f.kind in kinds]
    return frozenset(f.id for f in found if Status(f.status).strength >= Status.SUPPORTED.strength)


@functools.cache
def blamable(sample: str) -> frozenset[str]:
    """What a sample knows of when it is whole: its answer and whatever follows from that."""
    case, whole = CASES[sample], answer(sources(sample))
    related = {f.id for f in whole.findings if f.role != Role.BYSTANDER}
    return frozenset(related | {*case.root, *case.found, *case.may})
