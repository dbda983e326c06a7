"""Whose ends they are, where tools tell of several containers, pods, units or jobs: only the server's concern it.

What is known as the server's, by name, image or command in any of the tools, or because its log is here under its name,
is its own; then the others are bystanders. Where none is known, one alone may be the server, and of several none is
taken for it. Whatever is set aside stays as a fact under its owner's name.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.launches.nodes import tokens
from analyzer.parsers.bystanders import ENDS, serves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.launches.model import Launch, Timed

ASIDE = "end of "
UNPLACED = "unplaced end of "
_UNITS = (".service", ".scope", ".slice")
_COUNTED = lazy(r"-\d{1,4}$|-[a-z0-9]{5,10}-[a-z0-9]{5}$|-\d{1,4}-\d{1,4}$")  # of a set, a deployment, a leader's group
_NUMBER = lazy(r"\d{3,12}")
_JOB_LOG = lazy(r"slurm[-_](?:\w+[-_])?(\d{1,12})\b")
_JOB = lazy(r"(\d{1,12})(?:[._]\w{1,20})?$")
_KINDS = ("pod", "container", "unit", "job")


@dataclass(slots=True)
class _Known:
    """The owners at one node: those that are the server's, those that are not, and those of which nothing tells."""

    servers: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)
    _fates: dict[str, str] = field(default_factory=dict)
    _ours: set[str] = field(default_factory=set)
    _rivals: set[str] = field(default_factory=set)

    def place(self, owner: str, *, told: bool | None, own: bool) -> None:
        """Takes an owner in, as one word of it tells; one that any word calls the server is it.

        `own`: somebody asked for it by a tool, or it stands in the launch's own log, or there is none.
        """
        self.heard |= {owner} if own else set()
        (self.unknown if told is None else self.servers if told else self.others).add(owner)

    def settle(self, spoken: set[str]) -> None:
        """Takes those for the server that go by these names, as pods do; of a pod's containers only one alone."""
        self.others -= self.servers
        own = {server for server in self.servers if _by_name(server) in spoken}
        for family in {_family(server) for server in own}:  # SGLang may serve other models beside this one
            kin = {server for server in self.servers if _family(server) == family}
            self.others |= {
                server for server in kin if not any(_same(server, one) or _same(one, server) for one in own)
            }
        self.servers -= self.others
        self.unknown -= self.servers | self.others
        named: dict[str, set[str]] = defaultdict(set)
        for owner in self.unknown:
            named[_by_name(owner)].add(owner)
        told = {_by_name(server) for server in self.servers}
        for name, found in named.items():
            if name not in told and len(_sets(found)) == 1 and (name in spoken or serves(name)):
                self.servers |= found
        self.unknown -= self.servers
        self._ours, self._rivals = _sets(self.servers), _sets(self.unknown)

    def fate(self, owner: str) -> str:
        """What an end of this owner is called as a fact; empty where it is the server's."""
        if owner not in self._fates:
            self._fates[owner] = self._judged(owner)
        return self._fates[owner]

    def _judged(self, owner: str) -> str:
        own = set_of(owner)
        if any(_alike(own, server) for server in self._ours):
            return ""
        family = _family(owner)
        kin = any(_family(server) == family for server in self._ours)
        if owner not in self.unknown or kin or (self.servers and family == "unit"):
            return ASIDE
        if family == "unit" and owner not in self.heard:  # a host has hundreds of them
            return UNPLACED
        rivals = (one for one in self._rivals if _family(one) == family)
        return "" if all(_alike(one, own) or _alike(own, one) for one in rivals) else UNPLACED


def set_aside(launch: Launch) -> None:
    """Turns ends that are another's, or may be, into facts; in place."""
    known: dict[str, _Known] = defaultdict(_Known)
    speakers = {t.event.where.node for t in launch.events} - {""}
    for item in (*launch.outside, *launch.events):
        owner = _owner(item.event)
        if owner:
            told = _by_words(item.event, owner)
            own = item.ref.source in launch.sources
            if told is None and own and speakers and _unmarked(item.event, speakers):
                told = False
            shown = isinstance(item.event, ev.Workload)
            known[item.node].place(owner, told=told, own=own or shown or not launch.sources)
    spoken = _spoken(launch)
    for node, owners in known.items():
        owners.servers |= _jobs(launch, node)
        owners.settle(spoken)
    launch.outside = [_told(item, known[item.node]) for item in launch.outside]
    aside = [t for t in launch.events if isinstance(t.event, ev.KilledPrinted) and _told(t, known[t.node]) is not t]
    if aside:
        launch.events = [t for t in launch.events if t not in aside]
        launch.outside += [_told(t, known[t.node]) for t in aside]


def _by_words(event: ev.Event, owner: str) -> bool | None:
    """What a tool shows, else what the name and the image say."""
    told = getattr(event, "server", None)
    return serves(_name(owner).rpartition("/")[2], getattr(event, "image", "")) if told is None else told


