"""Samples of metrics as facts: a fleet's record of its hosts' memory, its containers, its GPUs, and SGLang's gauges.

Prometheus' text and JSON and Grafana's CSV differ in form alone. Where the samples are of several hosts (or
containers), nothing tells which one the server ran on: then each is a fact by name, and none is a snapshot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from analyzer.events import CgroupMemory, Fact, GpuFault, GpuListed, MemorySnapshot
from analyzer.expression import lazy
from analyzer.parsers.sizes import count
from analyzer.units import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KNOWN: Final = re.compile(r"(?:node_memory_\w+|container_\w+|DCGM_FI_\w+|sglang[:_]\w+)$")
LABEL: Final = re.compile(r'"?([a-zA-Z_]\w{0,60})"? ?[=:] ?"((?:[^"\\]|\\.){0,300})"')

_HOST = {
    "node_memory_MemTotal_bytes": "total",
    "node_memory_MemAvailable_bytes": "available",
    "node_memory_MemFree_bytes": "free",
    "node_memory_Shmem_bytes": "shared",
    "node_memory_Cached_bytes": "cache",
    "node_memory_SwapTotal_bytes": "swap_total",
}
_USED, _LIMIT = "container_memory_working_set_bytes", "container_spec_memory_limit_bytes"
_GPU = {
    "DCGM_FI_DEV_FB_USED": "used",
    "DCGM_FI_DEV_GPU_UTIL": "utilisation",
    "DCGM_FI_DEV_GPU_TEMP": "temperature",
    "DCGM_FI_DEV_SM_CLOCK": "clock",
}
_UNITS = {"used": "MiB", "utilisation": "percent"}
_XID = "DCGM_FI_DEV_XID_ERRORS"
_GAUGES = """
num_running_reqs num_queue_reqs num_used_tokens token_usage gen_throughput cache_hit_rate max_total_num_tokens
num_retracted_reqs num_paused_reqs num_grammar_queue_reqs spec_accept_length swa_token_usage mamba_usage
num_prefill_prealloc_queue_reqs num_decode_prealloc_queue_reqs num_decode_transfer_queue_reqs utilization
"""
_OWN = frozenset(_GAUGES.split())
_RANKS = ("tp_rank", "dp_rank", "pp_rank", "engine_type")
_OTHERS = lazy(r"container_(?:oom_events_total|memory_(?:failcnt|max_usage_bytes|rss))$")
_OWNERS = ("instance", "node", "Hostname", "hostname", "kubernetes_node", "nodename")
_CONTAINERS = ("namespace", "pod", "container", "name", "id")
_NO_CONTAINER = frozenset({"POD", "pause"})
_KEPT = 40  # samples of one series: its first and last, its extremes, and some between
_LARGEST = 1e14  # bytes or MiB of one host; larger ones stand for "no limit"
_NO_LIMIT = 2.0**62


class Sample(NamedTuple):
    """One value of one series; `line` is where it stands, with its time where it has one."""

    name: str
    labels: Mapping[str, str]
    value: float
    line: Text

    @property
    def shown(self) -> str:
        """The value without an exponent."""
        return f"{self.value:.6f}".rstrip("0").rstrip(".")

    def bytes(self, unit: str = "B") -> Amount[Any]:
        """The value as an amount; exporters print whole bytes as floating-point numbers."""
        return read(self.shown, unit, self.line.ref)


def number(text: str) -> float | None:
    """A sample's value; `None` for NaN, infinity and what is no number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < _LARGEST else None


def events(samples: Sequence[Sample], around: Around) -> list[Event]:
    """Everything that the samples tell, series by series; a series that no rule reads tells nothing."""
    told: list[Event] = [*_host(samples, around), *_container(samples, around), *_gpus(samples, around)]
    for series in _series(samples, lambda s: _gauge(s) or _OTHERS.match(s.name) is not None):
        told += [_fact(sample, around) for sample in _thin(series)]
    return told


def _host(samples: Sequence[Sample], around: Around) -> Iterator[Event]:
    mine = [s for s in samples if s.name in _HOST]
    if len({_owner(s) for s in mine} - {""}) > 1:
        yield from (_fact(s, around) for series in _series(mine) for s in _thin(series))
        return
    by_time: dict[Any, dict[str, Sample]] = {}
    for sample in mine:
        by_time.setdefault(sample.line.stamp, {})[_HOST[sample.name]] = sample
    total = next((s for s in reversed(mine) if _HOST[s.name] == "total"), None)
    rows = [row for row in by_time.values() if row.keys() - {"total", "swap_total"}] or list(by_time.values())[-1:]
    told = [row.get("available") or row.get("free") or next(iter(row.values())) for row in rows]
    for sample in _thin(told):
        row = rows[told.index(sample)]
        figures: dict[str, Any] = {key: one.bytes() for key, one in row.items()}
        figures.setdefault("total", total.bytes() if total else None)
        label = "" if around.label.startswith(("HELP ", "TYPE ")) else around.label
        where, text = around.at(sample.line), _words(sample)
        yield MemorySnapshot(where=where, text=text, tool="metrics", label=label, **figures)


