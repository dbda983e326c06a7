"""Says what happened to an SGLang server, why, and what to change, from the logs and snapshots that are left.

As a library: `analyse(["server.log", "free.txt"])` gives a `Report` (`analyzer.contract`) and prints nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.contract import Report
    from analyzer.pipeline import Given, analyse

__all__ = ["Given", "Report", "analyse"]

_HOMES = {"Given": "analyzer.pipeline", "Report": "analyzer.contract", "analyse": "analyzer.pipeline"}


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is asked for: a command that only prints help waits for none of it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    return getattr(import_module(_HOMES[name]), name)