def _unmarked(event: ev.Event, speakers: set[str]) -> bool:
    """Whether compose tells of the end of a service, and it is none of those whose lines the launch is made of."""
    return isinstance(event, ev.ExitCode) and event.said_by == "compose" and event.owner not in speakers


def served(items: Iterable[Timed[ev.Event]]) -> dict[str, str]:
    """The owners that the tools tell to be the server, by their names without the kind."""
    return {_name(t.event.owner): t.event.owner for t in items if isinstance(t.event, ev.Workload) and t.event.server}


def _told(item: Timed[ev.Event], known: _Known) -> Timed[ev.Event]:
    """The item, or the fact that stays of it."""
    owner = "" if isinstance(item.event, ev.Workload) else _owner(item.event)
    fate = known.fate(owner) if owner else ""
    return replace(item, event=_fact(fate + owner, item.event)) if fate else item


def _fact(name: str, event: ev.Event) -> ev.Fact:
    words = [getattr(event, key, "") for key in ("act", "probe", "reason", "detail")]
    code = getattr(event, "code", None)
    words += [str(int(code.value))] if code is not None else []
    words += ["OOM"] if getattr(event, "oom", None) else []
    value = " ".join(word for word in words if word)[:200]
    return ev.Fact(where=event.where, text=event.text, count=event.count, name=name, value=value, amount=code)


def _owner(event: ev.Event) -> str:
    """What an end or a listing is of, with its kind; empty where it is not told, or where it is no end."""
    if isinstance(event, (ev.KilledPrinted, ev.OomKill)):
        return _kind(event.command) if event.command.endswith(_UNITS) else ""
    if not isinstance(event, (*ENDS, ev.Workload)):
        return ""
    told = event.owner or getattr(event, "container", "").removeprefix("StepId=")
    if event.owner.isdigit() and isinstance(event, ev.ExitCode):  # a process that is told by its number
        return ""
    return _kind(told) if event.owner or told.endswith(_UNITS) or _JOB.match(told) else ""


def _kind(told: str) -> str:
    """The name with its kind, which the words of a log leave out."""
    if told.partition(" ")[0] in _KINDS and " " in told:
        return told
    job = _JOB.match(told)
    return f"unit {told}" if told.endswith(_UNITS) else f"job {job[1]}" if job else f"container {told}"


def _name(owner: str) -> str:
    return owner.partition(" ")[2]


def _by_name(owner: str) -> str:
    """The name by which a log may be called: the pod's, or a unit's without its ending."""
    return _name(owner).partition("/")[0].removesuffix(".service").lower()


def _family(owner: str) -> str:
    """What can stand for each other: a pod's container is a container."""
    kind = owner.partition(" ")[0]
    return "container" if kind == "pod" else kind


def _same(owner: str, server: str) -> bool:
    """Whether it is the server, a replica of its set, its pod, or its container without the pod's name."""
    return _alike(set_of(owner), set_of(server))


def _alike(owner: str, server: str) -> bool:
    """The same of sets."""
    if _family(owner) != _family(server):
        return False
    one, other = _name(owner), _name(server)
    lies_in = f"{other}/".startswith(f"{one}/") or f"{one}/".startswith(f"{other}/")
    return lies_in or ("/" not in one and one == other.rpartition("/")[2])


def set_of(owner: str) -> str:
    """The set that a pod is a replica of, with the container in it; of other kinds nothing tells that they are one."""
    pod, slash, container = owner.partition("/")
    return f"{_COUNTED.sub('', pod) if pod.startswith('pod ') else pod}{slash}{container}"


def _sets(owners: Iterable[str]) -> set[str]:
    """Each set once, as there may be thousands of replicas."""
    return {set_of(owner) for owner in owners}


def _jobs(launch: Launch, node: str) -> set[str]:
    """The batch jobs that the launch itself names: by its logs' names, by what stands in them, by its environment."""
    named = (found[1] for source in launch.sources for found in _JOB_LOG.finditer(source))
    jobs = {f"job {number}" for number in named}
    for item in launch.outside:
        event = item.event
        if isinstance(event, ev.Fact) and event.name == "env.SLURM_JOB_ID" and item.node == node:
            jobs.add(f"job {event.value}")
        elif isinstance(event, ENDS) and item.ref.source in launch.sources and _family(_owner(event)) == "job":
            jobs.add(_owner(event))
    return jobs


def _spoken(launch: Launch) -> set[str]:
    """By what names the logs of the launch go: those of their files, and what stands before their lines."""
    names: set[str] = {t.event.where.node.lower() for t in launch.events if t.event.where.node}
    for source in launch.sources:
        stem = source.replace("!", "/").rpartition("/")[2].lower()
        names |= {stem.removesuffix(".gz").rpartition(".")[0], *tokens(source), *_NUMBER.findall(stem)}
    return names - {""}
