"""Facts that change from release to release, and what of them is certain for a given one."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Generic, TypeVar

from analyzer.immutable import immutable
from analyzer.knowledge.release import as_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from packaging.version import Version

    from analyzer.knowledge.release import Release

T = TypeVar("T")


@immutable
class Era(Generic[T]):
    """A value that holds from `since` on, until the next era begins.

    `after` is the newest release that was seen without it: between the two nobody looked. The first era of a fact has
    none.
    """

    since: Version
    value: T
    after: Version | None = None

    def certain(self, release: Release) -> bool:
        """Whether the era has begun in every release that `release` can be."""
        return release.certainly_from(self.since)

    def possible(self, release: Release) -> bool:
        """Whether the era may have begun in some release that `release` can be."""
        if release.high is None:
            return True
        return release.high >= self.since if self.after is None else release.high > self.after


def eras(changes: Iterable[tuple[str, T]], read: tuple[Version, ...]) -> tuple[Era[T], ...]:
    """Eras from (first release, value), found by looking at the releases in `read`; both in rising order."""
    made: list[Era[T]] = []
    for text, value in changes:
        since = as_version(text)
        made.append(Era(since, value, newest_before(since, read) if made else None))
    return tuple(made)


def newest_before(version: Version, read: Sequence[Version]) -> Version | None:
    """The newest release in `read`, which rises, that is older than `version`."""
    at = bisect_left(read, version)
    return read[at - 1] if at else None


def at(history: tuple[Era[T], ...], release: Release) -> T | None:
    """The value that holds in every release that `release` can be; `None` where that cannot be said.

    For a release without a lower bound the fact is taken to exist: an argument that was given has a default.
    """
    if release.fork:
        return None
    begun = [n for n, era in enumerate(history) if era.certain(release)]
    left = [era.value for era in history[begun[-1] if begun else 0 :] if era.possible(release)]
    return left[0] if left and all(value == left[0] for value in left) else None
