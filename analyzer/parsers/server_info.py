"""The JSON answer of SGLang's `/get_server_info` (later `/server_info`): release, capacity, the main arguments.

A snapshot is no launch: its arguments are facts under `server-info.`, not a `server_args` line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from analyzer.events import Fact, ReleaseStated
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "server-info"
HEADS = ('"model_path"',)

_LAID_OUT = lazy(r'\s+"model_path": ?"')
_ONE_LINE = lazy(r'\s*\{\s*"model_path": ?"')
_ARGUMENTS = """
model_path tp_size dp_size pp_size ep_size nnodes node_rank port mem_fraction_static max_running_requests
max_total_tokens context_length kv_cache_dtype chunked_prefill_size cuda_graph_max_bs enable_hierarchical_cache
hicache_size hicache_ratio disaggregation_mode watchdog_timeout schedule_policy enable_dp_attention quantization
page_size
"""
_KEYS = ("status", "max_total_num_tokens", "max_req_input_len", *_ARGUMENTS.split())
_STATE = {"last_gen_throughput": "gen-throughput", "avg_spec_accept_length": "accept-length"}
_MOST_LINES = 5000


def claims(head: str, _around: Around) -> bool:
    """The object on one line with its arguments, or the first line of it laid out."""
    begun = head[:200]
    whole = _ONE_LINE.match(begun) or (begun.startswith("{") and '"internal_states"' in head)
    return bool(_LAID_OUT.match(begun)) or (bool(whole) and '"tp_size"' in head)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """Facts of one answer; nothing of one that is cut."""
    used = _extent(lines)
    text = "\n".join(line.text for line in lines[:used]).strip().rstrip(",")
    try:
        told = json.loads(text if text.startswith("{") else "{" + text)
    except (ValueError, RecursionError):
        return Block(used, 0)
    return Block(used, used, list(_events(told, lines[0], around)) if isinstance(told, dict) else [])


def _extent(lines: Sequence[Text]) -> int:
    """How many lines the object takes: one, or up to the brace that closes it."""
    if lines[0].text.lstrip().startswith("{"):
        return 1
    for number, line in enumerate(lines[:_MOST_LINES], 1):
        if line.text.startswith("}"):
            return number
        if not line.text.startswith((" ", "\t")):
            break
    return 1


def _events(told: dict[str, Any], line: Text, around: Around) -> Iterator[Event]:
    where = around.at(line)
    version = told.get("version")
    if isinstance(version, str):
        yield ReleaseStated(where=where, text=f"version {version}"[:400], version=version[:60])
    states = told.get("internal_states")
    first = states[0] if isinstance(states, list) and states and isinstance(states[0], dict) else {}
    named = {key: told.get(key) for key in _KEYS} | {name: first.get(key) for key, name in _STATE.items()}
    for name, value in named.items():
        if isinstance(value, (str, int, float)):
            shown = str(value)[:300]
            text = f"{name}: {shown}"
            yield Fact(where=where, text=text, name=f"server-info.{name}", value=shown, amount=count(shown, line.ref))
