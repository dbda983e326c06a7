"""Lines that look like errors and that no pattern claims: kept once per wording, counted, shown in the report."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.events import ErrorLine
from analyzer.evidence import Where

if TYPE_CHECKING:
    from analyzer.records import Record

MAX_WORDINGS = 100
_SHOWN = 400
_LOOKS = re.compile(
    r"\b(?:[A-Z]\w{0,60}(?:Error|Exception)|ERROR|ERR|EMERG|FATAL|[Ff]atal|[Aa]bort(?:ed|ing)|[Ff]ailed|FAILED|[Ff]ailure"
    r"|Killed|[Cc]ore dumped|[Ss]egmentation fault|[Pp]anic|[Uu]nable to|[Tt]imed out|[Oo]ut of memory|[Nn]o space left"
    r"|[Rr]efused|Cannot|cannot (?:access|allocate|bind|connect|find|load|open|read))\b|\b[Ee]rror[ :!]"
)
_HARMLESS = re.compile(
    r'Warning: |^(?:INFO|DEBUG)\b|\b0 (?:errors|failed)\b|" [123]\d\d(?: |$)|no errors?\b|error_\w+='
)
_BY_DIGITS = re.compile(r'\d (?:errors|failed)|" \d|\dx[0-9a-f]')  # as `_HARMLESS` and `_VARIABLE` ask for them
_DUMPS = ("Receive: ", "Finish: ", "server_args=", '"request.')
_VARIABLE = re.compile(r"0x[0-9a-f]+|\d+|'[^']{1,80}'")


class Unclaimed:
    """Folds the error-looking lines of one source by wording."""

    def __init__(self) -> None:
        self._kept: dict[str, ErrorLine] = {}
        self._counts: dict[str, int] = {}

    def see(self, record: Record, times: int = 1) -> None:
        """Keeps the record if it looks like an error; it may be the first of several that say the same."""
        text = record.text[:_SHOWN]
        if not (record.severe or looks_like_error(text)) or not text:
            return
        wording = wording_of(text)
        if wording in self._kept:
            self._counts[wording] += times
        elif len(self._kept) < MAX_WORDINGS:
            where = Where(record.ref, record.stamp, record.direct, record.rank, node=record.node)
            self._kept[wording] = ErrorLine(where=where, text=text)
            self._counts[wording] = times

    def events(self) -> list[ErrorLine]:
        """One event for each wording, at its first line, with the count."""
        return [replace(event, count=self._counts[wording]) for wording, event in self._kept.items()]


def may_look_like_error(text: str) -> bool:
    """Whether the line looks like an error, or would with other digits in it."""
    return _LOOKS.search(text) is not None


def error_of(text: str) -> str:
    """The wording by which a message is counted that looks like an error; empty for others."""
    return wording_of(text[:_SHOWN]) if looks_like_error(text[:_SHOWN]) else ""


def wording_of(text: str) -> str:
    """A text without what differs from one line to the next: numbers, addresses, what is quoted."""
    return _VARIABLE.sub("0", text)


def by_digits(text: str) -> bool:
    """Whether a line may look like an error or not, or be of another wording, according to its digits."""
    return _BY_DIGITS.search(text) is not None


@lru_cache(maxsize=4096)
def looks_like_error(text: str) -> bool:
    """Whether a person would read the line as an error."""
    if any(dump in text for dump in _DUMPS):
        return False
    return _LOOKS.search(text) is not None and _HARMLESS.search(text) is None
