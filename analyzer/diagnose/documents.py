"""A launch, its hosts and its sources as the contract has them."""

from __future__ import annotations

import shlex
from math import isfinite
from statistics import median
from typing import TYPE_CHECKING, Any

from analyzer import contract, knowledge, units
from analyzer import events as ev
from analyzer.launches.clock import parse_zone, printed
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.measures import measures
from analyzer.ledgers.serving import all_figures, in_batches
from analyzer.ledgers.topology import missing_ranks

if TYPE_CHECKING:
    from analyzer.diagnose.lines import Lines
    from analyzer.evidence import Instant, Stamp
    from analyzer.incident import Host, Incident
    from analyzer.knowledge import Release
    from analyzer.ledgers.host_memory import HostLedger
    from analyzer.ledgers.measures import Measure
    from analyzer.parsers.parsed import Parsed
    from analyzer.timeline import PhaseSpan, ProcessLine, Series, Span
    from analyzer.units import Amount, Byte

_MEMORY = (
    "total",
    "used",
    "free",
    "shared",
    "cache",
    "available",
    "swap_total",
    "swap_used",
    "huge_total",
    "huge_free",
)
_COUNTERS = ("at_limit", "oom_kills")
_MOST_UNHEARD = 100


def launch(incident: Incident, verdict: contract.Verdict, lines: Lines) -> contract.Launch:
    """Everything about one launch but its findings."""
    source, start = incident.launch, incident.timeline.start
    release = source.release
    return contract.Launch(
        id=source.id,
        server=contract.Server(source.role, source.name, source.host_names.get("n0")),
        sources=list(source.sources),
        verdict=verdict,
        sglang=contract.Release(release.stated, release.worded or None, release.fork),
        topology=topology(incident),
        arguments=[_argument(a, release) for a in source.arguments.both(release)],
        capacity=capacity(incident),
        processes=[_process(p, start, lines) for p in incident.timeline.processes],
        spans=[_span(s, start, lines) for s in incident.timeline.spans],
        series=[_series(s, start) for s in incident.timeline.series],
        began=printed(start.seconds) if start else None,
        command_line=shlex.join(source.arguments.argv) if source.arguments.argv else None,
        serving=[
            contract.Figure(
                f.name, f.unit, f.rows, f.least.number(), f.median.number(), f.most.number(), f.mean.number()
            )
            for f in all_figures(incident)
        ],
        measures=[_measure(m, lines) for m in measures(incident)],
        utc_offset=_ahead_of_utc(incident),
    )


def _ahead_of_utc(incident: Incident) -> float | None:
    start = incident.timeline.start
    zone = parse_zone(incident.given.tz, start.seconds if start else None) if incident.given.tz else None
    return zone.utcoffset(None).total_seconds() if zone else None


def _measure(item: Measure, lines: Lines) -> contract.Measure:
    span = units.shown(item.least), units.shown(item.most)
    text = units.both(item.first) if span[0] == span[1] else " to ".join(span)
    return contract.Measure(
        name=item.name,
        unit=item.first.unit,
        value=item.first.number(),
        least=item.least.number(),
        most=item.most.number(),
        processes=item.processes,
        shown=text,
        lines=lines.ids([item.ref]),
    )


def topology(incident: Incident) -> contract.Topology:
    """How many nodes and ranks there should be, by the arguments; by what speaks where there are none."""
    arguments = incident.arguments
    tp, pp, dp = arguments.count("tp_size"), arguments.count("pp_size"), arguments.count("dp_size")
    nodes = arguments.count("nnodes") or len(incident.launch.nodes) or None
    schedulers = [p for p in incident.timeline.processes if p.role == "scheduler"]
    heard = {(p.node, p.rank.dp, p.rank.pp, p.rank.tp) for p in schedulers} | in_batches(incident)
    speaking = len(heard) or None
    plain = 1 if arguments.flag("enable_dp_attention") else dp or 1
    declared = tp * (pp or 1) * plain if tp else None
    ep = arguments.count("ep_size")
    unheard = missing_ranks(incident)
    sizes = nodes, declared or speaking, tp, dp, pp, ep, speaking
    return contract.Topology(*sizes, list(unheard[:_MOST_UNHEARD]), len(unheard))


def capacity(incident: Incident) -> contract.Capacity:
    """What one rank can hold."""
    pool = device_pool(incident)
    said = incident.first(ev.CapacityPrinted)
    announced = incident.first(ev.HostPoolAnnounced)
    per_token = pool.per_token if pool else None
    pools = _fullest(incident)
    host_tokens = announced.event.tokens if announced else None
    estimated = None
    if announced and host_tokens is None and per_token is not None and announced.event.size is not None:
        estimated = _three_digits(announced.event.size.buys(per_token))
    return contract.Capacity(
        kv_tokens=_whole(pool.tokens) if pool else None,
        kv_bytes_per_token=per_token.number() if per_token else None,
        kv_bytes=pool.size.number() if pool and pool.size else None,
        max_running_requests=_whole(said.event.max_running) if said else None,
        context_length=_whole(said.event.context) if said else None,
        host_kv_tokens=estimated if estimated is not None else _whole(host_tokens),
        host_pool_bytes=_bytes(pools.per_rank) if pools else None,
        host_pools_bytes=_bytes(pools.pinned) if pools else None,
        host_kv_estimated=estimated is not None,
    )


def _three_digits(amount: Amount[Any]) -> int:
    """A quotient of rounded figures: no more of it is known."""
    whole = int(amount.value)
    return round(whole, 3 - len(str(whole)))


