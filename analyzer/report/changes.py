"""What two launches were started with differently, without what only one release prints and nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.contract import Argument, Launch, Report

ABSENT = "none"
DRAWN = frozenset({"random_seed"})  # SGLang draws it anew for every launch
_TYPED = frozenset({"command-line", "both"})


class Change(NamedTuple):
    """An argument, or the release, with its two values."""

    name: str
    before: str
    after: str


def changes(before: Launch, after: Launch) -> list[Change]:
    """What differs: typed on either side, or settled on both; a default that is typed out changes nothing."""
    one, other = _by_name(before), _by_name(after)
    found = [
        Change(name, _value(one.get(name)), _value(other.get(name)))
        for name in dict.fromkeys([*one, *other])
        if _differs(one.get(name), other.get(name))
    ]
    versions = before.sglang.stated, after.sglang.stated
    released = [Change("SGLang", *versions)] if all(versions) and versions[0] != versions[1] else []  # type: ignore[arg-type]
    return released + found


def unasked(before: Launch, after: Launch) -> list[str]:
    """The arguments that only one of the two prints, and that nobody typed."""
    one, other = _by_name(before), _by_name(after)
    return [name for name in dict.fromkeys([*one, *other]) if _only_printed(one.get(name), other.get(name))]


def at_once(found: list[Change]) -> str:
    """A warning where several things changed: the difference belongs to all of them together."""
    if len(found) < 2:  # noqa: PLR2004 - one change may be credited
        return ""
    names = ", ".join(change.name for change in found)
    return f"{len(found)} settings changed at once ({names}): no gain or loss can be credited to one of them alone."


def between(report: Report, one: Launch, other: Launch) -> str:
    """What was changed from the earlier of two launches to the later, as a sentence; empty where nothing was.

    A launch of which nothing tells the arguments, as a piece of another pod's log, tells of no change either.
    """
    if one.server.role != other.server.role or not one.arguments or not other.arguments:
        return ""
    places = {launch.id: number for number, launch in enumerate(report.launches)}
    before, after = sorted((one, other), key=lambda launch: places.get(launch.id, -1))
    found = changes(before, after)
    differs = ", ".join(f"{change.name} {change.before} → {change.after}" for change in found)
    return f"from {before.id} to {after.id} {differs}. {at_once(found)}".strip() if found else ""


def _by_name(launch: Launch) -> dict[str, Argument]:
    """The arguments by name; where no command line is known, each may be what somebody typed."""
    known = any(map(_typed, launch.arguments))
    return {a.name: a if known or a.name in DRAWN else replace(a, said_by="both") for a in launch.arguments}


def _value(argument: Argument | None) -> str:
    return ABSENT if argument is None else argument.value


def _differs(one: Argument | None, other: Argument | None) -> bool:
    there = one or other
    if there is None or (there.name in DRAWN and not _typed(one) and not _typed(other)):
        return False
    if one is None or other is None:
        return _typed(there) and there.value != there.default
    return one.value != other.value


def _only_printed(one: Argument | None, other: Argument | None) -> bool:
    there = one or other
    return there is not None and (one is None or other is None) and not _typed(there)


def _typed(argument: Argument | None) -> bool:
    return argument is not None and argument.said_by in _TYPED
