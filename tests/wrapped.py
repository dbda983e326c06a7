"""Plain lines with something around them, and what such wrappings are made of: times, order, one in another."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

STAMP = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")


class Wrapped(NamedTuple):
    """A file's bytes and, for each of its lines from the first on, the plain line that it holds."""

    data: bytes
    lines: list[int]
    name: str = "server.log"


Wrapping = Callable[[list[str], list[datetime]], Wrapped]


def moments(lines: list[str]) -> list[datetime]:
    """When each line was written: by its header, else by the one before; a millisecond apart, so that they sort."""
    found = [STAMP.match(line) for line in lines]
    now = next(datetime.fromisoformat(match[1]) for match in found if match)
    times: list[datetime] = []
    for match in found:
        told = datetime.fromisoformat(match[1]) if match else now
        now = max(now + timedelta(microseconds=1000), told)
        times.append(now)
    return times


def each(wrap: Callable[[str, datetime, int], str]) -> Wrapping:
    """Something done to every line by itself."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        texts = [wrap(line, time, number) for number, (line, time) in enumerate(zip(lines, times, strict=True), 1)]
        return Wrapped("".join(f"{text}\n" for text in texts).encode(), list(range(1, len(lines) + 1)))

    return done


def newest_first(inner: Wrapping) -> Wrapping:
    """An export that shows the last line first."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        wrapped = inner(lines, times)
        return Wrapped(
            b"".join(line + b"\n" for line in reversed(wrapped.data.removesuffix(b"\n").split(b"\n"))),
            wrapped.lines[::-1],
        )

    return done


def over(outer: Wrapping, inner: Wrapping) -> Wrapping:
    """One wrapping around another, for wrappings that keep the number of lines."""

    def done(lines: list[str], times: list[datetime]) -> Wrapped:
        within = inner(lines, times)
        around = outer(within.data.decode().removesuffix("\n").split("\n"), times)
        return Wrapped(around.data, [within.lines[number - 1] if number else 0 for number in around.lines])

    return done


def iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"


def comma(time: datetime) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S,") + f"{time.microsecond // 1000:03}"


def short(time: datetime) -> str:
    return time.strftime("%b %d %H:%M:%S")


def at(time: datetime) -> str:
    return time.strftime("%b %d, %Y @ %H:%M:%S.") + f"{time.microsecond // 1000:03}"


def american(time: datetime) -> str:
    hour = time.hour % 12 or 12
    return f"{time.month}/{time.day}/{time.year}, {hour}:{time:%M:%S}.{time.microsecond // 1000:03} {time:%p}"


def micros(time: datetime) -> str:
    return str(round((time - datetime(1970, 1, 1)).total_seconds() * 1_000_000))
