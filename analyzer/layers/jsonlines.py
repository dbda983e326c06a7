"""Log lines that a collector wrapped into JSON objects, one per line or a list of them on one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from analyzer.expression import lazy_regex
from analyzer.layers import stamps
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from analyzer.evidence import Stamp

MESSAGE = (
    "message", "log", "msg", "MESSAGE", "textPayload", "line", "body", "_raw", "event.original", "@message",
    "Log", "Log_s", "LogMessage", "LogEntry",
)  # fmt: skip
TIME = (
    "@timestamp", "timestamp", "time", "ts", "Timestamp", "__REALTIME_TIMESTAMP", "_SOURCE_REALTIME_TIMESTAMP",
    "receiveTimestamp", "_time", "date", "eventTime", "TimeStamp", "TimeGenerated",
)  # fmt: skip
_NODE = (
    "kubernetes.pod.name", "kubernetes.pod_name", "resource.labels.pod_name", "labels.pod", "labels.pod_name",
    "pod", "pod_name", "podName", "PodName", "container_name", "kubernetes.container_name", "host.name",
    "host.hostname", "hostname", "_HOSTNAME", "host", "node", "instance", "labels.hostname", "labels.host",
    "labels.node_name", "labels.node", "labels.instance", "labels.container", "fields.pod", "fields.pod_name",
    "fields.hostname", "fields.instance", "fields.container", "ContainerName_s", "@logStream",
)  # fmt: skip
_PATHS = tuple((key, *key.split(".")) for key in _NODE)  # a key may be written in full, or lead through objects
_DOCKER = frozenset({"log", "stream", "time", "attrs"})  # of its own files; a collector may leave the line end out
_STERN = "podName"  # stern's JSON tells no time
_NESTS = ("_source", "jsonPayload", "fields", "result", "content", "attributes")
_FIELD = lazy_regex(
    r'\s*"(?:message|log|msg|MESSAGE|textPayload|line|@message|Log(?:_s|Message|Entry)?)"\s*:\s*("(?:[^"\\]|\\.)*")\s*,?\s*$'
)
_ENVELOPE = lazy_regex(r'\s*(?:[\[\]{}]+,?|"[^"]{1,200}"\s*:\s.*)\s*$')
_MAX = 4 * 64 * 1024
_CUT = 64 * 1024  # characters of a line that are kept
_ESCAPE = lazy_regex(r"\\u[0-9a-fA-F]{0,3}$|(?<!\\)(?:\\\\)*\K\\$")  # half of one, at the end
_ENDS = ('"}', '"}}', '"}}}')


def unwrap(text: str) -> Peeled | None:
    """The message inside a JSON line with a time (or a stream, a pod) beside it; `None` for any other JSON."""
    entry = _loaded(text, "{}")
    if entry is None and len(text) >= _CUT and text.startswith("{"):
        entry = _completed(text)
    return unwrapped(entry) if isinstance(entry, dict) else None


def unwrap_list(text: str) -> Peeled | None:
    """The messages of a list of such objects that a collector wrote on one line; `None` where one of them is none."""
    entries = _loaded(text, "[]") if text.startswith("[{") else None
    if not isinstance(entries, list):
        return None
    found = [unwrapped(entry) if isinstance(entry, dict) else None for entry in entries]
    peeled = [each for each in found if each is not None]
    if not peeled or len(peeled) < len(entries):
        return None
    each = tuple(one._replace(partial=False) for one in peeled)
    return each[0]._replace(text="\n".join(one.text for one in each), each=each) if len(each) > 1 else each[0]


def _loaded(text: str, brackets: str) -> Any:
    if not text.startswith(brackets[0]) or len(text) > _MAX or not text.rstrip().endswith(brackets[1]):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _completed(text: str) -> Any:
    """The object of a line that was cut for its length inside one of its texts, with this text as far as it goes."""
    whole = _ESCAPE.sub("", text)
    for end in _ENDS:
        try:
            return json.loads(whole + end)
        except (ValueError, RecursionError):
            continue
    return None


def unwrapped(entry: dict[str, Any]) -> Peeled | None:
    """The message of a collector's entry; `None` where it has none, or where nothing says that a collector wrote it."""
    for layer in (entry, *(entry[nest] for nest in _NESTS if isinstance(entry.get(nest), dict))):
        message = _message(layer)
        if message is None:
            continue
        stamp = stamp_of(layer) or stamp_of(entry)
        if stamp or "stream" in layer or _STERN in layer:
            partial = _DOCKER.issuperset(layer) and layer.get("log") is message and not message.endswith("\n")
            text = tagged(layer, message.removesuffix("\n"))
            return Peeled(text, stamp, origin(layer, entry), ("json",), partial)
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


def quoted(text: str) -> Peeled | None:
    """A message by itself in JSON's quotes, as `jq .log` prints it.

    Ambiguous, so only where a file's head has SGLang's headers in such quotes.
    """
    if not text.startswith('"') or not text.endswith('"'):
        return None
    try:
        message = json.loads(text)
    except ValueError:
        return None
    return Peeled(message.removesuffix("\n"), None, "", ("json",)) if isinstance(message, str) else None


def tagged(entry: dict[str, Any], message: str) -> str:
    """A message of the journal with the kernel's tag, by which its messages are known."""
    return f"kernel: {message}" if entry.get("_TRANSPORT") == "kernel" else message


def stamp_of(entry: dict[str, Any]) -> Stamp | None:
    """The time that a collector gave an entry."""
    for key in TIME:
        value = _only(entry.get(key))
        if isinstance(value, str) and (stamp := _stamp(value)):
            return stamp
        if isinstance(value, int | float) and (stamp := stamps.epoch(repr(value))):
            return stamp
    return None


def _stamp(text: str) -> Stamp | None:
    return stamps.iso(text) or stamps.at_time(text) or stamps.epoch(text) or stamps.american(text)


def origin(*entries: dict[str, Any]) -> str:
    """Where an entry comes from: its pod, container or host; empty where it does not tell."""
    for path in _PATHS:
        for entry in entries:
            if (path[0] in entry or path[1] in entry) and (value := _at(entry, path)):
                return value
    return ""


def _message(entry: dict[str, Any]) -> str | None:
    for key in MESSAGE:
        value = _only(entry.get(key))
        if isinstance(value, str):
            return value
        if key == "MESSAGE" and isinstance(value, list):  # journald gives bytes where the text is not plain
            return bytes(byte for byte in value if isinstance(byte, int) and 0 <= byte < 256).decode("utf-8", "replace")  # noqa: PLR2004
    return None


def _only(value: Any) -> Any:
    """The text of a list of one text, as Elasticsearch gives it where fields are asked for."""
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) else value


def _at(entry: dict[str, Any], path: tuple[str, ...]) -> str:
    value: Any = entry.get(path[0])
    if value is None:
        value = entry
        for key in path[1:]:
            value = value.get(key) if isinstance(value, dict) else None
    value = _only(value)
    return value if isinstance(value, str) else ""
