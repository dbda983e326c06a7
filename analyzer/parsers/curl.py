"""What `curl` shows of a health check: status lines, its own errors, and the server's clock in the `date` header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import ClockRead, Fact, ProbeFailed
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text

KIND = "curl"
HEADS = ("HTTP/1", "HTTP/2", "curl: (", "*   Trying", "* Connected to", "* connect to", "* Host ", "% Received")

_STATUS = lazy(r"(?:< )?HTTP/[\d.]{1,3} (\d{3})(?: [A-Za-z ]{0,40})?$")
_ERROR = lazy(r"curl: \((\d{1,3})\) (.{0,300})$")
_REQUEST = lazy(r"> (?:GET|POST|HEAD) (\S{1,300}) HTTP/[\d.]{1,3}$")
_VERBOSE = lazy(r"(?:\* {1,3}\S|[<>] |[<>{}]$|[{}] \[\d)")
_HEADER = lazy(
    r"(?:< )?(date|server|vary|allow|via|location|connection|cache-control|retry-after|transfer-encoding"
    r"|content-[a-z-]{4,20}|access-control-[a-z-]{5,30}|x-[a-z0-9-]{2,40}): ?(.{0,400})$",
    re.IGNORECASE,
)
_TRYING = lazy(r"\* {1,3}(?:Trying|Connected to|connect to|Failed to connect|Host \S{1,255} was resolved)")
_METER = lazy(
    r" {2}% Total +% Received|[ \d]{3}[\d.kMGT]* +[\d.kMGT]+ +\d+ +[\d.kMGT]+ +\d+ +\d+ |\s+Dload +Upload +Total"
)
_HEALTH = lazy(r"health", re.IGNORECASE)
_GOOD = range(200, 400)


def claims(head: str, _around: Around) -> bool:
    """A bare status line, an error of curl's, or the first line of `curl -v`."""
    line = head.rstrip()[:500]
    return bool(_STATUS.match(line) or _ERROR.match(line) or _TRYING.match(line) or _METER.match(line))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The answer's status (a failed probe where a health check was not answered well) and the server's clock."""
    events: list[Event] = []
    asked = f"{around.command} {around.label} {around.source.rsplit('/', 1)[-1]}"
    used = 0
    answered = False
    for line in lines:
        text = line.text.rstrip()[:500]
        status, error, request = _STATUS.match(text), _ERROR.match(text), _REQUEST.match(text)
        header = _HEADER.match(text) if answered else None
        if status is None and error is None and header is None and not (_VERBOSE.match(text) or _METER.match(text)):
            break
        used += 1
        asked = f"{asked} {request[1]}" if request else asked
        health = _HEALTH.search(asked) is not None
        if status:
            answered = True
            events.append(_answer(status[1], line, around, health=health))
        elif error:
            events.append(ProbeFailed(where=around.at(line), text=line.quoted, probe="curl", detail=error[2]))
        stamp = moment(header[2]) if header and header[1].lower() == "date" else None
        if stamp:
            events.append(ClockRead(where=around.at(line._replace(stamp=stamp)), text=line.quoted, label="date header"))
            around = around.dated(stamp)
    return Block(max(used, 1), used, events)


def _answer(status: str, line: Text, around: Around, *, health: bool) -> Event:
    if health and int(status) not in _GOOD:
        return ProbeFailed(where=around.at(line), text=line.quoted, probe="curl", detail=f"status {status}")
    name = "health.status" if health else "http.status"
    return Fact(where=around.at(line), text=line.quoted, name=name, value=status, amount=count(status, line.ref))
