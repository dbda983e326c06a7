"""Which SGLang release ran: an exact one, the range that the wordings leave, a fork, or unknown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import regex
from packaging.version import Version

from analyzer.immutable import immutable
from analyzer.knowledge.facts import table

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBER = regex.compile(r"v?(\d+(?:\.\d+){1,3}(?:\.?(?:rc|post|dev)\d+){0,2})(.*)", regex.DOTALL)
_DATE_DIGITS = 8


@immutable
class Release:
    """What is known of the release.

    `low` and `high` are the lowest and highest release it can be, both included; `None` is no bound. `worded` is the
    range that the matched wordings leave by themselves, empty where none matched. `fork` is a source build or a
    renamed one: nothing is certain of it. `notes` are sentences about contradictions and the limits of what is known.
    """

    stated: str | None = None
    low: Version | None = None
    high: Version | None = None
    fork: bool = False
    worded: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        stated: str | None,
        since: Iterable[str] = (),
        until: Iterable[str] = (),
        *,
        within: tuple[Version | None, Version | None] = (None, None),
        fork: bool = False,
    ) -> Release:
        """Combine a stated version with what the lines themselves tell.

        `stated` is a version, an image tag or any text that begins with one (`0.5.9`, `v0.5.9-cu129`). `since` are
        the first, `until` the last releases known to print the wordings that were seen; `within` are the bounds that
        the printed arguments leave (`dated_by`). Where statement and lines contradict each other the range spans all
        that was said; where the lines do among themselves it is unknown; a note tells of it. Text that is no version
        adds no bound.
        """
        exact, renamed = read_version(stated)
        low = max(filter(None, (*map(_earliest, _versions(since)), within[0])), default=None)
        high = min(filter(None, (*map(_latest, _versions(until)), within[1])), default=None)
        if low and high and high < low:
            note = f"some lines are of {low} or later, others of {high} or earlier: two servers, or an unreleased build"
            return cls(stated, None, None, fork or renamed, "", (note,))
        worded = _range(low, high)
        if exact is None:
            return cls(stated, low, high, fork or renamed, worded)
        if (low and exact < low) or (high and high < exact):
            note = f"{stated} is stated, but the lines are those of {worded}"
            return cls(stated, _least(low, exact), _most(high, exact), fork or renamed, worded, (note,))
        return cls(stated, exact, exact, fork or renamed, worded, _newer(exact))

    @property
    def exact(self) -> bool:
        """Whether it is one release."""
        return not self.fork and self.low is not None and self.low == self.high

    @property
    def text(self) -> str:
        """For people: `0.5.9`, `0.4.6 to 0.5.8`, `0.5.10 or later`, `a fork of 0.5.9`, `unknown`."""
        span = _range(self.low, self.high)
        if self.fork:
            return f"a fork of {span}" if span else f"a fork ({self.stated})" if self.stated else "a fork"
        return span or "unknown"

    def certainly_before(self, version: str | Version) -> bool:
        """Whether every release it can be is older than `version`."""
        return not self.fork and self.high is not None and self.high < as_version(version)

    def certainly_from(self, version: str | Version) -> bool:
        """Whether every release it can be is `version` or newer."""
        return not self.fork and self.low is not None and self.low >= as_version(version)


UNKNOWN = Release()


@lru_cache(maxsize=1024)  # the tables name few releases, hundreds of times each
def as_version(version: str | Version) -> Version:
    """A version of ours as a comparable one; text from an input goes through `read_version`."""
    return version if isinstance(version, Version) else Version(version)


def read_version(stated: str | None) -> tuple[Version | None, bool]:
    """The version at the start of a text, and whether what follows makes it something else than that release."""
    match = _NUMBER.match((stated or "").strip())
    if match is None:
        return None, False
    try:
        version = Version(match[1])
    except ValueError:  # more digits than an int may have
        return None, False
    return version, version.is_devrelease or not _is_build(match[2])


def _is_build(tail: str) -> bool:
    words = [word for word in regex.split(r"[-+._]", tail.lower()) if word]
    known = tuple(table("releases")["builds"])
    return all(word.startswith(known) or (word.isdigit() and len(word) < _DATE_DIGITS) for word in words)


def _versions(texts: Iterable[str]) -> list[Version]:
    found = (read_version(text)[0] for text in set(texts))  # every line that tells of one names it
    return [version for version in found if version is not None]


def first_after(version: Version) -> Version | None:
    """The oldest published release that is newer than `version`."""
    at = bisect_right(_published(), version)
    return _published()[at] if at < len(_published()) else None


def last_before(version: Version) -> Version | None:
    """The newest published release that is older than `version`."""
    at = bisect_left(_published(), version)
    return _published()[at - 1] if at else None


def _earliest(since: Version) -> Version | None:
    """The first release that may print what was first seen in `since`: those in between were not looked at."""
    if since not in _sampled():
        return since
    at = _sampled().index(since)
    return first_after(_sampled()[at - 1]) if at else None


def _latest(until: Version) -> Version | None:
    """The last release that may print what was last seen in `until`; beyond the newest one nothing is known."""
    if until not in _sampled():
        return until
    later = _sampled().index(until) + 1
    return last_before(_sampled()[later]) if later < len(_sampled()) else None


def newest() -> Version:
    """The newest release known here."""
    return _sampled()[-1]


def _newer(exact: Version) -> tuple[str, ...]:
    if exact <= newest():
        return ()
    return (f"{exact} is newer than the releases known here (up to {newest()}): what changed since is not known",)


def _range(low: Version | None, high: Version | None) -> str:
    if low is None and high is None:
        return ""
    if low is None:
        return f"{high} or earlier"
    if high is None:
        return f"{low} or later"
    return f"{low}" if low == high else f"{low} to {high}"


def _least(bound: Version | None, exact: Version | None) -> Version | None:
    return min(bound, exact) if bound and exact else bound


def _most(bound: Version | None, exact: Version | None) -> Version | None:
    return max(bound, exact) if bound and exact else bound


@cache
def _sampled() -> tuple[Version, ...]:
    return tuple(Version(text) for text in table("releases")["sampled"])


@cache
def _published() -> tuple[Version, ...]:
    return tuple(Version(text) for text in table("releases")["published"])
