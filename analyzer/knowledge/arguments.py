"""SGLang's server arguments: spellings, what they take, scope, unit, and defaults by release."""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.knowledge.eras import Era, at, eras, newest_before
from analyzer.knowledge.facts import table
from analyzer.knowledge.release import UNKNOWN, Release, as_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from packaging.version import Version


class Scope(StrEnum):
    """What one given value is for."""

    RANK = "per rank"
    GPU = "per GPU"
    DP_RANK = "per DP rank"
    NODE = "per node"
    SERVER = "per server"
    GLOBAL = "global"

    @property
    def sentence(self) -> str:
        """The word explained to people."""
        return _SCOPES[self]


_SCOPES = {
    Scope.RANK: "every rank (scheduler process) takes the whole value for itself",
    Scope.GPU: "every GPU takes the whole value for itself",
    Scope.DP_RANK: "every data-parallel rank takes the whole value; its tensor-parallel ranks share it",
    Scope.NODE: "all ranks on one node share the value",
    Scope.SERVER: "one value for the server, used once",
    Scope.GLOBAL: "one value for all ranks of all nodes, which divide it or agree on it",
}


@immutable
class Remark:
    """Something that holds for an argument from `since` to `until`, both included."""

    text: str
    since: Version | None = None
    until: Version | None = None

    def certain(self, release: Release) -> bool:
        """Whether it holds in every release that `release` can be."""
        begun = self.since is None or release.certainly_from(self.since)
        going = self.until is None or (release.high is not None and release.high <= self.until)
        return begun and going and not release.fork


@immutable
class Argument:
    """One field of SGLang's ServerArgs.

    `takes` is switch, negatable, int, float, str, json, list, list:int, list:float, optional or none (no flag).
    `since` is the first, `until` the last release known to have it (`None`: still there); `after` and `gone` are the
    nearest releases looked at that do not have it. `unit` is a key of `analyzer.units.UNITS` or empty. `times` says
    what a value is multiplied by to give the total (`ranks on the host`), `divided` what SGLang divides it by.
    """

    name: str
    flags: tuple[str, ...]
    takes: str
    since: Version
    until: Version | None
    after: Version | None
    gone: Version | None
    defaults: tuple[Era[str], ...]
    scope: Scope | None = None
    unit: str = ""
    times: str = ""
    divided: str = ""
    sentence: str = ""
    remarks: tuple[Remark, ...] = ()
    source: str = "server_args.py"

    def default(self, release: Release) -> str | None:
        """The default as Python source text (`None`, `8192`, `'auto'`); `None` where the release leaves it open."""
        return at(self.defaults, release)

    def exists(self, release: Release) -> bool | None:
        """Whether the release has the argument; `None` where that cannot be said."""
        if release.fork:
            return None
        if release.certainly_from(self.since) and (
            self.until is None or (release.high is not None and release.high <= self.until)
        ):
            return True
        early = self.after is not None and release.high is not None and release.high <= self.after
        late = self.gone is not None and release.certainly_from(self.gone)
        return False if early or late else None


def argument(name: str) -> Argument | None:
    """The argument of a field name or of a spelling of its flag, with or without dashes; `None` if no release has it.

    Only what begins with `--` may be shortened as argparse allows.
    """
    plain = name.strip()
    flag = "--" + plain.lstrip("-").replace("_", "-")
    return arguments().get(plain) or (find(flag) if plain.startswith("--") else _spelled(flag, UNKNOWN))


def find(flag: str, release: Release = UNKNOWN) -> Argument | None:
    """The argument that a flag (`--tp-size`, `--tp`, `--mem-frac`) means in `release`; `None` if none or several do.

    Where the spelling moved from one field to another and the release does not decide, the field of that very name is
    meant.
    """
    exact = _spelled(flag, release)
    if exact is not None or len(flag) < len("--xx"):
        return exact
    names = {name for spelled, owners in _by_flag().items() if spelled.startswith(flag) for name in owners}
    there = [name for name in names if arguments()[name].exists(release) is not False]
    return arguments()[there[0]] if len(there) == 1 else None


def _spelled(flag: str, release: Release) -> Argument | None:
    owners = _by_flag().get(flag, ())
    there = [name for name in owners if arguments()[name].exists(release) is not False] or owners
    own = flag.removeprefix("--").replace("-", "_")
    name = own if own in there else next(iter(there), table("arguments")["short"].get(flag))
    return arguments()[name] if name is not None else None


@cache
def arguments() -> Mapping[str, Argument]:
    """All known arguments by field name."""
    read = tuple(as_version(text) for text in table("fields")["read"])
    told = table("arguments")["argument"]
    return {name: _argument(name, row, told.get(name, {}), read) for name, row in table("fields")["field"].items()}


@cache
def _by_flag() -> Mapping[str, tuple[str, ...]]:
    owners: dict[str, tuple[str, ...]] = {}
    for name, known in arguments().items():
        for flag in known.flags:
            owners[flag] = (*owners.get(flag, ()), name)
    return owners


def _argument(name: str, row: dict[str, Any], told: dict[str, Any], read: tuple[Version, ...]) -> Argument:
    since = as_version(row["since"])
    until = as_version(row["until"]) if "until" in row else None
    plain = _spellings(name, row["takes"])
    return Argument(
        name=name,
        flags=tuple(row.get("flags", plain)),
        takes=row["takes"],
        since=since,
        until=until,
        after=newest_before(since, read),
        gone=next(iter(read[bisect_right(read, until) :]), None) if until else None,
        defaults=eras(((release, default) for release, default in row.get("defaults", ())), read),
        scope=Scope(told["scope"]) if "scope" in told else None,
        unit=told.get("unit", ""),
        times=told.get("times", ""),
        divided=told.get("divided", ""),
        sentence=told.get("says", ""),
        remarks=tuple(_remark(remark) for remark in told.get("remark", ())),
        source=told.get("source", "server_args.py"),
    )


def _spellings(name: str, takes: str) -> tuple[str, ...]:
    words = name.replace("_", "-")
    if takes == "none":
        return ()
    return (f"--{words}", f"--no-{words}") if takes == "negatable" else (f"--{words}",)


def _remark(row: dict[str, str]) -> Remark:
    since, until = row.get("since"), row.get("until")
    return Remark(row["text"], as_version(since) if since else None, as_version(until) if until else None)
