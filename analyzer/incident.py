"""The typed view that rules get: one launch in its surroundings, with hosts, processes, neighbours and given facts."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.launches.nodes import tokens
from analyzer.timeline.signs import beyond_warm_up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Instant, Ref
    from analyzer.launches import Arguments, Launch, Timed
    from analyzer.timeline import ProcessLine, Timeline
    from analyzer.units import Amount, Byte, One

E = TypeVar("E", bound=ev.Event)
_ROUNDING = units.assumed("3", "percent", "what firmware and kernel keep of the installed memory")


@immutable
class Given:
    """Facts that the user adds. `ram` by node name, `None` for every host; `as_of` and `tz` as typed."""

    ram: dict[str | None, Amount[Byte]] = field(default_factory=dict)
    gpu_memory: Amount[Byte] | None = None
    gpus: int | None = None
    release: str | None = None
    as_of: str | None = None
    tz: str | None = None


@immutable
class Host:
    """One machine, or the share of it that a container may use.

    `total` is the machine's memory, `cgroup` the container's limit where one is told. `snapshots` are in time order,
    undated ones last. `schedulers` are the processes of this launch that run here. `given` are the facts of the user
    that hold here, `notes` those that do not, since the input says otherwise.
    """

    node: str
    name: str
    total: Amount[Byte] | None
    cgroup: Timed[ev.CgroupMemory] | Timed[ev.OomKill] | None
    snapshots: tuple[Timed[ev.MemorySnapshot], ...]
    schedulers: tuple[ProcessLine, ...]
    given: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def cgroup_limit(self) -> Amount[Byte] | None:
        """The container's limit, where it is one: some tools print a huge number for none."""
        limit = self.cgroup.event.limit if self.cgroup else None
        if limit is None or (self.total is not None and self.total.surely_below(limit)):
            return None
        return limit

    @property
    def limit(self) -> Amount[Byte] | None:
        """What the processes here can use at most: the machine's memory or the container's limit."""
        parts = [a for a in (self.total, self.cgroup_limit) if a is not None]
        return min(parts, key=lambda a: a.value) if parts else None

    def before(self, moment: Instant | None) -> Timed[ev.MemorySnapshot] | None:
        """The last snapshot surely taken before a moment, by its time or by its own words."""
        early = [s for s in self.snapshots if said_before(s) or _earlier(s, moment)]
        return early[-1] if early else None

    def after(self, moment: Instant | None) -> Timed[ev.MemorySnapshot] | None:
        """The last snapshot not surely taken before a moment; an undated one counts, since people snap what is left."""
        late = [s for s in self.snapshots if not said_before(s) and not _earlier(s, moment)]
        return late[-1] if late else None


def said_before(snapshot: Timed[ev.MemorySnapshot]) -> bool:
    """Whether the banner or the file's name says that it was taken before the launch."""
    words = f"{snapshot.event.label} {snapshot.ref.source}".lower()
    return any(w in words for w in ("before", "prior", "pre-launch", "baseline"))


def _earlier(snapshot: Timed[ev.MemorySnapshot], moment: Instant | None) -> bool:
    return snapshot.at is not None and moment is not None and snapshot.at.seconds < moment.seconds - moment.slack


@immutable
class Incident:
    """What a rule may look at. Everything is read-only; nothing here reads a file or a clock."""

    launch: Launch
    timeline: Timeline
    hosts: tuple[Host, ...]
    given: Given
    neighbours: tuple[Launch, ...] = ()

    @property
    def arguments(self) -> Arguments:
        """The server arguments in effect."""
        return self.launch.arguments

    def of(self, *kinds: type[E]) -> list[Timed[E]]:
        """All events of these classes, the server's own in time order, then those from outside."""
        found = self.launch.once(kinds, lambda: _only((*self.launch.events, *self.launch.outside), *kinds))
        return list(found)

    def first(self, *kinds: type[E]) -> Timed[E] | None:
        """The first of `of`."""
        return next(iter(self.of(*kinds)), None)

    def failures(self, *topics: str) -> list[Timed[ev.Failure]]:
        """Decisive error lines about these topics."""
        return [t for t in self.of(ev.Failure) if t.event.topic in topics]

    def notices(self, *topics: str) -> list[Timed[ev.Notice]]:
        """Warnings about these topics."""
        return [t for t in self.of(ev.Notice) if t.event.topic in topics]

    def at_node(self, host: Host, *kinds: type[E]) -> list[Timed[E]]:
        """`of`, for one host."""
        return [t for t in self.of(*kinds) if t.node == host.node]

    @property
    def ready(self) -> bool:
        """Whether the server ever served: its own word, or batch lines."""
        return self.timeline.ready is not None or self.served

    @property
    def served(self) -> bool:
        """Whether batch lines are there, more or larger than a warm-up's, or running requests were thrown back."""
        return beyond_warm_up(self.launch) or self.first(ev.RequestsRetracted) is not None

    def ranks(self, host: Host) -> Amount[One] | None:
        """How many ranks run on a host: those that speak; else what the arguments say, with the line that says it."""
        return _ranks_spoken(self, host) or self.ranks_declared()

    def ranks_declared(self) -> Amount[One] | None:
        """How many ranks the arguments put on each host: TP × PP, times the replicas of plain data parallelism."""
        plain_dp = 1 if self.arguments.flag("enable_dp_attention") else self.arguments.count("dp_size", 1) or 1
        return _ranks_declared(self, plain_dp, "ranks")

    def replica_ranks(self) -> Amount[One] | None:
        """How many ranks of one replica run on a host: what SGLang's guard divides by."""
        return _ranks_declared(self, 1, "ranks of a replica")


