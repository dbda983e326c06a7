"""A table of a pattern file that knows where it stands, so that a complaint names file, pattern and key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Node:
    """A TOML table with typed access. Every wrong key or type raises `PatternError`."""

    def __init__(self, values: dict[str, Any], place: str) -> None:
        self.values = values
        self.place = place

    def wrong(self, key: str, why: str, allowed: Iterable[str] = ()) -> PatternError:
        """The error to raise: where, which key, what is wrong and what would be right."""
        hint = ", ".join(sorted(allowed))
        return PatternError(f"{self.place}: {key}: {why}" + (f" (allowed: {hint})" if hint else ""))

    def only(self, *keys: str) -> None:
        """Refuses every key that is not among these."""
        for key in self.values:
            if key not in keys:
                raise self.wrong(key, "unknown key", keys)

    def text(self, key: str, default: str = "") -> str:
        """The text under `key`."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, "must be a text")
        return value

    def flag(self, key: str) -> bool:
        """The truth value under `key`; false where the key is missing."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts under `key`: one text or a list of them; none where the key is missing."""
        value = self.values.get(key, [])
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
            raise self.wrong(key, "must be a text or a list of texts, none of them empty")
        return tuple(items)

    def table(self, key: str) -> Node:
        """The table under `key`; empty where the key is missing."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "must be a table")
        return Node(value, f"{self.place}: {key}")

    def tables(self, key: str) -> list[Node]:
        """The tables under `key`."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, "must be a list of tables")
        return [Node(item, f"{self.place}: {key} {number}") for number, item in enumerate(value, 1)]
