"""What a rule answers: found, cleared, or unknown, with claims, arithmetic, remedies and what would confirm it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.vocabulary import Part, Status, weakest

if TYPE_CHECKING:
    from analyzer.evidence import Instant, Ref
    from analyzer.units import Amount


@immutable
class Claim:
    """One part of what a finding says (demand, limit, effect, link, end), with its own status and lines."""

    part: Part
    text: str
    status: Status
    lines: tuple[Ref, ...] = ()


@immutable
class Remedy:
    """Something to do: `kind` is mitigate, fix or prevent. `numbers` are the amounts its figure rests on."""

    kind: str
    action: str
    argument: str | None = None
    before: str | None = None
    after: str | None = None
    command_line: str | None = None
    risk: str | None = None
    assumptions: tuple[str, ...] = ()
    numbers: tuple[Amount[Any], ...] = ()


@immutable
class Confirm:
    """A command that would decide an open question; `where`: host, container, node."""

    command: str
    decides: str
    where: str = "host"
    read_only: bool = True


@immutable
class Found:
    """It is this. Its status is the weakest of all claims but `end`.

    `lines` are claimed by the finding: they no longer count as unexplained. `at` is when it took effect, for the
    order of causes. `harm` says that a limit hurt requests. `explains` adds to what the rule declares, for this
    verdict alone. `sum` is the arithmetic in one line. `not_known` are questions left open; `lose` is what is lost by
    killing the processes first.
    """

    summary: str
    claims: tuple[Claim, ...]
    explanation: str = ""
    numbers: tuple[Amount[Any], ...] = ()
    lines: tuple[Ref, ...] = ()
    contradicting: tuple[Ref, ...] = ()
    remedy: tuple[Remedy, ...] = ()
    confirm: tuple[Confirm, ...] = ()
    at: Instant | None = None
    harm: bool = False
    explains: tuple[str, ...] = ()
    not_known: tuple[str, ...] = ()
    lose: str | None = None
    sum: str | None = None

    @property
    def status(self) -> Status:
        """How strong the whole finding is."""
        return weakest([c.status for c in self.claims if c.part is not Part.END])


@immutable
class Cleared:
    """Looked, and it is not this."""

    why: str
    lines: tuple[Ref, ...] = ()


@immutable
class Unknown:
    """Could not tell: what is missing, and what would supply it."""

    needs: str
    confirm: tuple[Confirm, ...] = ()


Verdict = Found | Cleared | Unknown
