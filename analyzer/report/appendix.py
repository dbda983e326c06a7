"""What stands at the end of a report: ruled out, unknown, unexplained, capacity, processes, coverage."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from analyzer.report.groups import Group, alike
from analyzer.report.page import Look, heading, paragraph, quote, sided
from analyzer.report.select import place, places, quoted_text, spans
from analyzer.report.summary import where
from analyzer.report.units import counted, figure
from analyzer.units.shown import binary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from analyzer.contract import Capacity, Figure, Host, Launch, Measure, PhaseSpan, Report, Series, Source, Topology

MOST_UNEXPLAINED = 20
MOST_GROUPS = 16
MOST_RANGES = 8


def ruled_out(report: Report, look: Look) -> list[Text]:
    """What was looked at and is not it, with the reason."""
    page = heading("Ruled out", look) if report.cleared else []
    for cleared in report.cleared:
        page += sided([(cleared.id, "bold"), f": {cleared.why}"], places(report, cleared.lines), look, 0, 2)
    return page


def could_not_tell(report: Report, look: Look) -> list[Text]:
    """What could not be checked, what it would need, and the command that supplies it."""
    page = heading("Could not be checked", look) if report.unknown else []
    for unknown in report.unknown:
        page += paragraph([(unknown.id, "bold"), f": needs {unknown.needs}"], look, 0, 2)
        for check in unknown.confirm:
            page += paragraph([f"{check.command}  ({where(check)})"], look, 4, 2)
    return page


def to_run(report: Report, look: Look) -> list[Text]:
    """The commands that would settle what is open, the most deciding first: the last thing that is read."""
    page = heading("Run next, what decides most first", look) if report.next else []
    for number, step in enumerate(report.next, 1):
        page += paragraph([f"{number}. ", (step.command, "bold"), f"  ({where(step)})"], look, 0, 3)
        settles = f" ({', '.join(step.findings)})" if step.findings else ""
        page += paragraph([f"{step.decides}{settles}"], look, 3, 3)
    return page


def unexplained(report: Report, look: Look) -> list[Text]:
    """Error lines that no finding explains."""
    if not report.unexplained:
        return []
    page = heading("Error lines that nothing above explains", look)
    for entry in report.unexplained[:MOST_UNEXPLAINED]:
        count = f"{entry.count} × " if entry.count > 1 else ""
        text = quoted_text(report, entry.line) if entry.line in report.lines else entry.line
        page += quote([count, (f"{place(report, entry.line) or ''}  ", "bold")], text, look)
    more = len(report.unexplained) - MOST_UNEXPLAINED
    return page + (paragraph([f"and {more} more"], look) if more > 0 else [])


def launch_facts(report: Report, launch: Launch, look: Look) -> list[Text]:
    """Release, topology, arguments, capacity and machines."""
    page = heading(f"{launch.server.name} ({launch.server.role}), {launch.id}", look)
    folded = {figure_.name for figure_ in launch.serving}  # a series of that name holds the same column
    facts = [
        ("SGLang", _release(launch)),
        ("Topology", topology(launch.topology)),
        ("Capacity", capacity(launch.capacity)),
        ("Sources", ", ".join(launch.sources)),
        ("Command line", launch.command_line or ""),
        ("Arguments", ", ".join(f"{a.name}={a.value}{f' ({a.scope})' if a.scope else ''}" for a in launch.arguments)),
        *((f"Host {host.name}", machine(host)) for host in report.hosts),
        *((f"{series.name} of {series.of}", spread(series)) for series in launch.series if series.name not in folded),
        *((f"{figure_.name}, {counted(figure_.rows, 'line')}", folded_figure(figure_)) for figure_ in launch.serving),
        on_the_way(launch),
    ]
    return page + [
        line for name, text in facts if text for line in paragraph([(f"{name}: ", "bold"), text], look, 0, 2)
    ]


def _release(launch: Launch) -> str:
    stated = f"{launch.sglang.stated} (stated)" if launch.sglang.stated else "not stated"
    wording = f"; the wordings fit {launch.sglang.from_wording}" if launch.sglang.from_wording else ""
    return stated + wording + ("; a fork" if launch.sglang.fork else "")


def topology(found: Topology) -> str:
    """How many of what there should be, and which ranks no log here speaks for."""
    told = {name: getattr(found, name) for name in ("nodes", "ranks", "tp", "dp", "pp", "ep", "speaking")}
    told["speaking"] = None if found.speaking == found.ranks else found.speaking
    sizes = [f"{name} {value}" for name, value in told.items() if value is not None]
    return ", ".join([*sizes, *([f"not heard of: {_unheard(found)}"] if found.unheard else [])])


def _unheard(found: Topology) -> str:
    """The ranks that no log speaks for, as `0, 8-15`; all of them counted where they are many."""
    shown = spans([(rank, rank) for rank in found.unheard], MOST_RANGES)
    return f"{shown} (of {found.unheard_count:,} in all)" if found.unheard_count > len(found.unheard) else shown


def on_the_way(launch: Launch) -> tuple[str, str]:
    """What the launch printed of itself: a title with how many processes did, and the figures."""
    most = max((m.processes for m in launch.measures), default=0)
    title = f"Printed on the way, by {most} processes" if most > 1 else "Printed on the way"
    return title, "; ".join(_measure(item, most) for item in launch.measures)


def _measure(item: Measure, most: int) -> str:
    several = f" ({item.processes} processes)" if 1 < item.processes < most else ""
    return f"{item.name} {item.shown}{several}"


def capacity(held: Capacity) -> str:
    """What the server could hold, per rank."""
    parts = [
        f"{held.kv_tokens:,} KV tokens" if held.kv_tokens is not None else "",
        f"about {_rough(held.kv_bytes_per_token)} bytes per token" if held.kv_bytes_per_token is not None else "",
        f"{binary(Fraction(held.kv_bytes))} of KV pool" if held.kv_bytes is not None else "",
        f"{'about ' * held.host_kv_estimated}{held.host_kv_tokens:,} KV tokens on the host"
        if held.host_kv_tokens is not None
        else "",
        f"{binary(Fraction(held.host_pool_bytes))} of host pool" if held.host_pool_bytes is not None else "",
        f"{binary(Fraction(held.host_pools_bytes))} for all of a host" if held.host_pools_bytes is not None else "",
        f"context of {held.context_length:,}" if held.context_length is not None else "",
        f"at most {held.max_running_requests:,} running requests" if held.max_running_requests is not None else "",
    ]
    return ", ".join(part for part in parts if part)


def _rough(value: float) -> str:
    # The pool's size is printed with three or four digits, so no more of the quotient is known.
    return f"{round(value, 3 - len(str(int(value)))):,.0f}"


def machine(host: Host) -> str:
    """Memory, limits and GPUs of a host, and what was given of it."""
    told = {name: value for name, value in host.memory.items() if value or not name.startswith(("swap", "huge"))}
    told |= {f"limit of the {name}": v for name, v in host.limit.items() if v != host.memory.get("total")}
    sizes = [f"{name.replace('_', ' ')} {binary(Fraction(value))}" for name, value in told.items()]
    counts = [f"{name.replace('_', ' ')} {count:,.0f} times" for name, count in host.counters.items()]
    names = {str(gpu["name"]) for gpu in host.gpus if "name" in gpu}
    gpus = [f"{len(host.gpus)} GPUs{f' ({names.pop()})' if len(names) == 1 else ''}"] if host.gpus else []
    return ", ".join([*sizes, *counts, *gpus, *(f"given: {fact}" for fact in host.given)])


def spread(series: Series) -> str:
    """The quantiles that the document gives of a series."""
    return ", ".join(f"{name} {figure(value, series.unit)}" for name, value in series.quantiles.items())


def folded_figure(item: Figure) -> str:
    """Least, median and most of a figure over all its lines."""
    values = (("least", item.least), ("median", item.median), ("most", item.most))
    return ", ".join(f"{name} {figure(value, item.unit)}" for name, value in values)


def processes(launch: Launch, look: Look) -> list[Text]:
    """Every phase of every group of processes: when, how long, how it ended."""
    grouping = alike(launch.processes, MOST_GROUPS)
    page = heading("Phases per process", look) if grouping.groups else []
    for group in grouping.groups:
        page += paragraph([(group.label(look.width - 20), "bold"), f" ({_idle(group)})"], look)
        for index, span in enumerate(group.first.phases):
            page += paragraph([_phase(group, index, span)], look, 2, 2)
        page += paragraph([f"last line: {group.first.last_text}"], look, 2, 2) if group.first.last_text else []
    more = grouping.left_out
    return page + (paragraph([f"and {more} more processes"], look) if more else [])


def _idle(group: Group) -> str:
    return f"{_range([m.unexplained_seconds for m in group.members])} between phases that nothing explains"


def _phase(group: Group, index: int, span: PhaseSpan) -> str:
    begins, took = span_of(group, index)
    said = [f"{span.phase:<17}{span.state:<12}", f"from {begins}" if begins else "", f"for {took}" if took else ""]
    return " ".join(part for part in [*said, f"({span.label})" if span.label else ""] if part)


def span_of(group: Group, index: int) -> tuple[str, str]:
    """Start and length of a group's phase in seconds, from the least to the most of its members."""
    spans = [member.phases[index] for member in group.members]
    return _range([span.start for span in spans]), _range([span.seconds for span in spans])


