"""The measurement: every message of a release that can reach a log, what was heard of it, and the sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.coverage.groups import CORE, Group, group
from analyzer.coverage.heard import Heard, heard
from analyzer.coverage.messages import Message, messages
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.catalog import Catalog
    from analyzer.coverage.release import Release

_EVERYWHERE = (Group.LAUNCH, Group.BATCH)


@immutable
class Measured:
    """A message with what was heard of each of its wordings."""

    message: Message
    group: Group
    heard: tuple[Heard, ...]

    @property
    def named(self) -> bool:
        """Whether a pattern, or a reader in code, says what each wording is."""
        return all(one.patterns for one in self.heard)

    @property
    def raised(self) -> bool:
        """Whether it is read as an exception of a process, and not more."""
        return not self.named and any(one.raised for one in self.heard)

    @property
    def read(self) -> bool:
        """Whether each wording's traceback is read with its type, its message, its place and its rank."""
        return all(one.raised for one in self.heard)

    @property
    def shown(self) -> bool:
        """Whether a report would only show it among the error lines that nothing explains."""
        return not self.named and not self.raised and any(one.shown for one in self.heard)

    @property
    def counts(self) -> bool:
        """Whether it counts: launch and batch lines anywhere, the others in the folders that an operator meets."""
        return self.group in _EVERYWHERE or self.message.folder in CORE


class Tally(NamedTuple):
    """How many messages there are, and how many are named, read as an exception only, shown only."""

    messages: int
    named: int
    raised: int
    shown: int

    @property
    def unnoticed(self) -> int:
        """How many pass by without a trace."""
        return self.messages - self.named - self.raised - self.shown


class Contest(NamedTuple):
    """Two patterns that claim one message without expecting each other."""

    patterns: tuple[str, str]
    message: Message


@immutable
class Measurement:
    """All messages of a release that can reach a server's log."""

    version: str
    measured: tuple[Measured, ...]

    def tally(self, of: Group, folder: str = "") -> Tally:
        """The sums of a group: over all that counts, or in one folder."""
        asked = [
            one for one in self.measured if one.group == of and (one.message.folder == folder if folder else one.counts)
        ]
        return Tally(len(asked), sum(m.named for m in asked), sum(m.raised for m in asked), sum(m.shown for m in asked))

    def tracebacks(self) -> tuple[int, int]:
        """How many raises end in a traceback, and how many of these are read as they were raised.

        What refuses an argument of the command line ends in one line, which is read as that.
        """
        raises = [one for one in self.measured if one.counts and one.message.level == "raise" and not one.message.usage]
        return len(raises), sum(one.read for one in raises)

    def contests(self) -> Iterator[Contest]:
        """Every pair of patterns that claim one message, with the first such message."""
        seen = set()
        for one in self.measured:
            for pair in (pair for each in one.heard for pair in each.contested):
                if pair not in seen:
                    seen.add(pair)
                    yield Contest(pair, one.message)


def measure(catalog: Catalog, release: Release) -> Measurement:
    """Renders every message of a release into log lines and hears what the catalog makes of them."""
    return Measurement(release.version, tuple(_measured(catalog, release)))


def _measured(catalog: Catalog, release: Release) -> Iterator[Measured]:
    for module in release.modules:
        for message in messages(module):
            known = group(message)
            if known is not None:
                yield Measured(message, known, tuple(heard(catalog, message, said) for said in message.wordings))