def _ranks_spoken(incident: Incident, host: Host) -> Amount[One] | None:
    speaking = [p for p in host.schedulers if p.role == "scheduler" and p.phases]
    declared = incident.ranks_declared()
    refs = tuple(p.phases[0].refs[0] for p in speaking if p.phases[0].refs)
    if not refs or (declared is not None and declared.value > len(speaking)):
        return None
    return units.counted(len(speaking), refs, "ranks that speak on the host").called("ranks")


def _ranks_declared(incident: Incident, replicas: int, name: str) -> Amount[One] | None:
    arguments = incident.arguments
    tp, pp, nodes = (arguments.count(size, 1) or 1 for size in ("tp_size", "pp_size", "nnodes"))
    ref = arguments.ref("tp_size") or arguments.made_at or arguments.said_at
    if ref is None:
        return None
    return units.counted(max(tp * pp * replicas // nodes, 1), (ref,), f"{name} by the arguments").called(name)


def refs_of(items: list[Timed[Any]], most: int = 8) -> tuple[Ref, ...]:
    """The lines of these events, at most so many."""
    return tuple(t.ref for t in items[:most])


def hosts_of(launch: Launch, timeline: Timeline, given: Given) -> tuple[Host, ...]:
    """One host per node that speaks, with what snapshots, notes and the user say of its memory."""
    return tuple(_host(launch, timeline, given, node) for node in launch.nodes)


def _host(launch: Launch, timeline: Timeline, given: Given, node: str) -> Host:
    here = [t for t in launch.outside if t.node == node]
    ordered = sorted(_only(here, ev.MemorySnapshot), key=lambda t: t.at.seconds if t.at else float("inf"))
    cgroups = [t for t in _only(here, ev.CgroupMemory) if t.event.limit is not None]
    name = launch.host_names.get(node, node)
    by_hand, printed = _given_for(launch, given, node), _total(here, ordered)
    notes: tuple[str, ...] = ()
    if by_hand is not None and _contradicts(by_hand, printed) and printed is not None:
        words = f"RAM of {name} given as {units.shown(by_hand)} was not used: the input says {units.shown(printed)}"
        by_hand, notes = None, (words,)
    return Host(
        node=node,
        name=name,
        total=by_hand or printed,
        cgroup=min(cgroups, key=_limit_value, default=None),
        snapshots=tuple(ordered),
        schedulers=tuple(p for p in timeline.schedulers if p.node == node),
        given=(f"RAM of {name}: {units.shown(by_hand)}",) if by_hand else (),
        notes=notes,
    )


def _given_for(launch: Launch, given: Given, node: str) -> Amount[Byte] | None:
    """What the user gave for a node: by its id, its host's name or a telling part of its files' names, else for all."""
    names = node_names(launch, node)
    return next(
        (ram for name, ram in given.ram.items() if name is not None and name.lower() in names), given.ram.get(None)
    )


def node_names(launch: Launch, node: str) -> frozenset[str]:
    """Every name that the user may give a node, in lower case."""
    own = {node, launch.host_names.get(node, node).lower()}
    return frozenset(own.union(*(tokens(source) for source in launch.nodes.get(node, ()))))


def _contradicts(by_hand: Amount[Byte], printed: Amount[Byte] | None) -> bool:
    """Whether a tool printed another total; a note of a person, or a rounded figure, does not contradict."""
    if printed is None or not units.lines_of(printed):
        return False
    margin = printed * _ROUNDING
    return by_hand.surely_below(printed - margin) or (printed + margin).surely_below(by_hand)


def _only(items: Iterable[Timed[ev.Event]], *kinds: type[E]) -> list[Timed[E]]:
    return [cast("Timed[E]", t) for t in items if isinstance(t.event, kinds)]


def _limit_value(item: Timed[ev.CgroupMemory]) -> float:
    return float(item.event.limit.value) if item.event.limit is not None else float("inf")


def _total(here: list[Timed[ev.Event]], snapshots: list[Timed[ev.MemorySnapshot]]) -> Amount[Byte] | None:
    """The most exact figure: the snapshot with the smallest rounding; a person's note where there is none."""
    printed = [s.event.total for s in snapshots if s.event.total is not None]
    if printed:
        return min(printed, key=lambda a: a.slack)
    noted = [t.event.memory for t in here if isinstance(t.event, ev.HostNote) and t.event.memory is not None]
    return noted[0] if noted else None


def neighbours_of(launch: Launch, everyone: list[Launch]) -> tuple[Launch, ...]:
    """The other launches of the same input."""
    return tuple(o for o in everyone if o is not launch)
