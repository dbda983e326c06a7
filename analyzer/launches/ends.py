"""Whose ends they are, where tools tell of several containers, pods, units or jobs: only the server's concern it.

What is known as the server's, by name, image or command in any of the tools, or because its log is here under its name,
is its own; then the others are bystanders. Where none is known, one alone may be the server, and of several none is
taken for it. Whatever is set aside stays as a fact under its owner's name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.launches.control_groups import UID, Listed, Place, ids_of, job_of, named_in
from analyzer.launches.nodes import tokens
from analyzer.launches.own_command import with_the_command_of
from analyzer.launches.owners import Sets, family_of, grouping, itself, name_of, pod_of, set_of
from analyzer.parsers.bystanders import ENDS, serves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from analyzer.launches.model import Launch, Timed

ASIDE = "end of "
UNPLACED = "unplaced end of "
_UNITS = (".service", ".scope", ".slice")
_NUMBER = lazy(r"\d{3,12}")
_JOB_LOG = lazy(r"slurm[-_](?:[a-z]\w*[-_])?(\d{1,12}(?:_\d{1,6})?)(?:\D|$)")
_JOB = lazy(r"(\d{1,12}(?:_\d{1,6})?)(?:[.+_]\w{1,20})?$")  # of an array each task is a job
_KINDS = ("pod", "container", "unit", "job")
_COUNTED = lazy(r"[-_]\d{1,4}$")  # as compose counts the containers of a service
_ANYBODYS = frozenset({"sglang", "server", "log", "logs", "main", "app"})  # names of logs that name no one server


@dataclass(slots=True)
class _Known:
    """The owners at one node: those that are the server's, those that are not, and those of which nothing tells.

    `grouped` gives for each the group whose members stand for each other.
    """

    grouped: Callable[[str], str]
    servers: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)
    unlisted: set[str] = field(default_factory=set)  # owners of control groups that no tool lists
    _spoken_for: set[str] = field(default_factory=set)  # families
    _fates: dict[str, str] = field(default_factory=dict)
    _ours: Sets = field(default_factory=Sets)
    _rivals: Sets = field(default_factory=Sets)
    _several: set[str] = field(default_factory=set)

    def place(self, owner: str, *, told: bool | None, own: bool) -> None:
        """Takes an owner in, as one word of it tells; one that any word calls the server is it.

        `own`: somebody asked for it by a tool, or it stands in the launch's own log, or there is none.
        """
        self.heard |= {owner} if own else set()
        (self.unknown if told is None else self.servers if told else self.others).add(owner)

    def settle(self, spoken: set[str], shown: set[str]) -> None:
        """Takes those for the server that go by these names, as pods do; of a pod's containers only one alone.

        `shown` are known to be its own by more than a name.
        """
        self.servers = _made(self.servers | shown, self.servers | self.unknown)
        self.others -= self.servers
        own = shown or _called(self.servers, spoken)
        families, spoken_for = {family_of(server) for server in own}, Sets(own, self.grouped)
        for server in self.servers:  # SGLang may serve other models beside this one
            one = self.grouped(server)
            if family_of(server) in families and not (spoken_for.has(one) or spoken_for.has_part(one)):
                self.others.add(server)
        self._spoken_for = families
        self.servers -= self.others
        self.unknown -= self.servers | self.others
        named: dict[str, set[str]] = defaultdict(set)
        for owner in self.unknown:
            named[_by_name(owner)].add(owner)
        told = {_by_name(server) for server in self.servers}
        for name, found in named.items():
            if (
                name not in told
                and len({self.grouped(owner) for owner in found}) == 1
                and (name in spoken or serves(name))
            ):
                self.servers |= found
        self.unknown -= self.servers
        self._ours, self._rivals = Sets(self.servers, self.grouped), Sets(self.unknown, self.grouped)
        groups = {(family_of(server), pod_of(self.grouped(server))) for server in self.servers - own}
        counts = Counter(family for family, _ in groups)
        self._several = {family for family, count in counts.items() if count > 1} - {family_of(one) for one in own}

    def fate(self, owner: str) -> str:
        """What an end of this owner is called as a fact; empty where it is the server's."""
        if owner not in self._fates:
            self._fates[owner] = self._judged(owner)
        return self._fates[owner]

    def _judged(self, owner: str) -> str:
        family = family_of(owner)
        if owner in self.unlisted:  # of a container that is gone, or of one that the server's replaced
            return UNPLACED if family in self._spoken_for else ""
        if self._ours.has(self.grouped(owner)):
            return UNPLACED if family in self._several else ""
        kin = family in self._ours.families
        if owner not in self.unknown or kin or (self.servers and family == "unit"):
            return ASIDE
        if family == "unit" and owner not in self.heard:  # a host has hundreds of them
            return UNPLACED
        own = Sets([owner], self.grouped)
        rivals = self._rivals.families.get(family, ())
        return "" if all(own.has(one) or own.has_part(one) for one in rivals) else UNPLACED


