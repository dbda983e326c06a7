"""A launch, its hosts and its sources as the contract has them."""

from __future__ import annotations

import shlex
from statistics import median
from typing import TYPE_CHECKING, Any

from analyzer import contract, knowledge
from analyzer import events as ev
from analyzer.launches.clock import printed
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.serving import all_figures

if TYPE_CHECKING:
    from analyzer.diagnose.lines import Lines
    from analyzer.evidence import Instant, Stamp
    from analyzer.incident import Host, Incident
    from analyzer.ledgers.host_memory import HostLedger
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
        arguments=[_argument(a) for a in source.arguments.both(release)],
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
    )


def topology(incident: Incident) -> contract.Topology:
    """How many nodes and ranks there should be, by the arguments; by what speaks where there are none."""
    arguments = incident.arguments
    tp, pp, dp = arguments.count("tp_size"), arguments.count("pp_size"), arguments.count("dp_size")
    nodes = arguments.count("nnodes") or len(incident.launch.nodes) or None
    speaking = len([p for p in incident.timeline.processes if p.role == "scheduler"])
    plain = 1 if arguments.flag("enable_dp_attention") else dp or 1
    declared = tp * (pp or 1) * plain if tp else None
    return contract.Topology(nodes, declared or speaking or None, tp, dp, pp, arguments.count("ep_size"))


def capacity(incident: Incident) -> contract.Capacity:
    """What one rank can hold."""
    pool = device_pool(incident)
    said = incident.first(ev.CapacityPrinted)
    announced = incident.first(ev.HostPoolAnnounced)
    per_token = pool.per_token if pool else None
    pools = _fullest(incident)
    host_tokens = announced.event.tokens if announced else None
    if announced and host_tokens is None and per_token is not None and announced.event.size is not None:
        host_tokens = announced.event.size.buys(per_token)
    return contract.Capacity(
        kv_tokens=_whole(pool.tokens) if pool else None,
        kv_bytes_per_token=per_token.number() if per_token else None,
        kv_bytes=pool.size.number() if pool and pool.size else None,
        max_running_requests=_whole(said.event.max_running) if said else None,
        context_length=_whole(said.event.context) if said else None,
        host_kv_tokens=_whole(host_tokens),
        host_pool_bytes=_bytes(pools.per_rank) if pools else None,
        host_pools_bytes=_bytes(pools.pinned) if pools else None,
    )


def _fullest(incident: Incident) -> HostLedger | None:
    """The ledger of the host whose ranks announce the most."""
    ledgers = [ledger for host in incident.hosts if (ledger := host_memory(incident, host)).figure == "announced"]
    return max(ledgers, key=lambda ledger: ledger.pinned.value if ledger.pinned else 0, default=None)


def _bytes(amount: Amount[Byte] | None) -> float | None:
    return amount.number() if amount is not None else None


def _whole(amount: Any) -> int | None:
    return int(amount.value) if amount is not None else None


def _argument(said: Any) -> contract.Argument:
    known = knowledge.argument(said.name)
    scope = known.scope.value if known is not None and known.scope is not None else None
    unit = known.unit if known is not None else None
    return contract.Argument(said.name, str(said.value), said.said_by, scope, unit or None, said.note)


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
        quantiles={"least": min(values), "median": median(values), "most": max(values)},
    )


def host(item: Host) -> contract.Host:
    """One machine: the last snapshot of its memory, and its limits."""
    last = item.after(None)
    memory = {n: v.number() for n in _MEMORY if last and (v := getattr(last.event, n)) is not None}
    limit = {n: v.number() for n, v in (("host", item.total), ("container", item.cgroup_limit)) if v is not None}
    return contract.Host(item.name, memory, limit, [], list(item.given))


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
