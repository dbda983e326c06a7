"""Places the findings of one launch: one root, what contributed, what merely follows, what stands by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.diagnose.judge import kind_of
from analyzer.immutable import immutable
from analyzer.rule import RULES
from analyzer.vocabulary import Kind, Outcome, Role, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.verdict import Found

_LATER = 5.0  # seconds after the root from which a second cause is taken for its consequence


@immutable
class Placed:
    """A finding with its role."""

    id: str
    found: Found
    role: Role


def place(found: Sequence[tuple[str, Found]], outcome: Outcome) -> list[Placed]:
    """All findings with their roles, the root first.

    The root is what no other finding explains; among several, a cause that the input supports comes before a
    manifestation, and of two causes the one that took effect first. Nothing is a root on a launch that is fine, but a
    limit of a serving server and a request to stop.
    """
    explained = _explained(found)
    ordered = sorted(
        range(len(found)), key=lambda i: _key(*found[i], explained=found[i][0] in explained, outcome=outcome)
    )
    root = next((i for i in ordered if _may_be_root(*found[i], outcome)), None)
    rest = [i for i in ordered if i != root]
    placed = [Placed(*found[root], Role.ROOT)] if root is not None else []
    top = found[root][1] if root is not None else None
    later = _after_stop if outcome is Outcome.STOPPED else _later
    return placed + [Placed(*found[i], _role(*found[i], top, explained, later)) for i in rest]


def _explained(found: Sequence[tuple[str, Found]]) -> frozenset[str]:
    """What the findings make symptoms of: a cause that is a guess explains nothing that is established."""
    established = {id_ for id_, verdict in found if verdict.status is Status.ESTABLISHED}
    causes = {id_ for id_, _ in found if kind_of(id_) is not Kind.MANIFESTATION}
    names: set[str] = set()
    for id_, verdict in found:
        named = {*RULES[id_].explains, *verdict.explains}
        if verdict.status.strength < Status.SUPPORTED.strength:
            named -= causes | (established if id_ in causes else set())
        names |= named
    return frozenset(names)


def _key(id_: str, found: Found, *, explained: bool, outcome: Outcome) -> tuple[bool, int, float, int]:
    kind, firm = kind_of(id_), found.status.strength >= Status.SUPPORTED.strength
    tier = {Kind.CAUSE: 0, Kind.LIMIT: 1, Kind.MANIFESTATION: 2, Kind.RISK: 9}[kind]
    if not firm:
        tier += 3
    if kind is Kind.LIMIT and outcome not in {Outcome.DEGRADED, Outcome.READY}:
        tier = 8
    return explained, tier, found.at.seconds if found.at else float("inf"), -found.status.strength


def _may_be_root(id_: str, found: Found, outcome: Outcome) -> bool:
    kind = kind_of(id_)
    if kind is Kind.RISK:
        return False
    if outcome is Outcome.STOPPED:
        return id_ == "stopped-on-request"
    if outcome in {Outcome.READY, Outcome.LAUNCHING}:
        return kind is Kind.LIMIT and found.status.strength >= Status.SUPPORTED.strength
    if outcome is Outcome.DEGRADED:
        return found.harm
    return kind is not Kind.LIMIT


def _role(
    id_: str, found: Found, root: Found | None, explained: frozenset[str], later: Callable[[Found, Found], bool]
) -> Role:
    kind = kind_of(id_)
    if root is None or kind in {Kind.RISK, Kind.LIMIT}:
        return Role.BYSTANDER
    if id_ in explained:
        return Role.SYMPTOM
    if kind is Kind.MANIFESTATION:
        return Role.COLLATERAL if later(found, root) else Role.SYMPTOM
    if found.status.strength < Status.SUPPORTED.strength:
        return Role.BYSTANDER
    return Role.COLLATERAL if later(found, root) else Role.CONTRIBUTING


def _after_stop(found: Found, root: Found) -> bool:
    """Whatever goes wrong once the server was asked to stop is the shutdown's noise."""
    return found.at is not None and root.at is not None and found.at.seconds >= root.at.seconds


def _later(found: Found, root: Found) -> bool:
    return found.at is not None and root.at is not None and found.at.seconds > root.at.seconds + _LATER
