"""What is left of a line when a wrapper is taken off, and what the wrapper said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.evidence import Stamp

OF_HOSTS = frozenset({"ansible", "banner", "dshbak", "host"})  # wrappers whose origin is a host, and nothing on it

UNTOLD = OF_HOSTS | {
    "stern",
    "stamped",
}  # wrappers that no line tells by itself: more are known later, or all have them


class Peeled(NamedTuple):
    """The inner text (with line breaks where a JSON message holds several lines) and the wrapper's time and origin.

    `names` are the wrappers, outermost first. `partial` says that the runtime cut the line and its rest follows.
    `host` is the origin that a wrapper of `OF_HOSTS` names, whatever is named inside of it.
    `each` are the entries of a list that stands on one line, where it has several; the text is then that of all.
    `severe`: a program that speaks for itself or for another one gave the line the level of an error.
    """

    text: str
    stamp: Stamp | None = None
    node: str = ""
    names: tuple[str, ...] = ()
    partial: bool = False
    severe: bool = False
    host: str = ""
    each: tuple[Peeled, ...] = ()
