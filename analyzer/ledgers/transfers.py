"""KV transfers between prefill and decode: which failed, which a client gave up, and whether any work came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.ledgers import endings

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.launches import Launch, Timed

_TOPIC = "pd-transfer-failed"
_OF_A_REQUEST = "pd-request-failed"  # the pattern of lines that stand for one request each
_BY_CLIENT = "AbortReq"
_SEVERAL = 3
_SOON = 60.0  # seconds after a first failure in which batches of earlier requests may still run


@immutable
class Transfers:
    """What the lines about transfers add up to.

    `failed` are those that no client caused, `requests` how many requests they stand for; `aborted` are clients'.
    `harmed` where requests suffered for it: several failed, or nothing was served any more, or nothing ever was.
    """

    failed: tuple[Timed[ev.Failure], ...]
    aborted: tuple[Timed[ev.Failure], ...]
    requests: int
    harmed: bool

    @property
    def lines(self) -> tuple[Timed[ev.Failure], ...]:
        """The lines that count."""
        return self.failed or self.aborted


def transfers(incident: Incident) -> Transfers | None:
    """The account of one leg; `None` where no line speaks of a failed transfer, or only after a stop."""
    lines = [t for t in incident.failures(_TOPIC) if not _stopped_before(incident, t)]
    if not lines:
        return None
    aborted = tuple(t for t in lines if _BY_CLIENT in t.event.detail)
    failed = tuple(t for t in lines if _BY_CLIENT not in t.event.detail)
    counted = [t for t in failed or aborted if t.event.where.pattern == _OF_A_REQUEST]
    requests = sum(t.event.count for t in counted)
    harmed = (
        _fruitless(incident) and requests >= _SEVERAL
        if not failed
        else requests >= _SEVERAL or not _worked_on(incident, failed)
    )
    return Transfers(failed, aborted, requests, harmed)


def _stopped_before(incident: Incident, item: Timed[ev.Failure]) -> bool:
    """Whether this leg or the other one had been asked to stop by then."""
    stop = endings.stop(incident)
    moments = [stop.item.at] if stop is not None else []
    moments += [t.at for leg in legs(incident) for t in leg.events if isinstance(t.event, ev.StopRequested)]
    return any(m is not None and item.at is not None and m.seconds <= item.at.seconds for m in moments)


def legs(incident: Incident) -> list[Launch]:
    """The launches of the same input that are the other leg."""
    other = {"prefill": "decode", "decode": "prefill"}.get(incident.launch.role)
    return [launch for launch in incident.neighbours if launch.role == other]


def _fruitless(incident: Incident) -> bool:
    """Whether a decode leg never ran a batch."""
    return incident.launch.role == "decode" and "DecodeBatch" not in incident.launch.tables


def _worked_on(incident: Incident, failed: tuple[Timed[ev.Failure], ...]) -> bool:
    last, first = incident.timeline.progress, failed[0].at
    return last is not None and first is not None and last.at.seconds > first.seconds + _SOON
