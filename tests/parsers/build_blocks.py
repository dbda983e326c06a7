"""Builders for the tests of block parsers: a quoted text as the lines and the surroundings that a parser sees."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, TypeVar

from analyzer.evidence import Ref
from analyzer.parsers.block import Around, Text

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Stamp
    from analyzer.parsers.block import Block
    from analyzer.units import Amount

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40

E = TypeVar("E", bound="Event")


def texts(text: str, source: str = "snapshot.txt") -> list[Text]:
    """The lines of a quoted text; a first line break, as after opening quotes, is none of it."""
    lines = text.removeprefix("\n").removesuffix("\n").split("\n")
    return [Text(line, Ref(source, number, number)) for number, line in enumerate(lines, 1)]


def around(command: str = "", label: str = "", stamp: Stamp | None = None, source: str = "snapshot.txt") -> Around:
    """What stands around a snapshot; nothing, where a test does not say."""
    return Around(source, command, label, stamp)


def claims(parser: str, head: str, place: Around | None = None) -> bool:
    """Whether the driver would hand the parser a block that begins with this line."""
    module = importlib.import_module(f"analyzer.parsers.{parser}")
    return any(word in head for word in module.HEADS) and bool(module.claims(head, place or around()))


def read(parser: str, text: str, place: Around | None = None) -> Block:
    """The block that begins at the first line of the text, which the parser has to claim."""
    lines = texts(text)
    assert claims(parser, lines[0].text, place), f"{parser} does not claim {lines[0].text!r}"
    block: Block = importlib.import_module(f"analyzer.parsers.{parser}").reads(lines, place or around())
    return block


def of(kind: type[E], block: Block) -> list[E]:
    """The events of one class in a block."""
    return [event for event in block.events if isinstance(event, kind)]


def facts(block: Block) -> dict[str, str]:
    """The facts of a block: value by name."""
    from analyzer.events import Fact

    return {event.name: event.value for event in of(Fact, block)}


def value(amount: Amount[Any] | None) -> float | None:
    """A figure in base units, or that there is none."""
    return None if amount is None else amount.number()


def yaml(held: object, indent: int = 0) -> str:
    """As `kubectl get -o yaml` prints it: lists at the depth of their key, strings that look like numbers quoted."""
    pad = " " * indent
    if isinstance(held, dict):
        lines = []
        for key, inner in held.items():
            nested = isinstance(inner, (dict, list))
            depth = indent if isinstance(inner, list) else indent + 2
            lines.append(f"{pad}{key}:\n{yaml(inner, depth)}" if nested else f"{pad}{key}: {yaml(inner)}")
        return "\n".join(lines)
    if isinstance(held, list):
        return "\n".join(f"{pad}- {yaml(inner, indent + 2).lstrip()}" for inner in held)
    return f'"{held}"' if isinstance(held, str) and held.isdigit() else str(held)
