"""Reports of this program that lie among the evidence, told by their first bytes."""

from __future__ import annotations

import re

from analyzer.contract import SCHEMA
from analyzer.vocabulary import Outcome

_NAME = re.escape(SCHEMA.rpartition("/")[0].encode()) + rb"/\d+"
_JSON = re.compile(rb'\s*(?:\[\s*)?\{\s*"schema"\s*:\s*"' + _NAME + rb'"')
_MARKDOWN = re.compile(rb"\s*<!-- " + _NAME + rb" -->")
_ENCLOSED = re.compile(rb"\s*<!-- postmortem\.excerpt/\d+ -->")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A text's first screen: the outcome's word in a left column, and another label of that column below it.
_SCREEN, _COLUMN = 24, 15
_WORDS = frozenset(outcome.value.rpartition("-")[2].upper().encode() for outcome in Outcome)
_LABELS = frozenset({b"CAUSE", b"LIMIT", b"SUMMARY", b"DO NOW", b"TIMELINE"})


def is_report(head: bytes) -> bool:
    """Whether what begins with `head` is a report that this program wrote: JSON, Markdown or text, of any version."""
    plain = head.removeprefix(_BYTE_ORDER_MARK)
    return bool(_JSON.match(plain) or _MARKDOWN.match(plain)) or _is_text(plain)


def is_enclosed(head: bytes) -> bool:
    """Whether what begins with `head` is what this program encloses with excerpts of inputs: no input, and no loss."""
    return _ENCLOSED.match(head) is not None


def _is_text(head: bytes) -> bool:
    first, *below = head.split(b"\n", _SCREEN)[:_SCREEN]
    return _label(first) in _WORDS and any(_label(line) in _LABELS for line in below)


def _label(line: bytes) -> bytes:
    """What stands in the left column where the rest begins right behind it."""
    label, rest = line[:_COLUMN], line[_COLUMN:]
    return label.rstrip() if label.endswith(b" ") and rest[:1].strip() else b""
