"""`kubectl get events` and `kubectl get pods`, with or without their headers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.events import ExitCode, Fact, OrchestratorAct
from analyzer.expression import lazy
from analyzer.parsers import pod_events
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import ENDS, Row, of_server, serves
from analyzer.parsers.columns import Columns
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "kubectl-get"
HEADS = ("LAST SEEN", "READY", "Normal ", "Warning ")

_AGE = r"(?:\d{4}-\d\d-\d\dT\S{8,24}|<unknown>|(?:\d{1,5}[smhdy]){1,3}(?: \(x\d{1,7} over (?:\d{1,5}[smhdy]){1,3}\))?)"
_OBJECT = (
    r"((?:pod|node|job|deployment|replicaset|statefulset|daemonset|leaderworkerset|service)s?(?:\.\w+)*/[\w.-]{1,253})"
)
_EVENT = lazy(
    rf"\s*(?:(?:[a-z][a-z0-9-]{{0,62}} +)?({_AGE}) +)?(?:Normal|Warning) +([A-Z]\w{{2,60}}) +{_OBJECT} +(.{{0,2000}})$"
)
# What `-o wide` puts around the message: the container and the source, and how often it was seen since when.
_WIDE = lazy(
    r"(?:([\w.]{1,80}\{[^}]{1,253}\}) +)?[a-z][\w-]{1,60}(?:, [\w.-]{1,253})? {2,}(\S.{0,2000}?) {2,}"
    rf"{_AGE} +(\d{{1,7}}) +\S+$"
)
_EVENTS_HEADER = lazy(r"(?:NAMESPACE +)?LAST SEEN +TYPE +REASON +OBJECT +(?:\S+ +){0,4}MESSAGE")
_PODS_HEADER = lazy(r"(?:NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE(?: |$)")
_READY = lazy(r"\d{1,3}/\d{1,3}$")


def claims(head: str, _around: Around) -> bool:
    """A header of either table, or a row of events, which names the kind of its object."""
    line = head[:1000]
    return bool(_EVENTS_HEADER.match(line) or _PODS_HEADER.match(line) or _EVENT.match(head[:3000]))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact or act per row."""
    header = lines[0].text[:1000]
    pods = Columns(header) if _PODS_HEADER.match(header) else None
    headed = pods is not None or _EVENTS_HEADER.match(header) is not None
    rows: list[Row] = []
    for line in lines[int(headed) :]:
        name, found = _pod(pods.row(line.text[:1000]), line, around) if pods else _event(line, around)
        if not found:
            break
        rows.append(Row(f"pod {name}", serves(name), found) if name else Row("", None, found))
    used = int(headed) + len(rows)
    return Block(max(used, 1), used, list(of_server(rows, mentioned=pods is None)))


def _event(line: Text, around: Around) -> tuple[str, list[Event]]:
    """The pod that a row is of, and what it says; nobody where it is of a node or another object, which holds pods."""
    found = _EVENT.match(line.text[:3000])
    if found is None:
        return "", []
    age, reason, on, message = found.groups()
    stamp = moment(age) if age else None
    where = around.at(line._replace(stamp=stamp) if stamp else line)
    name, wide = on.partition("/")[2], _WIDE.match(message)
    part, said = (wide[1] or "", wide[2]) if wide else ("", message.strip())
    seen = pod_events.times(wide[3] if wide else age or "", said)
    event = pod_events.event(reason, said, where, line.quoted, name, count=seen)
    if isinstance(event, ENDS) and on.startswith("pod"):
        event = replace(event, owner=pod_events.owner(name, event, part))
    return name if on.startswith("pod") else "", [event]


def _pod(cells: dict[str, str], line: Text, around: Around) -> tuple[str, list[Event]]:
    """The pod's name, and what its row says."""
    name, status, where = cells.get("NAME", ""), cells.get("STATUS", ""), around.at(line)
    if not _READY.match(cells.get("READY", "")):
        return name, []
    restarts = count(cells.get("RESTARTS", "").split(" ")[0], line.ref)
    value = f"{cells['READY']} {status}"
    told: list[Event] = [Fact(where=where, text=line.quoted, name=f"pod {name}", value=value, amount=restarts)]
    if status == "OOMKilled":
        told.append(ExitCode(where=where, text=line.quoted, reason=status, oom=True, container=name))
    elif status == "Evicted":
        told.append(OrchestratorAct(where=where, text=line.quoted, act="evicted", reason=name))
    return name, told
