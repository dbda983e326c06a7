"""How a launch may have ended: an error of its own, a lost peer, a kill, a request to stop, dead workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer.expression import lazy
from analyzer.immutable import immutable
from analyzer.ledgers.health import fired, frozen
from analyzer.ledgers.processes import CLOCKS, exit_codes, listing, own_oom_kills, worked_after
from analyzer.ledgers.topology import complete
from analyzer.ledgers.whereabouts import serving

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Ref
    from analyzer.incident import Incident
    from analyzer.launches import Timed

# As a child's status (-9), as the raw status of `waitpid` (9), as a container's or a shell's code (137).
_KILLED = frozenset({-9, 9, 137})
_TERMINATED = frozenset({-15, 143})
_SIGKILL_NAMES = frozenset({"9", "SIGKILL", "KILL"})
# What a process says on behalf of another one is no error of its own end.
_MESSENGERS = (ev.ChildFailed, ev.InitializationFailed, ev.RankDead, ev.TreeKilled)
_FATAL = (ev.GpuOutOfMemory, ev.HostPoolRefused)
# Exceptions by which a process ends because it was told to.
_ENDED_BY_REQUEST = ("KeyboardInterrupt", "SystemExit", "GeneratorExit", "CancelledError")
# Seconds of progress after an error: other ranks go on until the parent has heard of it.
_OTHER_RANKS, _AT_ONCE = 30.0, 2.0
# Topics that a server survives, or that speak of a peer, a request or a limit.
SURVIVED = frozenset(
    {
        "pd-transfer-failed",
        "kv-retraction-storm",
        "kv-cache-saturated",
        "running-requests-capped",
        "kv-pool-smaller-than-context",
        "gpu-memory-unbalanced",
        "dependency-unreachable",
        "slow-kernel-compile",
        "gpu-throttled",
        "thin-gpu-headroom",
        "host-memory-exhausted",
        "scheduler-stalled",
        "rank-straggler",
        "pd-peers-mismatched",
        "host-cpu-bound",
        "pd-memory-registration-failed",
        "slow-weight-load",
        "zombie-server",
        "launch-stalled",
        "probe-killed",
        "killed-by-unknown-sender",
        "stopped-on-request",
        "host-oom-kill",
    }
)


@immutable
class Ending:
    """One way it ended: the first line of it."""

    item: Timed[Any]
    why: str

    @property
    def ref(self) -> Ref:
        """The line."""
        return self.item.ref


def before(one: Ending, other: Ending) -> bool:
    """Whether one came first: by time where both have one, else by line."""
    return came_first(one.item, other.item)


def came_first(one: Timed[Any], other: Timed[Any]) -> bool:
    """The same of any two events."""
    if one.at and other.at and one.at.seconds != other.at.seconds:
        return one.at.seconds < other.at.seconds
    return one.ref.source == other.ref.source and one.written < other.written


def own_error(incident: Incident) -> Ending | None:
    """The first error that ended a process of the server.

    What a process says of a peer that went away counts where no other error is there, and messengers where not even
    that is; a messenger that tells of SIGKILL is no error.
    """
    return first_error(incident) or lost_peer(incident) or _message(incident)


def lost_peer(incident: Incident) -> Ending | None:
    """The first line that says that a peer went away, where no process of this launch has an error of its own."""
    if first_error(incident) is not None:
        return None
    lost = [t for t in incident.of(ev.Failure) if t.event.victim and ends_it(incident, t)]
    return Ending(lost[0], lost[0].event.text) if lost else None


def first_error(incident: Incident) -> Ending | None:
    """The first error that a process had of its own: no message about another process, and no lost peer."""
    told = _places(t for t in incident.launch.events if isinstance(t.event, _MESSENGERS))
    lost = _places(t for t in incident.of(ev.Failure) if t.event.victim)
    goes_on = _places(t for t in incident.of(ev.ExceptionRaised) if t.event.handled)
    beside = told | lost | goes_on
    found = (t for t in incident.launch.events if _fatal(incident, t) and _place(t.ref) not in beside)
    first = next(found, None)
    return Ending(first, first.event.text) if first is not None else None


def ended_otherwise(incident: Incident, record: Timed[Any]) -> Ending | None:
    """The error of its own that ended the server, where a record of a kill is undated or of a later time.

    `None` where the log itself tells of a SIGKILL, or where the kill may have come first.
    """
    error = first_error(incident)
    if error is None or any(_killed(t) for t in incident.of(ev.RankDead)):
        return None
    if record.at is None or error.item.at is None:
        return error
    return error if record.at.seconds > error.item.at.seconds + CLOCKS else None


def only_tells_of(incident: Incident, kill: Ending) -> bool:
    """Whether the log's last error is but a message that a process is gone, which the kernel says it killed just then.

    The kernel's clock may be some seconds off the log's.
    """
    if first_error(incident) is not None or not isinstance(kill.item.event, ev.OomKill):
        return False
    message = _message(incident)
    if message is None or message.item.at is None or kill.item.at is None:
        return message is not None
    return abs(kill.item.at.seconds - message.item.at.seconds) <= CLOCKS


def _message(incident: Incident) -> Ending | None:
    items = [t for t in incident.launch.events if isinstance(t.event, _MESSENGERS)]
    if not items or any(_killed(t) for t in items):
        return None
    failed = next((t for t in items if not isinstance(t.event, ev.TreeKilled)), items[0])
    return Ending(failed, failed.event.text)


def _place(ref: Ref) -> tuple[str, int, int]:
    return ref.source, ref.line, ref.last_line


def _places(items: Iterable[Timed[Any]]) -> frozenset[tuple[str, int, int]]:
    return frozenset(_place(t.ref) for t in items)


def _fatal(incident: Incident, item: Timed[Any]) -> bool:
    event = item.event
    if isinstance(event, ev.ExceptionRaised):
        return not event.handled and event.process not in {"", "client"} and not on_request(event)
    if isinstance(event, ev.Failure):
        return not only_warns(event) and event.topic not in SURVIVED and ends_it(incident, item)
    return isinstance(event, _FATAL) and ends_it(incident, item)


def only_warns(event: ev.Failure) -> bool:
    """Whether the line is a warning by its own head: Python's, or that of torch's log for what it tries again."""
    return retried(event) or _PYTHON_WARNS.match(event.text) is not None


def retried(event: ev.Failure) -> bool:
    """Whether torch's own log only warns of a connection, which it then tries again until a time-out of its own."""
    return "failed to connect to" in event.text and _WARNS.match(event.text) is not None


