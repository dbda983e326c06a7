"""Log lines that a collector wrapped into JSON objects, one per line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from analyzer.expression import lazy_regex
from analyzer.layers import stamps
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from analyzer.evidence import Stamp

_MESSAGE = ("message", "log", "msg", "MESSAGE", "textPayload", "line", "body", "_raw", "event.original")
_TIME = (
    "@timestamp", "timestamp", "time", "ts", "Timestamp", "__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP",
    "receiveTimestamp", "_time", "date", "eventTime",
)  # fmt: skip
_NODE = (
    "kubernetes.pod.name", "kubernetes.pod_name", "resource.labels.pod_name", "labels.pod", "pod", "pod_name",
    "container_name", "kubernetes.container_name", "host.name", "host.hostname", "hostname", "_HOSTNAME", "host",
    "node", "instance",
)  # fmt: skip
_NESTS = ("_source", "jsonPayload", "fields", "result")
_FIELD = lazy_regex(r'\s*"(?:message|log|msg|MESSAGE|textPayload|line)"\s*:\s*("(?:[^"\\]|\\.)*")\s*,?\s*$')
_ENVELOPE = lazy_regex(r'\s*(?:[\[\]{}]+,?|"[^"]{1,200}"\s*:\s.*)\s*$')
_MAX = 4 * 64 * 1024


def unwrap(text: str) -> Peeled | None:
    """The message inside a JSON line with a time (or docker's stream) beside it; `None` for any other JSON."""
    if not text.startswith("{") or len(text) > _MAX or not text.rstrip().endswith("}"):
        return None
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    for layer in (entry, *(entry[nest] for nest in _NESTS if isinstance(entry.get(nest), dict))):
        message = _message(layer)
        if message is None:
            continue
        stamp = _stamp(layer) or _stamp(entry)
        if stamp or "stream" in layer:
            partial = "stream" in layer and layer.get("log") is message and not message.endswith("\n")
            return Peeled(message.removesuffix("\n"), stamp, _first_text(layer, entry), ("json",), partial)
    return None


def field(text: str) -> Peeled | None:
    """The message's own line of a JSON document that is printed over many lines; its other lines are empty.

    Ambiguous, so only where a file's head has SGLang's headers in such messages.
    """
    found = _FIELD.match(text)
    if not found:
        return Peeled("", None, "", ("json",)) if _ENVELOPE.match(text) else None
    try:
        message = json.loads(found[1])
    except ValueError:
        return None
    return Peeled(message.removesuffix("\n"), None, "", ("json",))


def _message(entry: dict[str, Any]) -> str | None:
    for key in _MESSAGE:
        value = entry.get(key)
        if isinstance(value, str):
            return value
        if key == "MESSAGE" and isinstance(value, list):  # journald gives bytes where the text is not plain
            return bytes(byte for byte in value if isinstance(byte, int) and 0 <= byte < 256).decode("utf-8", "replace")  # noqa: PLR2004
    return None


def _stamp(entry: dict[str, Any]) -> Stamp | None:
    for key in _TIME:
        value = entry.get(key)
        if isinstance(value, str) and (stamp := stamps.iso(value) or stamps.epoch(value)):
            return stamp
        if isinstance(value, int | float) and (stamp := stamps.epoch(repr(value))):
            return stamp
    return None


def _first_text(*entries: dict[str, Any]) -> str:
    return next((value for key in _NODE for entry in entries if (value := _at(entry, key))), "")


def _at(entry: dict[str, Any], path: str) -> str:
    value: Any = entry
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
