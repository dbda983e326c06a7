"""What a launch prints of itself on its way, figure by figure: memory, pools, times, limits, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.ledgers.durations import between, load
from analyzer.ledgers.spoken import figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount

# Of each process the first event of a kind counts: a draft model's come later.
_PRINTED: dict[type[ev.Event], dict[str, str]] = {
    ev.DistributedInitEnded: {"elapsed": "joining the ranks took", "used": "GPU memory used by joining the ranks"},
    ev.WeightLoadBegun: {"free": "GPU memory free before the weights"},
    ev.WeightsLoaded: {
        "elapsed": "loading the weights took",
        "used": "weights on the GPU",
        "free": "GPU memory free after the weights",
    },
    ev.KvPoolReserved: {"tokens": "KV tokens reserved at most"},
    ev.KvPoolAllocated: {
        "tokens": "KV pool tokens",
        "k_size": "KV pool, K",
        "v_size": "KV pool, V",
        "kv_size": "KV pool",
    },
    ev.SlidingWindowPool: {"full_tokens": "tokens of full attention", "swa_tokens": "tokens of the sliding window"},
    ev.StateCacheAllocated: {"slots": "state cache slots", "conv": "state cache, conv", "ssm": "state cache, ssm"},
    ev.MemoryPoolEnded: {"free": "GPU memory free after the pools"},
    ev.GraphCaptureBegun: {"free": "GPU memory free before graph capture"},
    ev.GraphCaptureEnded: {
        "elapsed": "graph capture took",
        "used": "graphs on the GPU",
        "free": "GPU memory free after graph capture",
    },
    ev.CapacityPrinted: {
        "tokens": "max_total_num_tokens",
        "chunked_prefill": "chunked_prefill_size",
        "max_prefill": "max_prefill_tokens",
        "max_running": "max_running_requests",
        "context": "context_len",
        "free": "GPU memory free when serving begins",
    },
    ev.HostPoolSized: {"host": "host memory that HiCache sees", "cgroup": "left in the container's limit"},
    ev.KernelCompile: {"elapsed": "compiling kernels took"},
    ev.ProbeFailed: {"waited": "a health check waited"},
    ev.WatchdogFired: {"timeout": "the watchdog waits"},
    ev.HealthFailed: {"waited": "SGLang's own health check waited"},
    ev.RankDead: {"code": "exit code of a rank"},
    ev.ExitCode: {"code": "exit code of the server"},
}


@immutable
class Measure:
    """One figure of a launch: the first process's, and the least and the most of all `processes` that print it."""

    name: str
    first: Amount[Any]
    least: Amount[Any]
    most: Amount[Any]
    processes: int
    ref: Ref


def measures(incident: Incident) -> list[Measure]:
    """Every figure that the launch prints of itself, in the order of its phases."""
    found: list[Measure] = []
    for kind, fields in _PRINTED.items():
        items = incident.of(kind)
        found += [m for field, name in fields.items() if (m := _measure(name, field, items)) is not None]
        if kind is ev.WeightLoadBegun:
            found += _shards(incident)
        if kind is ev.HostPoolSized:
            found += _host_pools(incident)
        if kind is ev.KernelCompile:
            found += _compiling(incident)
    return [*found, *_errors(incident), *_hosts(incident)]


def _measure(name: str, field: str, items: list[Timed[Any]]) -> Measure | None:
    """The first figure of each process; `None` where none prints it."""
    printed: dict[str, Timed[Any]] = {}
    for item in items:
        if getattr(item.event, field) is not None:
            printed.setdefault(item.process, item)
    if not printed:
        return None
    amounts = [getattr(item.event, field) for item in printed.values()]
    least, most = min(amounts, key=lambda a: a.value), max(amounts, key=lambda a: a.value)
    return Measure(name, amounts[0], least, most, len(printed), next(iter(printed.values())).ref)


def _shards(incident: Incident) -> Iterator[Measure]:
    bar = load(incident)
    if bar is not None:
        named = (("shards", bar.total), ("shards loaded", bar.done), ("seconds per shard", bar.each))
        yield from (Measure(name, amount, amount, amount, 1, bar.last.ref) for name, amount in named)


def _compiling(incident: Incident) -> Iterator[Measure]:
    """From the first to the last line of a compiler, where they lie apart."""
    lines = [t for t in incident.of(ev.KernelCompile) if t.at is not None]
    first, last = (lines[0], lines[-1]) if lines else (None, None)
    if first is None or last is None or first.at is None or last.at is None or last.at.seconds <= first.at.seconds:
        return
    span = between((first.at, first.ref), (last.at, last.ref), "kernels compiled over")
    yield Measure(span.name, span, span, span, 1, last.ref)


def _host_pools(incident: Incident) -> Iterator[Measure]:
    announced = incident.of(ev.HostPoolAnnounced)
    for pool in dict.fromkeys(t.event.pool for t in announced):
        same = [t for t in announced if t.event.pool == pool]
        made = _measure(f"host pool{f', {pool}' if pool else ''}", "size", same)
        if made is not None:
            yield made


def _hosts(incident: Incident) -> Iterator[Measure]:
    """The memory of each host of the launch, and what its last snapshot shows."""
    for host in incident.hosts:
        of = f" of {host.name}" if len(incident.hosts) > 1 else ""
        last = host.after(None)
        left = last.event.available if last is not None else None
        named = (("host memory", host.total), ("container limit", host.cgroup_limit), ("host memory available", left))
        for name, amount in named:
            refs = units.lines_of(amount) if amount is not None else []
            if amount is not None and refs:
                yield Measure(f"{name}{of}", amount, amount, amount, 1, refs[0])


def _errors(incident: Incident) -> Iterator[Measure]:
    """The figures of the first error line of each topic that carries any."""
    for topic in dict.fromkeys(t.event.topic for t in incident.of(ev.Failure)):
        lines = incident.failures(topic)
        first = next((t for t in lines if figures(t.event)), None)
        if first is not None:
            named = ((f"{topic}: {amount.name}", amount) for amount in figures(first.event))
            yield from (Measure(name, amount, amount, amount, 1, first.ref) for name, amount in named)
