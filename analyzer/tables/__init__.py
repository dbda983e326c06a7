"""Columns of the steady-state lines. Names end in their unit; a row keeps its source line.

`time_s` is the printed local time as seconds since 1970 (time-only headers: since midnight); ranks are null where the
header prints none.
"""

from __future__ import annotations

from typing import Final

# Every table begins with these: where the row stands, when, and who said it.
PLACE: Final[dict[str, str]] = {
    "line": "int",
    "start": "int",
    "time_s": "float",
    "dp": "int",
    "pp": "int",
    "tp": "int",
    "node": "text",
}

TABLES: Final[dict[str, dict[str, str]]] = {
    "DecodeBatch": PLACE
    | {
        "running_count": "float",
        "queue_count": "float",
        "tokens_token": "float",
        "usage_ratio": "float",
        "swa_usage_ratio": "float",
        "mamba_usage_ratio": "float",
        "throughput_token_per_s": "float",
        "accept_len_count": "float",
        "accept_rate_ratio": "float",
        "graph_flag": "bool",
        "retracted_count": "float",
        "prealloc_count": "float",
        "transfer_count": "float",
        "prealloc_usage_ratio": "float",
        "pending_token": "float",
    },
    "PrefillBatch": PLACE
    | {
        "new_seq_count": "float",
        "new_token": "float",
        "cached_token": "float",
        "running_count": "float",
        "queue_count": "float",
        "usage_ratio": "float",
        "swa_usage_ratio": "float",
        "mamba_usage_ratio": "float",
        "throughput_token_per_s": "float",
        "graph_flag": "bool",
        "inflight_count": "float",
        "bootstrap_count": "float",
        "prealloc_count": "float",
        "pending_token": "float",
        "cache_hit_ratio": "float",
    },
    "Access": PLACE | {"path": "text", "status_count": "float"},
}

# The columns of each table without those of place.
OWN: Final[dict[str, tuple[str, ...]]] = {
    table: tuple(name for name in columns if name not in PLACE) for table, columns in TABLES.items()
}
