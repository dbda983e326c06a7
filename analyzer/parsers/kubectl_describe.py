"""`kubectl describe` of a pod: limits, how containers ended, how they are probed, the events; of a node; of a workload.

A workload (deployment, stateful set, job, …) tells the same of its pods' template, and how many of them there are.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import CgroupMemory, CommandLine, ExitCode, Fact, HostNote, OrchestratorAct, ProbeSettings
from analyzer.expression import lazy
from analyzer.parsers import pod_events
from analyzer.parsers.argv import command_line
from analyzer.parsers.block import Block
from analyzer.parsers.bystanders import ENDS, serves, workload
from analyzer.parsers.images import release
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "kubectl-describe"
HEADS = ("Name:  ", "Containers:", "Events:", "Last State:", "Limits:")

_HEAD = lazy(
    r"Name: {2,}[a-z0-9][\w.-]{0,252}$|(?:Init )?Containers:$|Events: *$| *Last State: {2,}Terminated$| *Limits:$"
)
_KEYS = """
Name Namespace Priority Priority_Class_Name Service_Account Node Start_Time Labels Annotations Status Status_Message
Reason Message IP IPs Controlled_By Init_Containers Containers Conditions Volumes QoS_Class Node-Selectors Tolerations
Topology_Spread_Constraints Events Runtime_Class_Name SeccompProfile NominatedNodeName Ephemeral_Containers
Roles CreationTimestamp Taints Unschedulable Lease Addresses Capacity Allocatable System_Info PodCIDR PodCIDRs
ProviderID Non-terminated_Pods Allocated_resources
Selector Replicas StrategyType MinReadySeconds RollingUpdateStrategy Pod_Template OldReplicaSets NewReplicaSet
Update_Strategy Pods_Status Pods_Statuses Volume_Claims Node-Selector Desired_Number_of_Nodes_Scheduled
Current_Number_of_Nodes_Scheduled Number_of_Nodes_Scheduled_with_Up-to-date_Pods
Number_of_Nodes_Scheduled_with_Available_Pods Number_of_Nodes_Misscheduled Parallelism Completions Completion_Mode
Suspend Backoff_Limit Completed_At Duration Active_Deadline_Seconds TTL_Seconds_After_Finished Failed_Indexes
Completed_Indexes Pod_Failure_Policy Pod_Management_Policy
"""
_TOP = frozenset(key.replace("_", " ") for key in _KEYS.split())
_PAIR = lazy(r"([A-Za-z][\w./ -]{0,80}):(?: +(.*))?$")
_EVENT = lazy(
    r" *(?:Normal|Warning) +([A-Z]\w{2,60}) +((?:\d\S{0,20}|<unknown>)(?: \(x\d{1,7} over \S{1,20}\))?)"
    r" +\S{1,80} +(\S.*)$"
)
_EVENTS_HEADER = lazy(r" +(?:Type +Reason +Age|-{4} +-{4})")
_PROBE = lazy(r"(delay|timeout|period)=(\d{1,7})s|#(failure)=(\d{1,7})")
_COUNTED = {
    "Replicas": "replicas",
    "Pods Status": "pods",
    "Pods Statuses": "pods",
    "Active Deadline Seconds": "deadline",
}
_BY_CHANCE = ("Completions", "Desired Number of Nodes Scheduled")  # whose pods have names that do not tell their set
_PROBES = frozenset({"Liveness", "Readiness", "Startup"})
_STATES = frozenset({"State", "Last State"})

_Path = tuple[str, ...]


class _Told(NamedTuple):
    """A value and where it stands."""

    value: str
    line: Text


class _Pod(NamedTuple):
    """Everything that stands as `key: value`, by its path of headings; listed words; the rows of the events."""

    values: dict[_Path, _Told]
    words: dict[_Path, list[str]]
    events: list[Event]


def claims(head: str, _around: Around) -> bool:
    """The pod's name over a wide gap, or a section that an excerpt may begin with."""
    return _HEAD.match(head.rstrip()[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One pod: values by their headings, then what they mean."""
    pod = _Pod({}, {}, [])
    headings: list[tuple[int, str]] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:4000]
        if not text:
            continue
        in_events = bool(headings) and headings[0][1] == "Events"
        if not _is_pods(text, first=number == 1, in_events=in_events) or (number > 1 and text.startswith("Name:")):
            break
        _note(pod, headings, line, around)
        used = number
    told = (
        _node(pod, around),
        _workload(pod, around),
        _limits(pod, around),
        _ends(pod, around),
        _others(pod, around),
        _acts(pod),
    )
    events = [*_owners(pod, around), *(event for events in told for event in events)]
    return Block(max(used, 1), used, events)


def _is_pods(text: str, *, first: bool, in_events: bool) -> bool:
    """Whether a line belongs to the description: one of its keys, or indented; under the events only their rows."""
    if text[0] != " ":
        return first or text.partition(":")[0] in _TOP
    return not in_events or bool(_EVENT.match(text) or _EVENTS_HEADER.match(text))


def _note(pod: _Pod, headings: list[tuple[int, str]], line: Text, around: Around) -> None:
    text = line.text.rstrip()[:4000]
    row = _EVENT.match(text)
    if row:
        on = pod.values[("Name",)].value if ("Name",) in pod.values else ""
        seen = pod_events.times(row[2], row[3])
        event = pod_events.event(row[1], row[3], around.at(line), line.quoted, on, count=seen)
        pod.events.append(event)
        return
    depth = len(text) - len(text.lstrip())
    while headings and headings[-1][0] >= depth:
        headings.pop()
    path = tuple(name for _, name in headings if name != "Pod Template")
    pair = _PAIR.match(text.lstrip())
    if pair:
        headings.append((depth, pair[1]))
        pod.values.setdefault((*path, pair[1]), _Told((pair[2] or "").strip(), line))
    elif path:
        pod.words.setdefault(path, []).append(text.strip())


def _limits(pod: _Pod, around: Around) -> Iterator[Event]:
    """The memory limit of the server's container; where it cannot be told among several, each limit is a fact."""
    limits = {path: told for path, told in pod.values.items() if path[-2:] == ("Limits", "memory")}
    known = _servers(pod)
    alone = not known and len(limits) == 1 and not _of_chance(pod)
    servers = [path for path in limits if path[:2] in known or (alone and _serves(pod, path[:2]) is not False)]
    for path, (value, line) in limits.items():
        limit = size(value, line.ref, decimal=True)
        if limit is None:
            continue
        where, text = around.at(line), line.quoted
        if path in servers:
            group = _owner(pod, path).partition(" ")[2]
            yield CgroupMemory(where=where, text=text, limit=limit, said_by="kubectl describe", group=group)
        elif not known:
            yield Fact(where=where, text=text, name=f"pod.memory-limit {path[-3]}", value=value, amount=limit)


def _serves(pod: _Pod, container: _Path) -> bool | None:
    """Whether a container's image, its command or its name is SGLang's; `None` where none tells."""
    image = pod.values[(*container, "Image")].value if (*container, "Image") in pod.values else ""
    words = [word for key in ("Command", "Args") for word in pod.words.get((*container, key), [])]
    return serves(container[1], image, " ".join(words))


def _servers(pod: _Pod) -> set[_Path]:
    """The containers that are SGLang's, as they ask for GPUs or are shown to serve; none where it cannot be told."""
    containers = {path[:2] for path in pod.values if len(path) > 2 and path[0].endswith("Containers")}  # noqa: PLR2004
    on_gpus = {path[:2] for path in pod.values if path[2:3] == ("Limits",) and path[-1].endswith("/gpu")}
    return {path for path in containers if path in on_gpus or _serves(pod, path) is True}


def _owner(pod: _Pod, path: _Path = ()) -> str:
    """The pod, with the container that a path leads to; empty where neither is named, and for a job's pods."""
    if _of_chance(pod):
        return ""
    name = pod.values[("Name",)].value if ("Name",) in pod.values else ""
    container = path[1] if len(path) > 1 and path[0].endswith("Containers") else ""
    return f"pod {'/'.join(part for part in (name, container) if part)}" if name or container else ""


def _of_chance(pod: _Pod) -> bool:
    return any((key,) in pod.values for key in _BY_CHANCE)


def _owners(pod: _Pod, around: Around) -> Iterator[Event]:
    """Each container, and whether it is SGLang's by its image, its command or its name."""
    for path, (_, line) in pod.values.items():
        owner = _owner(pod, path)
        if owner and len(path) == 2 and path[0].endswith("Containers"):  # noqa: PLR2004 - the kind and the name
            told = pod.values.get((*path, "Container ID"))
            ids, argv = (told.value,) if told else (), _argv(pod, path) or ()
            yield workload(owner, around.at(line), line.quoted, server=_serves(pod, path), ids=ids, argv=argv)


def _acts(pod: _Pod) -> Iterator[Event]:
    """The pod's events, but for what was done to containers beside the server's."""
    servers = {name for _, name in _servers(pod)}
    for event in pod.events:
        owner = pod_events.owner(_owner(pod).partition(" ")[2], event)
        named = owner.partition("/")[2]
        if not isinstance(event, ENDS):
            yield event
        elif not servers or not named or named in servers:
            yield replace(event, owner=owner)


def _ends(pod: _Pod, around: Around) -> Iterator[Event]:
    """How containers ended or what they wait for, but for those beside the server's; a pod that was evicted."""
    servers = _servers(pod)
    for path, (state, line) in pod.values.items():
        if path[-1] not in _STATES or (servers and path[:2] not in servers):
            continue
        reason, code, finished = (pod.values.get((*path, key)) for key in ("Reason", "Exit Code", "Finished"))
        if state == "Terminated" and code:
            stamp = moment(finished.value) if finished else None
            yield ExitCode(
                where=around.at(code.line._replace(stamp=stamp) if stamp else code.line),
                text=code.line.quoted,
                code=count(code.value, code.line.ref),
                reason=reason.value if reason else "",
                oom=True if reason and reason.value == "OOMKilled" else None,  # another reason excludes nothing
                container=path[1] if path[0].endswith("Containers") else "",
                owner=_owner(pod, path),
            )
        elif state == "Waiting" and reason:
            yield Fact(where=around.at(line), text=line.quoted, name="pod.waiting", value=reason.value)
    evicted = pod.values.get(("Reason",))
    if evicted and evicted.value == "Evicted":
        message = pod.values.get(("Message",), evicted).value
        where, text = around.at(evicted.line), evicted.line.quoted
        yield OrchestratorAct(where=where, text=text, act="evicted", reason=message, owner=_owner(pod))


def _others(pod: _Pod, around: Around) -> Iterator[Event]:
    """How containers are probed, restarted and started, and from which image."""
    for path, (value, line) in pod.values.items():
        where = around.at(line)
        if path[-1] in _PROBES and "delay=" in value:
            yield _settings(path[-1].lower(), value, line, around)
        elif path[-1] == "Restart Count":
            amount = count(value, line.ref)
            yield Fact(where=where, text=line.quoted, name="pod.restart-count", value=value, amount=amount)
        elif path[-1] == "Image":
            yield from release(value, where)
    for path in pod.words:
        if path[-1] in {"Command", "Args"} and (path[-1] == "Command" or (*path[:-1], "Command") not in pod.words):
            argv = _argv(pod, path[:-1])
            if argv is not None:
                line = pod.values[path].line
                yield CommandLine(where=around.at(line), text=shlex.join(argv)[:400], argv=argv)


def _argv(pod: _Pod, container: _Path) -> tuple[str, ...] | None:
    """The command line of a server that a container was started with."""
    words = [word for key in ("Command", "Args") for word in pod.words.get((*container, key), [])]
    return command_line(" ".join(words) if any(" " in word for word in words) else shlex.join(words))


def _node(pod: _Pod, around: Around) -> Iterator[Event]:
    """On which node a pod runs; how much memory a node has, and what it is short of."""
    scheduled = pod.values.get(("Node",))
    if scheduled and "/" in scheduled.value:
        place, text = around.at(scheduled.line), scheduled.line.quoted
        yield Fact(where=place, text=text, name="pod.node", value=scheduled.value.partition("/")[0])
    capacity, name = pod.values.get(("Capacity", "memory")), pod.values.get(("Name",))
    memory = size(capacity.value, capacity.line.ref) if capacity else None
    if capacity and memory is not None:
        host = name.value if name else ""
        yield HostNote(where=around.at(capacity.line), text=capacity.line.quoted, memory=memory, host=host)
    for row in pod.words.get(("Conditions",), ()):
        condition, _, rest = row.partition(" ")
        if condition.endswith("Pressure") and rest.lstrip().startswith("True"):
            line = pod.values["Conditions",].line
            yield Fact(
                where=around.at(line), text=line.quoted, name=f"node.{condition}", value=" ".join(row.split())[:200]
            )


def _workload(pod: _Pod, around: Around) -> Iterator[Event]:
    """How many pods a workload has and wants, and which of its conditions hold."""
    for key, name in _COUNTED.items():
        told = pod.values.get((key,))
        if told:
            where, text = around.at(told.line), told.line.quoted
            yield Fact(where=where, text=text, name=f"workload.{name}", value=told.value[:200])
    if ("Replicas",) in pod.values and ("Conditions",) in pod.values:
        line = pod.values["Conditions",].line
        for row in pod.words.get(("Conditions",), ())[2:]:  # below the header and its rule
            condition, *rest = row.split()
            name = f"workload.condition {condition[:60]}"
            yield Fact(where=around.at(line), text=line.quoted, name=name, value=" ".join(rest)[:200])


def _settings(probe: str, value: str, line: Text, around: Around) -> ProbeSettings:
    told = {name or failure: seconds or number for name, seconds, failure, number in _PROBE.findall(value[:1000])}
    return ProbeSettings(
        where=around.at(line),
        text=line.quoted,
        probe=probe,
        delay=count(told.get("delay", ""), line.ref, "s"),
        period=count(told.get("period", ""), line.ref, "s"),
        failures=count(told.get("failure", ""), line.ref),
        timeout=count(told.get("timeout", ""), line.ref, "s"),
    )
