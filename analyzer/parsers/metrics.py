"""Metrics in Prometheus' text: `/metrics` of SGLang, of a node exporter, cAdvisor, DCGM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers import series
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "metrics"
HEADS = ("# HELP ", "# TYPE ", "sglang:", "sglang_", "node_memory_", "container_", "DCGM_FI_")

_COMMENT = lazy(r"# (?:HELP [a-zA-Z_:][\w:]{1,200} .{1,1000}|TYPE [a-zA-Z_:][\w:]{1,200} [a-z]{3,12})$")
_SAMPLE = lazy(
    r"([a-zA-Z_:][\w:]{1,200})(?:\{([^{}]{0,2000})\})? ([+-]?(?:\d[\d.]{0,30}(?:e[+-]?\d{1,3})?|NaN|Inf))"
    r"(?: (\d{1,16}))?$"
)
_PLAIN = lazy(r"(?:sglang:[a-z]\w|node_memory_\w+_bytes$)")


def claims(head: str, _around: Around) -> bool:
    """A comment of the format, or a sample of a known metric."""
    line = head.rstrip()[:3000]
    sample = _SAMPLE.match(line)
    named = sample and (_PLAIN.match(sample[1]) or (series.KNOWN.match(sample[1]) and sample[2]))
    return bool(named or _COMMENT.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What the known metrics tell; others are only counted as read."""
    samples: list[series.Sample] = []
    used = 0
    for line in lines:
        text = line.text.rstrip()[:3000]
        sample = _SAMPLE.match(text)
        if sample is None and not _COMMENT.match(text):
            break
        used += 1
        value = series.number(sample[3]) if sample else None
        if sample and value is not None:
            stamp = stamps.epoch(sample[4]) if sample[4] else None
            labels = dict(series.LABEL.findall(sample[2] or ""))
            samples.append(series.Sample(sample[1], labels, value, line._replace(stamp=stamp or line.stamp)))
    return Block(max(used, 1), used, series.events(samples, around))
