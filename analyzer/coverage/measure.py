"""The measurement: every message of a release, what was heard of it, and the sums by group and by folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analyzer.coverage.heard import Heard, heard, lines
from analyzer.coverage.messages import messages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.catalog import Catalog
    from analyzer.coverage.messages import Message
    from analyzer.coverage.release import Release


class Measured(NamedTuple):
    message: Message
    heard: tuple[Heard, ...]

    @property
    def named(self) -> bool:
        return all(one.named for one in self.heard)


class Measurement(NamedTuple):
    version: str
    measured: tuple[Measured, ...]


def measure(catalog: Catalog, release: Release) -> Measurement:
    found = []
    for module in release.modules:
        for message in messages(module):
            found.append(Measured(message, tuple(heard(catalog, lines(message, w)) for w in message.wordings)))
    return Measurement(release.version, tuple(found))
