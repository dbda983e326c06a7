"""Processes that a test has started, seen from outside."""

from __future__ import annotations

import os


def alive(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
