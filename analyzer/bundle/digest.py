"""The SHA-256 of a stream, made while it is read; of a large one by a thread of its own, beside the reading."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_AHEAD = 2  # pieces that wait to be taken in


class Digest:
    """Takes in pieces in their order. `beside`: by a thread, of which the reader waits when it falls behind."""

    def __init__(self, *, beside: bool) -> None:
        self._hash = hashlib.sha256()
        self._pool: ThreadPoolExecutor | None = None
        if beside:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small inputs do without

            self._pool = ThreadPoolExecutor(1)
        self._waiting: deque[Future[None]] = deque()

    def update(self, data: bytes) -> None:
        """Takes in a further piece."""
        if self._pool is None:
            self._hash.update(data)
            return
        self._waiting.append(self._pool.submit(self._hash.update, data))
        while len(self._waiting) > _AHEAD:
            self._waiting.popleft().result()

    def hexdigest(self) -> str:
        """The hash of everything so far, in 64 hexadecimal digits."""
        while self._waiting:
            self._waiting.popleft().result()
        return self._hash.hexdigest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()
