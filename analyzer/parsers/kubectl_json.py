"""`kubectl get … -o json`: pods, nodes, events and what starts pods; whole, cut or in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.parsers import objects
from analyzer.parsers.block import Block
from analyzer.parsers.json_outline import JsonOutline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "kubectl-json"
HEADS = ('"apiVersion"', '"kind"')

_HEAD = lazy(r'\s*\{?\s*"(?:apiVersion": ?"[\w./-]{1,60}|kind": ?"[A-Z]\w{1,60})",?(?:$|\s*"[a-z])')


def claims(head: str, _around: Around) -> bool:
    """The version or the kind of the outermost object, with which both begin."""
    return _HEAD.match(head.rstrip()[:400]) is not None


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The same facts as the YAML gives."""
    outline = JsonOutline(lines)
    events = list(objects.events(outline.leaves, around, "kubectl get"))
    return Block(max(outline.used, 1), outline.used, events) if events else Block(1, 0)
