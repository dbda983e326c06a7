"""SGLang's `/metrics` in Prometheus text: the gauges that tell how full and how busy the server is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "metrics"
HEADS = ("# HELP ", "# TYPE ", "sglang:", "sglang_")

_COMMENT = re.compile(r"# (?:HELP [a-zA-Z_:][\w:]{1,200} .{1,1000}|TYPE [a-zA-Z_:][\w:]{1,200} [a-z]{3,12})$")
_SAMPLE = re.compile(
    r"([a-zA-Z_:][\w:]{1,200})(\{[^{}]{0,2000}\})? ([+-]?(?:\d[\d.]{0,30}(?:e[+-]?\d{1,3})?|NaN|Inf))(?: \d{1,16})?$"
)
_OWN = re.compile(r"sglang:[a-z]\w")
_KEPT = """
num_running_reqs num_queue_reqs num_used_tokens token_usage gen_throughput cache_hit_rate max_total_num_tokens
num_retracted_reqs num_paused_reqs num_grammar_queue_reqs spec_accept_length swa_token_usage mamba_usage
num_prefill_prealloc_queue_reqs num_decode_prealloc_queue_reqs num_decode_transfer_queue_reqs utilization
"""
_NAMES = frozenset(_KEPT.split())
_LABEL = re.compile(r'(tp_rank|dp_rank|pp_rank|engine_type)="([\w-]{1,20})"')
_LARGEST = 1e18


def claims(head: str, _around: Around) -> bool:
    """A comment of the format, or one of SGLang's samples."""
    line = head.rstrip()[:3000]
    sample = _SAMPLE.match(line)
    named = sample is not None and (
        _OWN.match(sample[1]) is not None or (sample[1].startswith("sglang_") and sample[2])
    )
    return bool(named or _COMMENT.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per kept gauge and rank; other metrics are only counted as read."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        text = line.text.rstrip()[:3000]
        sample = _SAMPLE.match(text)
        if sample is None and not _COMMENT.match(text):
            break
        used += 1
        fact = _fact(sample, line, around) if sample else None
        if fact:
            events.append(fact)
    return Block(max(used, 1), used, [*events])


def _fact(sample: re.Match[str], line: Text, around: Around) -> Fact | None:
    name = sample[1].removeprefix("sglang:").removeprefix("sglang_")
    if name == sample[1] or name not in _NAMES:
        return None
    value = float(sample[3])
    if not abs(value) < _LARGEST:  # NaN and infinity, too
        return None
    labels = " ".join(f"{key}={rank}" for key, rank in _LABEL.findall(sample[2] or ""))
    amount = count(f"{value:.6f}".rstrip("0").rstrip("."), line.ref)
    return Fact(
        where=around.at(line), text=line.quoted, name=f"metric.{name} {labels}".strip(), value=sample[3], amount=amount
    )
