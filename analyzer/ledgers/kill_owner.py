"""Why a kill for want of memory is one of the server's processes, and what keeps that from being certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.launches.control_groups import Listed, ids_of, named_in
from analyzer.launches.owners import family_of, pod_of
from analyzer.ledgers.elsewhere import hosts_told, of_several_hosts
from analyzer.verdict import Confirm

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Timed

_MANY = 2
UNSHOWN = "no log of the server is here, nor a listing that shows it"
SHOWING = (Confirm("docker ps -a --no-trunc; ps -eo pid,args | grep sglang", "whether what ended was the server"),)
_WHERE = Confirm("pgrep -af sglang", "on which of the hosts the server runs (ask each of them)")
_WHOSE = Confirm("docker ps -a --no-trunc", "whose the container is that the record names")
_WHICH = Confirm("pgrep -af sglang", "which of the servers the killed process was of, by its number, while it runs")


@immutable
class Link:
    """`why` it is the server's; `doubt` says why that is not certain, and `confirm` what would make it so."""

    why: str
    doubt: str = ""
    confirm: tuple[Confirm, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether nothing else may have been killed."""
        return not self.doubt


def link(incident: Incident, kill: Timed[ev.OomKill]) -> Link:
    """By its container, pid, unit or command line; by its name, which others may have as well."""
    event = kill.event
    own = _container(incident, event)
    listed = event.pid in {t.event.pid for t in incident.of(ev.ProcessListed)}
    why = (
        f"the unit is {event.command}"
        if not event.pid
        else f"its control group is that of {own}"
        if own
        else f"pid {event.pid} is in the process listing"
        if listed
        else "its command line is SGLang's"
        if event.arguments
        else f"the process is named {event.command}"
    )
    if not incident.launch.shown:
        return Link(why, UNSHOWN, SHOWING)
    if not own and of_several_hosts(incident, kill):
        told = ", ".join(sorted(hosts_told(incident))[:4])
        return Link(why, f"the outputs of several hosts are here ({told}), and no log says on which it ran", (_WHERE,))
    if event.pid and not (own or listed or event.arguments):
        return _by_name(incident, event, why)
    return Link(why)


def _by_name(incident: Incident, event: ev.OomKill, why: str) -> Link:
    shown = [t for t in incident.of(ev.Workload) if t.event.ids]
    if ids_of(event) and shown:
        return Link(why, "the container that the record names is none of those that are listed", (_WHOSE,))
    servers = {pod_of(t.event.owner) for t in incident.of(ev.Workload) if t.event.server}
    beside = [one for one in servers if family_of(one) == "container"]
    if len(beside) >= _MANY:
        return Link(why, f"so are those of {' and '.join(sorted(beside)[:3])}, which serve as well", (_WHICH,))
    if event.command.startswith("python"):
        return Link(why, "many are called so")
    return Link(why, "a node of a cluster may have several servers" if event.node else "")


def _container(incident: Incident, event: ev.OomKill) -> str:
    """The server's container that the process was in, where its id is listed, or is the name of the log."""
    ids = ids_of(event)
    if not ids:
        return ""
    servers = [t for t in incident.of(ev.Workload) if t.event.server and not t.event.rival]
    place = Listed(servers).place(ids)
    logs = {id_ for source in incident.launch.sources for id_ in named_in(source)}
    return place.owner if place else "the container that the log is of" if logs.intersection(ids) else ""
