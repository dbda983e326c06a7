"""The mark that stands in an excerpt for lines that were left out: written by `analyzer.excerpt`, read here."""

from __future__ import annotations

import re

# It begins like nothing that a log, a shell or a wrapper around a line begins with.
_MARK = re.compile(r"~~~ postmortem left out lines (\d{1,15}) to (\d{1,15}) of the original ~~~$")


def mark(first: int, last: int) -> str:
    """The mark for the lines from `first` to `last`, as the original counts them."""
    return f"~~~ postmortem left out lines {first} to {last} of the original ~~~"


def left_out(text: str) -> int:
    """How many lines the mark stands for; 0 for any other text."""
    found = _MARK.match(text) if text.startswith("~~~") else None
    return max(0, int(found[2]) - int(found[1]) + 1) if found else 0