def _made(servers: set[str], owners: set[str]) -> set[str]:
    """The servers, with the pods that were made of a template in place of it, where there are any."""
    made: dict[str, set[str]] = defaultdict(set)
    for owner in owners:
        pod = pod_of(owner)
        if set_of(pod) != pod:
            made[set_of(pod)].add(owner)
    templates = {server for server in servers if pod_of(server) in made}
    return (servers - templates).union(*(made[pod_of(template)] for template in templates))


def set_aside(launch: Launch) -> None:
    """Turns ends that are another's, or may be, into facts; in place."""
    whose = _Whose(launch)
    owners = {owner for item in (*launch.outside, *launch.events) if (owner := whose.place(item).owner)}
    grouped = grouping(owners) if (launch.arguments.count("nnodes", 1) or 1) > 1 else itself
    known: dict[str, _Known] = defaultdict(lambda: _Known(grouped))
    speakers = {t.event.where.node for t in launch.events} - {""}
    for item in (*launch.outside, *launch.events):
        node, owner = whose.place(item)
        if owner:
            told = _by_words(item.event, owner)
            own = item.ref.source in launch.sources
            if told is None and own and speakers and _unmarked(item.event, speakers):
                told = False
            shown = isinstance(item.event, ev.Workload)
            known[node].place(owner, told=told, own=own or shown or not launch.sources)
    spoken = _spoken(launch)
    jobs = _jobs(launch)
    for node, here in known.items():
        here.servers |= jobs[""] | jobs[node]
        here.unlisted = whose.unlisted
        here.settle(spoken, whose.shown(node))
    launch.outside = [_told(item, *whose.place(item), known) for item in launch.outside]
    printed = {id(t): _told(t, *whose.place(t), known) for t in launch.events if isinstance(t.event, ev.KilledPrinted)}
    kept = [t for t in launch.events if printed.get(id(t), t) is t]
    if len(kept) < len(launch.events):
        launch.outside += [printed[id(t)] for t in launch.events if printed.get(id(t), t) is not t]
        launch.events = kept


def _by_words(event: ev.Event, owner: str) -> bool | None:
    """What a tool shows, else what the name and the image say."""
    told = getattr(event, "server", None)
    return serves(name_of(owner).rpartition("/")[2], getattr(event, "image", "")) if told is None else told


def _unmarked(event: ev.Event, speakers: set[str]) -> bool:
    """Whether compose tells of the end of a service, and it is none of those whose lines the launch is made of."""
    return isinstance(event, ev.ExitCode) and event.said_by == "compose" and event.owner not in speakers


def served(items: Iterable[Timed[ev.Event]]) -> dict[str, str]:
    """The owners that the tools tell to be the server, by their names without the kind."""
    shown = [t.event for t in items if isinstance(t.event, ev.Workload)]
    return {name_of(event.owner): event.owner for event in shown if event.server and not event.rival}


def _told(item: Timed[ev.Event], node: str, owner: str, known: Mapping[str, _Known]) -> Timed[ev.Event]:
    """The item, or the fact that stays of it; what a tool shows is told by now to be the server, or not."""
    here = known[node]
    if isinstance(item.event, ev.Workload):
        told = replace(item.event, server=True) if owner in here.servers else item.event
        rival = bool(told.server) and owner in here.others
        return replace(item, event=replace(told, rival=rival))
    fate = here.fate(owner) if owner else ""
    return replace(item, event=_fact(fate + owner, item.event)) if fate else item