def _fullest(incident: Incident) -> HostLedger | None:
    """The ledger of the host whose ranks announce the most."""
    ledgers = [ledger for host in incident.hosts if (ledger := host_memory(incident, host)).figure == "announced"]
    return max(ledgers, key=lambda ledger: ledger.pinned.value if ledger.pinned else 0, default=None)


def _bytes(amount: Amount[Byte] | None) -> float | None:
    return amount.number() if amount is not None else None


def _whole(amount: Any) -> int | None:
    return int(amount.value) if amount is not None else None


def _argument(said: Any, release: Release) -> contract.Argument:
    known = knowledge.argument(said.name)
    scope = known.scope.value if known is not None and known.scope is not None else None
    unit = known.unit if known is not None else None
    amount = _amount(said.value, unit)
    usual = known.default(release) if known is not None else None
    default = usual.strip("'\"") if usual is not None else None
    return contract.Argument(said.name, str(said.value), said.said_by, scope, unit or None, said.note, amount, default)


def _amount(value: Any, unit: str | None) -> float | None:
    """A number's value in its unit's base; `None` for anything else."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value) * float(units.UNITS[unit][1] if unit in units.UNITS else 1)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def _since(at: Instant | None, start: Instant | None) -> float | None:
    return round(at.seconds - start.seconds, 3) if at is not None and start is not None else None


def _process(line: ProcessLine, start: Instant | None, lines: Lines) -> contract.Process:
    rank = {name: value for name, value in line.rank._asdict().items() if value is not None}
    return contract.Process(
        id=line.id,
        node=line.node,
        role=line.role,
        pid=None,
        rank=rank,
        phases=[_phase(p, start, lines) for p in line.phases],
        unexplained_seconds=round(line.unexplained, 3),
        last=_since(line.last.at, start) if line.last else None,
        last_text=line.last.event.text[:120] if line.last else None,
    )


def _phase(span: PhaseSpan, start: Instant | None, lines: Lines) -> contract.PhaseSpan:
    return contract.PhaseSpan(
        phase=span.phase.value,
        start=_since(span.start, start),
        end=_since(span.end, start),
        seconds=span.seconds,
        state=span.state,
        lines=lines.ids([*span.refs[:1], *span.refs[-1:]]),
        label=span.label or None,
    )


def _span(span: Span, start: Instant | None, lines: Lines) -> contract.Span:
    return contract.Span(
        span.name, _since(span.start, start), _since(span.end, start), lines.ids(span.refs), span.label or None
    )


def _series(series: Series, start: Instant | None) -> contract.Series:
    zero = start.seconds if start else 0.0
    values = list(series.value)
    return contract.Series(
        name=series.name,
        unit=series.unit,
        of=series.of,
        time=[round(t - zero, 3) for t in series.time],
        value=values,
        quantiles={
            "least": min(values),
            "median": median(values) if series.median is None else series.median,
            "most": max(values),
        },
    )


def hosts(incident: Incident) -> list[contract.Host]:
    """Every machine of a launch."""
    return [host(item, incident) for item in incident.hosts]


def host(item: Host, incident: Incident) -> contract.Host:
    """One machine: the last snapshot of its memory, its limits, what its container counts, its GPUs."""
    last, inside = item.after(None), incident.at_node(item, ev.CgroupMemory)
    memory = {n: v.number() for n in _MEMORY if last and (v := getattr(last.event, n)) is not None}
    used = [t.event.used.number() for t in inside if t.event.used is not None]
    memory |= {"container_used": used[-1]} if used else {}
    limit = {n: v.number() for n, v in (("host", item.total), ("container", item.cgroup_limit)) if v is not None}
    counters = {n: v.number() for t in inside for n in _COUNTERS if (v := getattr(t.event, n)) is not None}
    return contract.Host(item.name, memory, limit, _gpus(incident, item), list(item.given), counters)


def _gpus(incident: Incident, item: Host) -> list[dict[str, str | float]]:
    """The GPUs of the host's last listing, of those that tell sizes where there are any: tools number them apart."""
    tables: dict[tuple[str, int], list[ev.GpuListed]] = {}
    for t in incident.at_node(item, ev.GpuListed):
        tables.setdefault((t.ref.source, t.event.snapshot), []).append(t.event)
    sized = [rows for rows in tables.values() if any(gpu.total is not None for gpu in rows)]
    last = next(reversed(sized or list(tables.values())), [])
    return list({gpu.index: _gpu(gpu) for gpu in last}.values())


def _gpu(gpu: ev.GpuListed) -> dict[str, str | float]:
    sizes = {n: v.number() for n in ("total", "used") if (v := getattr(gpu, n)) is not None}
    return {n: v for n, v in (("index", gpu.index), ("name", gpu.name)) if v} | sizes


def source(parsed: Parsed) -> contract.Source:
    """How one source was read."""
    return contract.Source(
        name=parsed.name,
        kind=parsed.kind,
        sha256=parsed.sha256,
        bytes=parsed.bytes,
        lines=parsed.lines,
        recognised=parsed.recognised,
        undecodable=parsed.undecodable,
        truncated=parsed.truncated,
        first=_text(parsed.first),
        last=_text(parsed.last),
        errors=list(parsed.errors),
        layers=list(parsed.layers),
    )


def unread(sentence: str) -> contract.Source:
    """An input that could not be read; `sentence` begins with its name."""
    name = sentence.partition(": ")[0]
    return contract.Source(
        name, "unreadable", "", 0, 0, 0, 0, truncated=False, first=None, last=None, errors=[sentence]
    )


def _text(stamp: Stamp | None) -> str | None:
    return stamp.text if stamp is not None else None