def _container(samples: Sequence[Sample], around: Around) -> Iterator[Event]:
    mine = [s for s in samples if s.name in {_USED, _LIMIT} and _is_container(s)]
    several = len({tuple(s.labels.get(key, "") for key in _CONTAINERS[:4]) for s in mine}) > 1
    limits = [s for s in mine if s.name == _LIMIT and 0 < s.value < _NO_LIMIT]
    for sample in (s for series in _series(mine) for s in _thin(series)):
        if several:
            yield _fact(sample, around)
        elif sample.name == _USED:
            limit = limits[-1].bytes() if limits else None
            where, text = around.at(sample.line), _words(sample)
            yield CgroupMemory(where=where, text=text, used=sample.bytes(), limit=limit, said_by="metrics")


def _gpus(samples: Sequence[Sample], around: Around) -> Iterator[Event]:
    mine = [s for s in samples if s.name in _GPU or s.name == _XID]
    if len({_owner(s) for s in mine} - {""}) > 1:
        yield from (_fact(s, around) for series in _series(mine) for s in _thin(series))
        return
    rows: dict[Any, dict[str, Sample]] = {}
    for series in _series(mine):
        for sample in _thin(series):
            if sample.name != _XID:
                rows.setdefault((sample.labels.get("gpu", ""), sample.line.stamp), {})[_GPU[sample.name]] = sample
        yield from _xid(series, around) if series[0].name == _XID else ()
    looks = {stamp: number for number, stamp in enumerate(dict.fromkeys(stamp for _, stamp in rows), 1)}
    for (gpu, _), row in rows.items():
        first = next(iter(row.values()))
        figures: dict[str, Any] = {key: s.bytes(_UNITS.get(key, "count")) for key, s in row.items()}
        name = first.labels.get("modelName", "")
        yield GpuListed(
            where=around.at(first.line),
            text=_words(first),
            index=gpu,
            name=name,
            snapshot=looks[first.line.stamp],
            **figures,
        )


def _xid(series: Sequence[Sample], around: Around) -> Iterator[Event]:
    """The gauge keeps the last code since the driver was loaded: only a change dates a fault."""
    before = series[0]
    yield _fact(before, around)
    for sample in series[1:]:
        if sample.value not in (0, before.value):
            gpu = sample.labels.get("gpu", "")
            yield GpuFault(where=around.at(sample.line), text=_words(sample), code=f"Xid {sample.shown}", gpu=gpu)
        before = sample


def _fact(sample: Sample, around: Around) -> Fact:
    gauge = _gauge(sample)
    name = re.sub(r"^sglang[:_]", "", sample.name) if gauge else sample.name
    keys = _RANKS if gauge else (*_OWNERS, *_CONTAINERS[1:4], "gpu")
    labels = " ".join(f"{key}={sample.labels[key]}" for key in keys if sample.labels.get(key))
    return Fact(
        where=around.at(sample.line),
        text=_words(sample),
        name=f"metric.{name} {labels}".strip(),
        value=sample.shown,
        amount=count(sample.shown, sample.line.ref),
    )


def _series(samples: Iterable[Sample], wanted: Any = None) -> list[list[Sample]]:
    found: dict[Any, list[Sample]] = {}
    for sample in samples:
        if wanted is None or wanted(sample):
            found.setdefault((sample.name, *sorted(sample.labels.items())), []).append(sample)
    return list(found.values())


def _thin(series: list[Sample]) -> list[Sample]:
    if len(series) <= _KEPT:
        return series
    step = len(series) / _KEPT
    kept = {0, len(series) - 1, *(int(i * step) for i in range(_KEPT))}
    values = [sample.value for sample in series]
    kept |= {values.index(min(values)), values.index(max(values))}
    return [series[i] for i in sorted(kept)]


def _gauge(sample: Sample) -> bool:
    return sample.name.startswith(("sglang:", "sglang_")) and sample.name[7:] in _OWN


def _owner(sample: Sample) -> str:
    return next((sample.labels[key].partition(":")[0] for key in _OWNERS if sample.labels.get(key)), "")


def _is_container(sample: Sample) -> bool:
    named = [sample.labels.get(key, "") for key in ("container", "name")]
    return any(named) and not _NO_CONTAINER.intersection(named)


def _words(sample: Sample) -> str:
    return f"{sample.name} {sample.shown}"
