"""What all events share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.evidence import Where

EVENTS: dict[str, type[Event]] = {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Event:
    """Something that one record, or one row of a snapshot, says. `text` is the message, at most 400 characters."""

    where: Where
    text: str = ""
    count: int = 1

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes the class known under its name, so that a pattern file can ask for it."""
        super(Event, cls).__init_subclass__(**kwargs)
        EVENTS[cls.__name__] = cls