def _range(values: Sequence[float | None]) -> str:
    known = sorted(value for value in values if value is not None)
    if not known:
        return ""
    low, high = f"{known[0]:,.1f}".removesuffix(".0"), f"{known[-1]:,.1f}".removesuffix(".0")
    return f"{low} s" if low == high else f"{low} to {high} s"


def coverage(report: Report, look: Look) -> list[Text]:
    """What was read and how much of it was understood."""
    page = heading("What was looked at", look)
    for source in report.coverage.sources:
        page += paragraph([(source.name, "bold"), f": {_read(source)}"], look, 0, 2)
        page += [line for error in source.errors for line in paragraph([(f"! {error}", "bold")], look, 2, 2)]
    notes = [*(f"given: {fact}" for fact in report.coverage.given), *report.coverage.notes]
    notes += [] if report.coverage.enough else ["This is not enough to say that nothing is wrong."]
    notes += ["Not everything could be read."] if report.coverage.partial else []
    page += [line for note in notes for line in paragraph([note], look)]
    return page + paragraph([f"{report.tool.name} {report.tool.version}: {report.tool.command}"], look)


def _read(source: Source) -> str:
    parts = [source.kind, f"{counted(source.lines, 'line')}, {source.recognised:,} recognised"]
    parts += [f"{source.undecodable:,} undecodable"] if source.undecodable else []
    parts += ["cut off"] if source.truncated else []
    parts += [f"from {source.first} to {source.last}"] if source.first else []
    return "; ".join([*parts, *(f"wrapped by {layer}" for layer in source.layers)])
