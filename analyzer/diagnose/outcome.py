"""What became of one launch, from how it ended, whether it was ready, and whether time went on without progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.immutable import immutable
from analyzer.ledgers import drains, endings
from analyzer.ledgers.durations import patience
from analyzer.ledgers.health import fired, frozen
from analyzer.ledgers.host_effect import used_up
from analyzer.ledgers.host_pinning import filling
from analyzer.ledgers.last_words import ended_elsewhere, failing_probe, last_words, reported_end
from analyzer.ledgers.whereabouts import launching, starting
from analyzer.vocabulary import Outcome, Phase

if TYPE_CHECKING:
    from analyzer.incident import Incident

# Who ends a whole server from outside, without knowing why it stood still: then the standstill is what happened.
_BLUNT = (ev.KilledPrinted, ev.ExitCode, ev.Notice)

_A_WHILE = 120.0  # seconds; a launch that cannot come up needs no more patience than this


@immutable
class Ended:
    """The outcome, the phase it is about, and why it is this one.

    `said` puts the outcome into words where its usual sentence would claim more, or less, than is shown.
    """

    outcome: Outcome
    phase: Phase | None
    why: str
    said: str = ""


@immutable
class Judgement:
    """What rules found that bears on the outcome.

    `harmed`: harm to requests while serving. `explains_quiet`: why a server is quiet that no clock outside dates
    (memory used up, dead ranks), so that silence need not be measured to be believed. `slow`: it advances, slowly.
    """

    harmed: bool = False
    explains_quiet: bool = False
    slow: bool = False


def outcome_of(incident: Incident, rules: Judgement) -> Ended:
    """The outcome of one launch."""
    phase, past = incident.timeline.phase(), endings.past_launch(incident)
    error, stop = endings.own_error(incident), endings.stop(incident)
    if endings.zombie(incident) and (past or error is None):
        return Ended(Outcome.ZOMBIE if past else Outcome.LAUNCH_HUNG, phase, "the parent lives, its workers do not")
    if drains.stuck(incident) is not None:
        return Ended(Outcome.ZOMBIE, Phase.SHUTDOWN, "it waits for requests that nobody serves any more")
    killed = _killed(incident, phase, past=past)
    if killed is not None:
        return killed
    if stop is not None and (error is None or endings.lost_peer(incident) or endings.before(stop, error)):
        if past and frozen(incident) is not None:
            return Ended(Outcome.SERVING_HUNG, Phase.SERVING, "no progress before it was asked to stop")
        return _stopped(incident, stop)
    if error is not None:
        return _failed(incident, error, phase, past=past)
    told = reported_end(incident)
    if told is not None:
        return _failed(incident, endings.Ending(told, told.event.text), phase, past=past)
    return _still_there(incident, phase, rules) if not past else _serving(incident, rules)


def _killed(incident: Incident, phase: Phase | None, *, past: bool) -> Ended | None:
    """Ended by a signal that it did not choose, before an error of its own and before anybody asked it to stop."""
    error, stop, kill = endings.own_error(incident), endings.stop(incident), endings.kill(incident)
    act = endings.probed(incident) or endings.limited(incident)
    if act is not None and endings.first_error(incident) is None:
        return Ended(Outcome.KILLED, phase, act.event.reason or act.event.text)
    if kill is None:
        return None
    own = error is not None and endings.lost_peer(incident) is None and not endings.only_tells_of(incident, kill)
    if error is not None and own and not endings.before(kill, error):
        return None
    if stop is not None and not endings.before(kill, stop):
        return None
    if not past and isinstance(kill.item.event, _BLUNT) and _silent(incident, phase):
        return Ended(Outcome.LAUNCH_HUNG, phase, "no progress until it was ended from outside")
    said = "" if incident.launch.shown else "was killed, by what is told of its end; no line of its own is here"
    return Ended(Outcome.KILLED, phase, kill.why, said)


def _stopped(incident: Incident, stop: endings.Ending) -> Ended:
    """Asked to end: it ended by itself, or was killed when somebody waited no longer."""
    cut = drains.cut(incident)
    if cut is None:
        return Ended(Outcome.STOPPED, Phase.SHUTDOWN, stop.why)
    said = f"was asked to stop, and killed before it was done{drains.left_over(cut)}"
    return Ended(Outcome.KILLED, Phase.SHUTDOWN, cut.kill.why, said)


def _failed(incident: Incident, error: endings.Ending, phase: Phase | None, *, past: bool) -> Ended:
    """Ended by an error: a log without any line of the launch does not show whether it had been ready."""
    if past or not _unseen(incident):
        outcome = Outcome.CRASHED if past else Outcome.LAUNCH_FAILED
        return Ended(outcome, _failed_phase(incident) or phase, error.why)
    waited = getattr(error.item.event, "topic", "") == "collective-timeout"  # minutes of waiting: seldom a launch's
    if waited or starting(incident):
        said = "ended with an error; whether it had been ready before, no line shows"
        return Ended(Outcome.CRASHED if waited else Outcome.LAUNCH_FAILED, phase, error.why, said)
    said = "cannot be told: it ended with an error, and no line shows whether it had been ready before"
    return Ended(Outcome.UNKNOWN, phase, error.why, said)


def _unseen(incident: Incident) -> bool:
    """Whether no line of the launch is there: no arguments, no phase, no frame of one of its steps."""
    begun = incident.arguments.made_at is not None or any(p.phases for p in incident.timeline.processes)
    return not begun and not launching(incident)


def _failed_phase(incident: Incident) -> Phase | None:
    failed = [p.current.phase for p in incident.timeline.processes if p.current and p.current.state == "failed"]
    return failed[0] if failed else None


def _silent(incident: Incident, phase: Phase | None) -> bool:
    return (incident.timeline.silence or 0.0) >= patience(incident, phase).number()


def _serving(incident: Incident, rules: Judgement) -> Ended:
    if endings.serving_stalled(incident, incident.timeline.silence or 0.0):
        return Ended(Outcome.SERVING_HUNG, Phase.SERVING, "no progress after it was ready")
    if rules.harmed:
        return Ended(Outcome.DEGRADED, Phase.SERVING, "it served")
    error = last_words(incident)
    said = "was ready; its log ends with an error line that nothing explains" if error is not None else ""
    return Ended(Outcome.READY, Phase.SERVING, "it served", said)


def _still_there(incident: Incident, phase: Phase | None, rules: Judgement) -> Ended:
    if not incident.launch.events:
        return Ended(Outcome.UNKNOWN, None, "no line of the server is there")
    if _silent(incident, phase):
        return Ended(Outcome.LAUNCH_HUNG, phase, "no progress while time went on outside")
    if rules.slow:
        return Ended(Outcome.LAUNCH_SLOW, phase, "it advances, slowly")
    late = (incident.timeline.silence or 0.0) >= _A_WHILE or endings.looked_at_later(incident)
    seen = endings.said_to_hang(incident) or endings.repeating(incident) or bool(fired(incident))
    if seen or (rules.explains_quiet and late):
        return Ended(Outcome.LAUNCH_HUNG, phase, "no progress while time went on outside", _still_fills(incident))
    if not endings.began(incident):
        return Ended(Outcome.UNKNOWN, phase, "head and end of the log are missing")
    if rules.explains_quiet:
        return Ended(Outcome.UNKNOWN, phase, "it cannot come up, and nothing shows what became of it")
    if endings.given_up(incident):
        return Ended(Outcome.LAUNCH_SLOW, phase, "it may advance, but a probe has given up on it", _late(incident))
    return _in_doubt(incident, phase) or Ended(Outcome.LAUNCHING, phase, "the input ends while it advances")


def _in_doubt(incident: Incident, phase: Phase | None) -> Ended | None:
    """A launch that advanced as far as its steps tell, and of which something else says that it failed."""
    error, probe = last_words(incident), failing_probe(incident)
    if error is not None:
        unknown = " that nothing explains" if isinstance(error.event, ev.ErrorLine) else ""
        said = f"cannot be told: its log ends with an error{unknown} ({error.event.text[:160]})"
        return Ended(Outcome.UNKNOWN, phase, "its log ends with an error", said)
    if probe is not None:
        said = "cannot be told: a liveness probe failed, at a time that nothing tells; going on, it ends the container"
        return Ended(Outcome.UNKNOWN, phase, "a liveness probe failed", said)
    code = ended_elsewhere(incident)
    if code is not None:
        said = f"cannot be told: {code.ref.source} tells of an exit code, and no line here says why ({code.event.text})"
        return Ended(Outcome.UNKNOWN, phase, "an exit code that no line explains", said[:300])
    return None


def _still_fills(incident: Incident) -> str:
    """What a launch is doing that no line tells: its host pools fill, by dated looks at the host's memory."""
    pace = filling(incident)
    last = [s.event for host in incident.hosts if (s := host.after(None)) is not None]
    if pace is None or any(map(used_up, last)):
        return ""
    taken = f"{units.shown(pace.taken)} in {pace.seconds:,.0f} s"
    return f"had not come up, while its host pools were still filling at the last look ({taken})"


def _late(incident: Incident) -> str:
    """A launch on which a probe gave up: whether anything shows that it went on until then."""
    quiet = incident.timeline.silence or 0.0
    unseen = f"had not come up when its health check gave up; whether it still advanced, {quiet:,.0f} s after its"
    return _still_fills(incident) or (f"{unseen} last line of progress, nothing shows" if quiet >= _A_WHILE else "")
