"""Writes the arithmetic that was done: every named amount is a step, every unnamed one stands inside its step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.units.amount import Amount, Computed, Given, Read, lines_of
from analyzer.units.shown import both, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Ref

_SIGNS = {"add": " + ", "sub": " − ", "mul": " × ", "div": " ÷ ", "per": " ÷ "}

# Who a constant or a fact from outside the input comes from.
_BY = {"user": "given", "release": "release", "rule": "assumed"}

# On the left of a sum or a difference a further one needs no brackets.
_LEFT = {"add": "sum", "sub": "sum"}


class Step(NamedTuple):
    """One line of a calculation; `of` are the names of steps it uses, `lines` what it read itself."""

    name: str
    expression: str
    op: str
    of: tuple[str, ...]
    lines: tuple[Ref, ...]
    amount: Amount[Any]
    note: str


def steps(amounts: Iterable[Amount[Any]]) -> list[Step]:
    """All named amounts below the given ones, operands before results, each once."""
    made: dict[str, Step] = {}
    for amount in amounts:
        _collect(amount, made)
    return list(made.values())


def _collect(amount: Amount[Any], made: dict[str, Step]) -> None:
    if isinstance(amount.origin, Computed):
        for part in amount.origin.of:
            _collect(part, made)
    if amount.name and amount.name not in made:
        made[amount.name] = _step(amount)


def _step(amount: Amount[Any]) -> Step:
    origin = amount.origin
    if isinstance(origin, Computed):
        return Step(
            amount.name,
            f"{_expression(origin)} = {both(amount)}",
            origin.op,
            tuple(dict.fromkeys(_named(origin))),
            tuple(dict.fromkeys(_own_lines(origin))),
            amount,
            "",
        )
    note = origin.reason if isinstance(origin, Given) else ""
    op = _BY[origin.by] if isinstance(origin, Given) else "read" if isinstance(origin, Read) else "measured"
    return Step(amount.name, both(amount), op, (), tuple(lines_of(amount)), amount, note)


def _named(origin: Computed) -> Iterable[str]:
    for part in origin.of:
        if part.name:
            yield part.name
        elif isinstance(part.origin, Computed):
            yield from _named(part.origin)


def _own_lines(origin: Computed) -> Iterable[Ref]:
    """The lines of the operands that are written inside the step."""
    for part in origin.of:
        if part.name:
            continue
        if isinstance(part.origin, Computed):
            yield from _own_lines(part.origin)
        else:
            yield from lines_of(part)


def _expression(origin: Computed) -> str:
    parts = origin.of
    if origin.op == "sum":
        return _sum(parts)
    if origin.op == "floor":
        return f"{_operand(parts[0])} rounded down to a whole {_whole(parts[1])}"
    if origin.op in {"least", "most"}:
        return f"the {'smaller' if origin.op == 'least' else 'larger'} of {', '.join(map(_operand, parts))}"
    first, second = parts
    return f"{_operand(first, _LEFT.get(origin.op, origin.op))}{_SIGNS[origin.op]}{_operand(second, origin.op)}"


def _whole(step: Amount[Any]) -> str:
    text = shown(step)
    return text.removeprefix("1 ")


def _sum(parts: tuple[Amount[Any], ...]) -> str:
    kinds: dict[str, int] = {}
    for part in parts:
        text = _operand(part)
        kinds[text] = kinds.get(text, 0) + 1
    return " + ".join(text if n == 1 else f"{n} × {text}" for text, n in kinds.items())


def _operand(amount: Amount[Any], inside: str = "add") -> str:
    if not amount.name and isinstance(amount.origin, Computed):
        text = _expression(amount.origin)
        loose = amount.origin.op in {"add", "sub", "sum"} and inside not in {"add", "sum"}
        return f"({text})" if loose else text
    words = f" ({amount.name})" if amount.name and amount.unit != "1" else ""
    if amount.unit == "1" and amount.name:
        return f"{shown(amount)} {'rank' if amount.name == 'ranks' and amount.value == 1 else amount.name}"
    return shown(amount) + words