_PYTHON_WARNS = lazy(r"(?:\S{1,300}:\d+: )?\w*Warning: ")
_WARNS = lazy(r"(?:\[rank\d+\]:)?\[W\d{3,4} ")


def on_request(event: ev.ExceptionRaised) -> bool:
    """Whether an exception is only how a process ends that was told to."""
    return event.type.endswith(_ENDED_BY_REQUEST) or event.text.startswith(_ENDED_BY_REQUEST)


def ends_it(incident: Incident, item: Timed[Any]) -> bool:
    """Whether the server did no more work after this error line."""
    last = incident.timeline.progress
    if last is None or item.at is None:
        return True
    told = bool(item.rank.label()) or any(_shows_an_end(t.event) for t in incident.launch.events)
    slack = _OTHER_RANKS if told else _AT_ONCE
    return last.at.seconds <= item.at.seconds + slack


def _shows_an_end(event: ev.Event) -> bool:
    """Whether a line besides an error line says that a process ended: without one, progress means that it went on."""
    if isinstance(event, ev.ExceptionRaised):
        return bool(event.process) and not event.handled
    return isinstance(event, (*_MESSENGERS, ev.KilledPrinted, ev.GpuFault))


def _killed(item: Timed[Any]) -> bool:
    code = getattr(item.event, "code", None)
    return code is not None and int(code.value) in _KILLED


