"""Answers of log stores, and what is read of them."""

from __future__ import annotations

import json

from analyzer.bundle import InMemory
from analyzer.bundle.answer import Answer

BEGUN = "[2026-06-05 17:00:11 TP0] Init torch distributed begin."
SEARCHED = '{"took":2,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":'


def searched(messages: list[str], *, newest_first: bool = False) -> str:
    hits = [
        {"_index": "logs", "_id": str(n), "_source": {"@timestamp": f"2026-06-05T17:{n // 60:02d}:{n % 60:02d}.987Z", "message": text}}
        for n, text in enumerate(messages)
    ]  # fmt: skip
    shown = hits[::-1] if newest_first else hits
    total = {"value": len(hits), "relation": "eq"}
    return SEARCHED + json.dumps({"total": total, "max_score": None, "hits": shown}) + "}"


def ranged(*streams: tuple[dict[str, str], list[list[object]]]) -> str:
    result = [{"stream": labels, "values": values} for labels, values in streams]
    return json.dumps(
        {"status": "success", "data": {"resultType": "streams", "result": result, "stats": {"summary": {}}}}
    )


def read(data: bytes) -> tuple[list[dict[str, object]], str]:
    """The entries, and what was wrong."""
    stream = Answer(InMemory(data)).open()
    text = b""
    while more := stream.read(4096):
        text += more
    stream.close()
    return [json.loads(line) for line in text.splitlines()], stream.damage
