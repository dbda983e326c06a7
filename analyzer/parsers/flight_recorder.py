"""torch's flight recorder: how far one rank came in the collectives of each of its process groups.

The recorder writes a file for each rank (`nccl_trace_rank_3`) when a time-out ends it, as a pickle, or as JSON where a
handler is asked for it. A pickle is read by a reader that knows plain values only: whatever names a class or a function
is refused, and nothing of it runs.
"""

from __future__ import annotations

import io
import json
import pickle
import re
from typing import TYPE_CHECKING, Any, NoReturn

from analyzer.events import Fact
from analyzer.evidence import Ref, Where

if TYPE_CHECKING:
    from collections.abc import Iterator

KIND = "flight-recorder"
LARGEST = 64 * 1024 * 1024
PREFIX = "flight "
_LOOKED_AT = 4096
_MARKS = (b"nccl_version", b"pg_status", b"pg_config", b"comm_lib_version")
_RANK = re.compile(r"(?:rank|trace|dump)[_-]?(\d{1,5})(?:\D[^/]*)?$")
_NAME = re.compile(r"[^\w.:-]")
_MOST_GROUPS = 64


class _Plain(pickle.Unpickler):
    """Dicts, lists, texts and numbers."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Refuses every class and function."""
        raise pickle.UnpicklingError(f"it names {module}.{name}, which no dump holds")


def may_be(head: bytes) -> bool:
    """Whether a file begins as such a dump."""
    plain = head[:1] == b"{" or head[:1] == b"\x80"
    return plain and any(mark in head[:_LOOKED_AT] for mark in _MARKS)


def events(data: bytes, name: str) -> list[Fact]:
    """One fact: the rank, and for each group its name, the numbers last queued and last completed, what waits.

    Raises `ValueError` where the bytes are no such dump or the file's name does not tell the rank.
    """
    found = _RANK.search(name)
    if found is None:
        raise ValueError("the file's name does not tell whose rank it is of")
    told = "\n".join(_groups(_document(data)))
    where = Where(Ref(name, 1, 1))
    return [Fact(where=where, text=f"flight recorder of rank {found[1]}", name=f"{PREFIX}{found[1]}", value=told)]


def _document(data: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(data) if data[:1] == b"{" else _Plain(io.BytesIO(data)).load()
    except Exception as error:  # a hostile or cut file ends in whatever its bytes provoke
        raise ValueError(f"it cannot be read as a flight recorder's dump: {error}") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("entries"), list):
        raise ValueError("it has no entries")  # noqa: TRY004 - bad content, not a caller's mistake
    return whole


def _groups(whole: dict[str, Any]) -> Iterator[str]:
    entries = [e for e in whole["entries"] if isinstance(e, dict) and not e.get("is_p2p")]
    status = whole.get("pg_status")
    names = {str(e.get("pg_id")): _group(e) for e in entries}
    told = status if isinstance(status, dict) and status else dict.fromkeys(names)
    for group in list(told)[:_MOST_GROUPS]:
        own = [e for e in entries if str(e.get("pg_id")) == str(group)]
        done = _number(told[group], "last_completed_collective", own, {"completed"})
        queued = _number(told[group], "last_enqueued_collective", own, {"completed", "started", "scheduled"})
        if queued >= 0:
            waits = next((e for e in own if e.get("collective_seq_id") == done + 1), {})
            yield f"{names.get(str(group), str(group))} {queued} {done} {_operation(waits)}"


def _number(status: object, key: str, entries: list[dict[str, Any]], states: set[str]) -> int:
    """What the group's status says, else the highest number of an entry in one of the states; -1 where neither."""
    said = status.get(key) if isinstance(status, dict) else None
    if str(said).lstrip("-").isdecimal():
        return int(str(said))
    numbers = [e["collective_seq_id"] for e in entries if e.get("state") in states]
    return max((n for n in numbers if isinstance(n, int)), default=-1)


def _group(entry: dict[str, Any]) -> str:
    group = entry.get("process_group")
    name = group[0] if isinstance(group, list | tuple) and group else entry.get("pg_id")
    return _NAME.sub("_", str(name))[:60] or "0"


def _operation(entry: dict[str, Any]) -> str:
    return _NAME.sub("_", str(entry.get("profiling_name", "")).removeprefix("nccl:"))[:60] or "-"