def _fact(name: str, event: ev.Event) -> ev.Fact:
    words = [getattr(event, key, "") for key in ("act", "probe", "reason", "detail", "command")]
    code = getattr(event, "code", None)
    words += [str(int(code.value))] if code is not None else []
    words += ["OOM"] if getattr(event, "oom", None) or (isinstance(event, ev.OomKill) and event.pid) else []
    value = " ".join(word for word in words if word)[:200]
    return ev.Fact(where=event.where, text=event.text, count=event.count, name=name, value=value, amount=code)


class _Whose:
    """Whose every end and every listing is: by its own words, and a kernel's record by the group of its process."""

    def __init__(self, launch: Launch) -> None:
        self._listed = Listed(launch.outside)
        self._logs = {id_ for source in launch.sources for id_ in named_in(source)}
        self._all_named = bool(launch.sources) and all(map(named_in, launch.sources))
        self._shown = {self._listed.place([id_]) or Place("", _short(id_)) for id_ in self._logs}
        self._shown = self._shown or with_the_command_of(launch)
        self.unlisted: set[str] = set()

    def shown(self, node: str) -> set[str]:
        """The owners at a node that are the server's by the name of its log, or by its command line."""
        return {owner for place, owner in self._shown if place in {node, ""}}

    def place(self, item: Timed[ev.Event]) -> Place:
        """The owner, which may be empty, and the node at which it is."""
        owner = _owner(item.event)
        if owner or not isinstance(item.event, ev.OomKill):
            return Place(item.node, owner)
        ids = ids_of(item.event)
        containers = [id_ for id_ in ids if len(id_) > UID]
        listed = self._listed.place(ids)
        if listed is not None or not containers:
            return listed or Place(item.node, job_of(item.event))
        own = next((id_ for id_ in containers if id_ in self._logs), containers[0])
        if not self._all_named and self._listed.containers:
            self.unlisted.add(_short(own))
        return Place(item.node, _short(own) if self._all_named or self._listed.containers else "")


def _short(id_: str) -> str:
    return f"container {id_[:12]}"


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


def _called(servers: set[str], spoken: set[str]) -> set[str]:
    """Those that go by one of the names; else the one whose service or set does: `shop-llm-1` is of service `llm`."""
    named = {server for server in servers if _by_name(server) in spoken}
    services = {server: {_by_name(set_of(server)), *_services(_by_name(server))} for server in servers}
    telling = {name for name in spoken if name not in _ANYBODYS}
    of_one = {server for server, names in services.items() if names & telling}
    return named or (of_one if len(of_one) == 1 else set())


def _services(name: str) -> Iterator[str]:
    """What compose may call the service of a container, with its number and without: all but the project's name."""
    for text in (name, _COUNTED.sub("", name)) if _COUNTED.search(name) else ():
        yield from (text[at + 1 :] for at, letter in enumerate(text) if letter in "-_")


def _by_name(owner: str) -> str:
    """The name by which a log may be called: the pod's, or a unit's without its ending."""
    return name_of(owner).partition("/")[0].removesuffix(".service").lower()


def _jobs(launch: Launch) -> dict[str, set[str]]:
    """The batch jobs that the launch itself names: by its logs' names, by what stands in them; by a node's environment.

    What no environment names stands under the node "".
    """
    found: dict[str, set[str]] = defaultdict(set)
    found[""] = {f"job {found[1]}" for source in launch.sources for found in _JOB_LOG.finditer(source)}
    for item in launch.outside:
        event = item.event
        if isinstance(event, ev.Fact) and event.name == "env.SLURM_JOB_ID":
            found[item.node].add(f"job {event.value}")
        elif isinstance(event, ENDS) and item.ref.source in launch.sources and family_of(_owner(event)) == "job":
            found[""].add(_owner(event))
    return found


def _spoken(launch: Launch) -> set[str]:
    """By what names the logs of the launch go: those of their files, and what stands before their lines."""
    names: set[str] = {t.event.where.node.lower() for t in launch.events if t.event.where.node}
    for source in launch.sources:
        stem = source.replace("!", "/").rpartition("/")[2].lower()
        names |= {stem.removesuffix(".gz").rpartition(".")[0], *tokens(source), *_NUMBER.findall(stem)}
    return names - {""}