def kill(incident: Incident, *, announced: bool = True) -> Ending | None:
    """A SIGKILL that the server did not send to itself, or a death without any last word.

    `announced`: what a daemon against shortage of memory says that it is about to do counts as done.

    A dead rank or an exit code, an OOM record, an orchestrator (for a probe see `probed`), a shell's word; else a
    process that is gone while its peers say that they lost it, or Python's own word that a launch ended abruptly.
    """
    codes = [t for t in incident.of(ev.ExitCode) if _of_this_end(incident, t)]
    items: list[Timed[Any]] = [t for t in (*incident.of(ev.RankDead), *codes) if _killed(t)]
    items += [t for t in own_oom_kills(incident) if announced or not t.event.intent]
    acts = [t for t in _acts(incident) if t.event.act in _KILLING and "probe" not in t.event.reason and not asked(t)]
    items += [t for t in acts if _shows(incident, t)]
    items += [t for t in incident.of(ev.StopRequested) if t.event.signal in _SIGKILL_NAMES]
    items += [t for t in codes if t.event.oom or t.event.reason in _SIGKILL_NAMES]
    if own_error(incident) is None and stop(incident) is None:
        items += [t for t in incident.of(ev.KilledPrinted) if _of_this_end(incident, t)]
    first = min(items, key=_order, default=None)
    if first is not None:
        return Ending(first, first.event.text)
    return _vanished(incident) or _abrupt(incident)


_FORCED = "stop-timed-out"
_KILLING = frozenset({"killed", "evicted", "oom-killed", "preempted", "timed-out", _FORCED})


def _vanished(incident: Incident) -> Ending | None:
    """A process whose peers lost it, and that said nothing: all nodes' logs are here, and none holds an error."""
    lost = lost_peer(incident)
    if lost is None or not complete(incident) or stop(incident) is not None:
        return None
    return Ending(lost.item, f"a peer ended without a word: {lost.item.event.detail or lost.why}")


def _abrupt(incident: Incident) -> Ending | None:
    """Python's resource tracker outlived its parents, in a launch without an error and without a request to stop."""
    if past_launch(incident) or own_error(incident) is not None or stop(incident) is not None or not began(incident):
        return None
    said = incident.notices("abrupt-end")
    return Ending(said[0], "all processes ended at once, without a word") if said else None


def _of_this_end(incident: Incident, item: Timed[Any]) -> bool:
    """Whether an orchestrator's or a container's record can be about this launch: no work was done after it."""
    last = incident.timeline.progress
    if last is None or worked_after(incident, item) <= CLOCKS:
        return True
    # A line without a time of its own has that of the header before it: too early behind a progress bar.
    if last.ref is None or last.ref.source != item.ref.source or item.event.where.direct:
        return False
    return incident.launch.written(last.ref.source, last.ref.line) < item.written


def _acts(incident: Incident) -> list[Timed[ev.OrchestratorAct]]:
    return [t for t in incident.of(ev.OrchestratorAct) if _of_this_end(incident, t)]


def _order(item: Timed[Any]) -> tuple[float, int]:
    return (item.at.seconds if item.at else float("inf"), item.written)


def asked(act: Timed[ev.OrchestratorAct]) -> bool:
    """Whether an orchestrator stopped the server because somebody wanted it so, not for a probe or a limit."""
    reason = act.event.reason
    wanted = reason.startswith("Stopping container") or ("CANCELLED" in reason and "DUE TO" not in reason)
    return act.event.act == "killed" and wanted and "probe" not in reason


def probed(incident: Incident) -> Timed[ev.OrchestratorAct] | None:
    """An orchestrator's own word that it ended this launch because a probe failed.

    An earlier container of the same pod has left such words too: a startup probe ends no server that came up.
    """
    acts = [t for t in _acts(incident) if t.event.act == "killed" and "probe" in t.event.reason.lower()]
    came_up = past_launch(incident)
    acts = [t for t in acts if not (came_up and "startup" in t.event.reason.lower())]
    return next((t for t in acts if _shows(incident, t)), None)


