"""What a server says while it serves, besides its batch lines (those are rows of `analyzer.tables`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, One, Second, Token


@event
class RequestServed(Event):
    """An access-log line."""

    path: str = ""
    status: Amount[One] | None = None


@event
class RequestLogged(Event):
    """A request or its answer dumped into the log; its text is never quoted."""


@event
class RequestAborted(Event):
    """A request ended without its answer. `by` is client, server or unknown."""

    by: str = ""


@event
class RequestsRetracted(Event):
    """The KV pool was full and running requests were thrown back into the queue."""

    requests: Amount[One] | None = None
    aborted: Amount[One] | None = None


@event
class HealthFailed(Event):
    """SGLang's own health endpoint got no answer. `heartbeat` is the detokenizer's last sign as printed."""

    waited: Amount[Second] | None = None
    heartbeat: str = ""
    started: str = ""


@event
class WatchdogFired(Event):
    """A watchdog saw no forward progress for `timeout`. `soft` ones only log."""

    name: str = ""
    timeout: Amount[Second] | None = None
    soft: bool = False


@event
class Notice(Event):
    """A warning understood that a rule may use. `topic` is one of the topics that rules ask for.

    `tokens` is what the line speaks of (a request, a flag, a pool), `limit` what bounds it.
    """

    topic: str = ""
    value: Amount[One] | None = None
    tokens: Amount[Token] | None = None
    limit: Amount[Token] | None = None
    elapsed: Amount[Second] | None = None
    detail: str = ""
