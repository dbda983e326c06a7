"""Every text of a document rewritten by one function; what refers, counts or is a word of ours stays."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from analyzer.contract import Argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

    Change = Callable[[str], str]

T = TypeVar("T")

# Fields whose text is a reference, an enumeration, a unit or a checksum. Of lists, these hold references only.
_WORDS: Final = frozenset(
    {"schema", "version", "id", "launch", "node", "line", "first", "outcome", "phase", "finding", "status", "owner"}
    | {"fingerprint", "role", "kind", "part", "op", "state", "said_by", "scope", "unit", "where", "argument", "sha256"}
)
_REFERENCES: Final = frozenset({"lines", "contradicting", "processes", "of"})


def rewritten(report: Report, change: Change) -> Report:
    """The report with `change` applied to every text that comes from an input or speaks of one."""
    return _of_dataclass(report, change)


def texts_of(report: Report) -> list[str]:
    """Every text that `rewritten` hands to its function, in the order in which it does."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    rewritten(report, note)
    return found


def _of_dataclass(node: T, change: Change) -> T:
    if isinstance(node, Argument):
        # Name and value together, as a command line has them: the name says what the value is.
        return replace(node, value=change(f"{node.name}={node.value}").partition("=")[2], note=_of(node.note, change))
    changed = {}
    for field in fields(node):  # type: ignore[arg-type]  # only dataclasses come here
        value = getattr(node, field.name)
        stays = isinstance(value, str) and field.name in _WORDS
        stays = stays or (field.name in _REFERENCES and isinstance(value, list) and all(map(_is_text, value)))
        if not stays:
            changed[field.name] = _of(value, change)
    return replace(node, **changed)  # type: ignore[type-var]  # as above


def _of(value: Any, change: Change) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, (int, float)) or value is None:  # of which curves have many
        return value
    if isinstance(value, list):
        return [_of(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _of(item, change) for key, item in value.items()}
    return _of_dataclass(value, change) if is_dataclass(value) and not isinstance(value, type) else value


def _is_text(value: object) -> bool:
    return isinstance(value, str)