def limited(incident: Incident) -> Timed[ev.OrchestratorAct] | None:
    """An orchestrator's own word that it ended the job by a rule: a time limit, a preemption, an eviction."""
    acts = [t for t in _acts(incident) if t.event.act in {"evicted", "preempted", "timed-out"}]
    return next((t for t in acts if _shows(incident, t)), None)


def forced(incident: Incident) -> list[Timed[ev.OrchestratorAct]]:
    """A supervisor's words that a stop took longer than it may, and that it sent SIGKILL."""
    return [t for t in _acts(incident) if t.event.act == _FORCED and _shows(incident, t)]


def _shows(incident: Incident, act: Timed[ev.OrchestratorAct]) -> bool:
    """Whether a server that came up shows any sign of the end that an undated act speaks of: it may be another's.

    So may a stop that was forced, of a container that is told by its number: a server that was told to stop says so,
    and one that has no requests left is done.
    """
    if act.event.act == _FORCED:
        steps = incident.of(ev.ShutdownStep)
        left = steps[-1].event.remaining if steps else None
        if not act.event.owner.endswith(".service") and left is not None and left.value == 0:
            return False
    elif act.at is not None or not past_launch(incident):
        return True
    signs = incident.of(ev.StopRequested, ev.ShutdownStep, ev.KilledPrinted, ev.RankDead) or exit_codes(incident)
    stopped = any(asked(t) for t in _acts(incident))
    return stopped or bool(signs) or frozen(incident) is not None or bool(fired(incident))


def stop(incident: Incident) -> Ending | None:
    """SIGTERM, SIGINT, an orchestrator that wanted it, or an orderly shutdown."""
    items: list[Timed[Any]] = [t for t in incident.of(ev.StopRequested) if t.event.signal not in _SIGKILL_NAMES]
    items += [t for t in _acts(incident) if asked(t) and not _clears_up(incident, t)]
    items += [t for t in incident.of(ev.ExitCode) if _terminated(t) and _of_this_end(incident, t)]
    first = min(items, key=_order, default=None)
    if first is not None:
        return Ending(
            first, getattr(first.event, "signal", "") or getattr(first.event, "reason", "") or "a request to stop"
        )
    step = incident.first(ev.ShutdownStep)
    return Ending(step, "an orderly shutdown") if step is not None else None


def _clears_up(incident: Incident, act: Timed[ev.OrchestratorAct]) -> bool:
    """Whether a batch system cancelled the rest of a step of which a task had failed: a consequence, nobody's wish."""
    codes = [t for t in incident.of(ev.ExitCode) if t.event.code is not None and not _terminated(t) and not _killed(t)]
    before = [t for t in codes if t.ref.source == act.ref.source and t.written < act.written]
    return act.event.reason.startswith("STEP") and any(t.event.code and t.event.code.value > 0 for t in before)


def _terminated(item: Timed[ev.ExitCode]) -> bool:
    code = item.event.code
    return item.event.reason == "TERM" or (code is not None and int(code.value) in _TERMINATED)


def past_launch(incident: Incident) -> bool:
    """Whether it had left its launch behind: it served, its event loop ran, or its head node answers for it."""
    if incident.ready or incident.first(ev.RequestsRetracted) is not None:
        return True
    begun = any(p.phases for p in incident.timeline.processes)
    return _follows(incident) if begun else serving(incident)


def _follows(incident: Incident) -> bool:
    """A node without the head's log, whose ranks are done with the last phase that they report."""
    node = incident.arguments.made.get("node_rank")
    if not isinstance(node, int) or node == 0 or any(p.rank.tp == 0 for p in incident.timeline.schedulers):
        return False
    spans = [p.current for p in incident.timeline.schedulers]
    last = incident.of(ev.GraphCaptureEnded, ev.CapacityPrinted)
    return bool(last) and all(s is not None and s.state == "done" for s in spans)


