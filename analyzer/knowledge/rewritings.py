"""Differences between a command line and the printed server_args that SGLang makes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from packaging.version import Version

from analyzer.knowledge.facts import table

if TYPE_CHECKING:
    from analyzer.knowledge.release import Release

_LARGEST_DIVISOR = 1024
_ROUNDING = 0.006  # SGLang rounds the memory fraction to three digits, people type two


def rewritten(field: str, said: Any, made: Any, release: Release) -> str | None:
    """Why SGLang may print `made` where `said` was given; `None` if nothing known explains it.

    `said` is `None` where the argument was not given: then SGLang chose. A command line from a manual or a script holds
    placeholders (`<model>`, `$TP`), which say nothing. A rewriting counts unless the release is certainly outside the
    range that has it, so that an unknown release accuses nobody.
    """
    if said is None:
        return "not given: SGLang chose the value"
    if isinstance(said, str) and ("$" in said or (said.startswith("<") and said.endswith(">"))):
        return "the command line holds a placeholder"
    for row in table("rewritings")["rewriting"]:
        if field in row["fields"] and _possible(row, release) and _explains(row, said, made):
            return str(row["why"])
    return None


def _possible(row: dict[str, Any], release: Release) -> bool:
    early = "since" in row and release.certainly_before(row["since"])
    late = "until" in row and release.low is not None and not release.fork and release.low > Version(row["until"])
    return not early and not late


def _explains(row: dict[str, Any], said: Any, made: Any) -> bool:
    match row["how"]:
        case "to":
            return str(made) in {str(value) for value in row["values"]}
        case "same-model":
            return _model_name(said) in str(made).lower().replace("--", "/")
        case "divided":
            return isinstance(said, int) and any(said // by == made for by in range(2, _LARGEST_DIVISOR + 1))
        case "scaled":
            numbers = isinstance(said, int | float) and isinstance(made, int | float)
            return numbers and row["low"] * said - _ROUNDING <= made <= row["high"] * said + _ROUNDING
    return True


def _model_name(path: Any) -> str:
    return str(path).lower().rstrip("/").rsplit("/", 1)[-1]
