"""Stand-ins by number: the first host that is met is `host-1`, and stays it."""

from __future__ import annotations

# The kind of a thing, then what it is; of an address, its networks from the widest down.
Key = tuple[str, ...]


class Numbering:
    """Numbers for keys, in the order in which they are met; one series below each part of a key."""

    def __init__(self) -> None:
        self._below: dict[Key, dict[str, int]] = {}

    def reserve(self, kind: str, number: int) -> None:
        """Keeps a number from being given, because the input itself says `host-3`."""
        self._below.setdefault((kind,), {})[f"{kind}-{number}"] = number

    def stand_in(self, key: Key) -> str:
        """`host-2`; `addr-1-1-2-3` for an address, where equal numbers from the left are a network in common."""
        numbers = []
        for depth, part in enumerate(key[1:], 1):
            siblings = self._below.setdefault(key[:depth], {})
            numbers.append(siblings.setdefault(part, 1 + max(siblings.values(), default=0)))
        return "-".join([key[0], *map(str, numbers)])