def zombie(incident: Incident) -> bool:
    """A live parent over workers that are gone, in a process listing that is no picture of a parent cleaning up."""
    seen = listing(incident)
    if seen is None or not seen.parent_alive or not seen.dead or seen.alive:
        return False
    told = [t.at.seconds for t in incident.launch.events if isinstance(t.event, _MESSENGERS) and t.at]
    looked = [t.at.seconds for t in seen.dead if t.at is not None]
    return not told or (bool(looked) and max(looked) > max(told) + _CLEANING)


_CLEANING = 90.0  # seconds that SGLang may take to reap its own tree


def serving_stalled(incident: Incident, quiet: float) -> bool:
    """Was serving, then no work: a watchdog, a frozen heartbeat, or a silence that somebody outside noticed."""
    if fired(incident) or frozen(incident) is not None:
        return True
    return (len(unanswered(incident)) > 1 or bool(complaints(incident))) and quiet >= _NOTICED


def waited_for(incident: Incident) -> bool:
    """Whether somebody outside waits for a server that was ready and, by all that is known, has not ended."""
    if not past_launch(incident) or own_error(incident) or kill(incident) or stop(incident):
        return False
    return serving_stalled(incident, incident.timeline.silence or 0.0)


def unanswered(incident: Incident) -> list[Timed[ev.ProbeFailed]]:
    """Probes of a serving server that failed after its last progress."""
    last = incident.timeline.progress
    probes = [t for t in incident.of(ev.ProbeFailed) if t.event.probe.lower() not in _BEFORE_READY]
    return [t for t in probes if last is not None and t.at is not None and t.at.seconds >= last.at.seconds]


def complaints(incident: Incident) -> list[Timed[ev.Complaint]]:
    """What persons say of a server that does nothing any more."""
    return [t for t in incident.of(ev.Complaint) if t.event.topic == "hung"]


# Probes that fail as a matter of course while a server launches.
_BEFORE_READY = frozenset({"readiness", "startup"})
_NOTICED = 120.0


_MANY = 20  # the same error again and again, and nothing else, is no advance


def repeating(incident: Incident) -> bool:
    """Whether one error line that no pattern knows repeats itself after the last progress: retries that go nowhere."""
    last = incident.timeline.progress
    if last is None:
        return False
    return any(
        t.event.count >= _MANY and t.at is not None and t.at.seconds >= last.at.seconds
        for t in incident.of(ev.ErrorLine)
    )


def said_to_hang(incident: Incident) -> bool:
    """Whether a person says that nothing happens any more, or a probe without a time of its own gave up.

    A probe that gave up while the launch was still advancing, by its own waiting time, says no such thing.
    """
    if complaints(incident):
        return True
    probes = [t.event for t in incident.of(ev.ProbeFailed) if t.event.gave_up and t.at is None]
    start, last = incident.timeline.start, incident.timeline.progress
    if start is None or last is None:
        return bool(probes)
    advanced = last.at.seconds - start.seconds
    return any(p.waited is None or advanced < p.waited.number() - _NOTICED for p in probes)


def given_up(incident: Incident) -> bool:
    """Whether a probe gave up on a launch that began before it: late by that yardstick, whatever it still does."""
    start = incident.timeline.start
    gave = [t for t in incident.of(ev.ProbeFailed) if t.event.gave_up and t.at is not None]
    return start is not None and any(t.at is not None and t.at.seconds > start.seconds for t in gave)


def looked_at_later(incident: Incident) -> bool:
    """Whether a snapshot of the host was taken, so that somebody looked at a server that did not come up."""
    return bool(incident.of(ev.MemorySnapshot, ev.ProcessListed, ev.CgroupMemory))


def began(incident: Incident) -> bool:
    """Whether the log shows the launch from an early step on."""
    early = incident.first(ev.DistributedInitBegun, ev.WeightLoadBegun, ev.ModelDownload)
    return early is not None or incident.arguments.made_at is not None
