"""What all events share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from analyzer.immutable import as_written

if TYPE_CHECKING:
    from analyzer.evidence import Where

EVENTS: dict[str, type[Event]] = {}
C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(field,))
def event(cls: type[C]) -> type[C]:
    """Makes a class one of events: immutable, made by the names of its fields, each equal to itself alone."""
    return dataclass(slots=True, kw_only=True, repr=False, eq=False)(cls)


@event
class Event:
    """Something that one record, or one row of a snapshot, says. `text` is the message, at most 400 characters."""

    where: Where
    text: str = ""
    count: int = 1

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes the class known under its name, so that a pattern file can ask for it."""
        super(Event, cls).__init_subclass__(**kwargs)  # noqa: UP008 - slots make the class anew, with another `super`
        EVENTS[cls.__name__] = cls

    def __repr__(self) -> str:
        return as_written(self)
