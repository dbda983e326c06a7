"""What a pattern file says, checked: patterns, their variants, their fields and their samples."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from analyzer.immutable import immutable

At = Literal["start", "anywhere", "exception", "record"]
PLACES: tuple[At, ...] = ("start", "anywhere", "exception", "record")

Constant = str | bool


@immutable
class Variant:
    """One wording of a line. One of `literals` must occur in the text before `regex` is tried.

    `since` and `until` are the first and the last release known to print it; they date a log and never skip a match.
    `constants` are fields of the event that the wording itself settles.
    """

    regex: str
    literals: tuple[str, ...]
    since: str = ""
    until: str = ""
    constants: dict[str, Constant] = field(default_factory=dict)


@immutable
class Column:
    """A column of a `fields` pattern: its short name, its name in the table, the keys that print it and its unit."""

    field: str
    name: str
    keys: tuple[str, ...]
    unit: str


@immutable
class Sample:
    """A line (or a record of several lines) with the values that it gives, by field, as they are printed."""

    text: str
    gives: dict[str, str | float | bool]


@immutable
class Pattern:
    """What one kind of line means: an event, a row of a table, or nothing of interest (`harmless` says why).

    Either `variants` (regex form) or `heads` and `columns` (fields form) are filled. `captures` names the unit of
    every captured field. `also` lists patterns that may rightly claim the same text. `ignored` are keys of a fields
    line that are known and need no column. After a `private` match a user's text follows, which is never quoted.
    """

    id: str
    file: str
    event: str = ""
    table: str = ""
    harmless: str = ""
    speaker: str = ""
    at: At = "start"
    also: tuple[str, ...] = ()
    caution: str = ""
    origin: str = ""
    captures: dict[str, str] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()
    heads: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    ignored: tuple[str, ...] = ()
    private: bool = False
    samples: tuple[Sample, ...] = ()
    decoys: tuple[str, ...] = ()
