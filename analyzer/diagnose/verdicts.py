"""The verdict of one launch in words, and which launch speaks for the whole input."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from analyzer import contract
from analyzer.diagnose.judge import kind_of
from analyzer.launches.clock import printed
from analyzer.vocabulary import FINDINGS, Kind, Outcome, Role, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.diagnose.outcome import Ended
    from analyzer.diagnose.roles import Placed
    from analyzer.incident import Incident


def verdict(incident: Incident, ended: Ended, placed: Sequence[Placed]) -> contract.Verdict:
    """The answer for one launch."""
    root = next((p for p in placed if p.role is Role.ROOT), None)
    life = incident.timeline.life
    last = printed(life.at.seconds) if life is not None else None
    phase = ended.phase.value if ended.phase is not None else None
    return contract.Verdict(
        launch=incident.launch.id if incident.launch.shown else None,
        outcome=ended.outcome.value,
        phase=phase,
        finding=root.id if root else None,
        status=root.found.status.value if root else None,
        summary=_sentence(ended, phase, last, root),
        owner=FINDINGS[root.id].owner.value if root else None,
        fingerprint=_fingerprint(ended, phase, root),
        last_sign_of_life=last,
        said=ended.said or None,
    )


def _sentence(ended: Ended, phase: str | None, last: str | None, root: Placed | None) -> str:
    unknown = ended.outcome is Outcome.UNKNOWN
    text = f"{'what became of the server' if unknown else 'the server'} {ended.said or ended.outcome.sentence}"
    if phase is not None and not ended.outcome.fine:
        text += f", in the {phase} phase"
    if last is not None:
        text += f"; last sign of life {last}"
    return f"{text}. {root.found.summary}" if root else text


def _fingerprint(ended: Ended, phase: str | None, root: Placed | None) -> str | None:
    """The same for the same kind of incident on any host, rank, path and day."""
    if root is None:
        return None
    parts = "|".join((ended.outcome.value, phase or "", root.id))
    return f"{root.id}:{hashlib.sha256(parts.encode()).hexdigest()[:12]}"


_SEVERITY = (
    Outcome.READY,
    Outcome.STOPPED,
    Outcome.LAUNCHING,
    Outcome.UNKNOWN,
    Outcome.DEGRADED,
    Outcome.LAUNCH_SLOW,
    Outcome.LAUNCH_HUNG,
    Outcome.SERVING_HUNG,
    Outcome.ZOMBIE,
    Outcome.KILLED,
    Outcome.LAUNCH_FAILED,
    Outcome.CRASHED,
)


def worst(verdicts: Sequence[tuple[contract.Verdict, float]]) -> contract.Verdict | None:
    """Of the last launch of each server: the one that is wrong; among several, the cause that took effect first.

    The numbers are when each verdict's finding took effect, in seconds.
    """
    if not verdicts:
        return None
    wrong = [v for v in verdicts if not Outcome(v[0].outcome).fine]
    caused = [v for v in wrong if v[0].finding is not None and kind_of(v[0].finding) is Kind.CAUSE and _firm(v[0])]
    if caused:
        return min(caused, key=lambda v: v[1])[0]
    return max(verdicts, key=lambda v: (_SEVERITY.index(Outcome(v[0].outcome)), v[0].finding is not None))[0]


def _firm(item: contract.Verdict) -> bool:
    return item.status in {Status.ESTABLISHED.value, Status.SUPPORTED.value}
