"""Numbers that know their unit, their rounding and where they come from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.evidence import Ref


class Byte:
    """Memory and file sizes."""


class Second:
    """Durations."""


class Token:
    """KV cache slots."""


class One:
    """Ranks, requests, shards, ratios."""


U = TypeVar("U")
V = TypeVar("V")


class Per(Generic[U, V]):
    """A rate: bytes per token, tokens per second."""


Op = Literal["add", "sub", "mul", "div", "per", "floor", "least", "most", "sum"]
FoldHow = Literal["first", "last", "least", "most", "mean", "median", "sum", "count"]


class Read(NamedTuple):
    """Taken from a line; `text` keeps digits and unit as printed."""

    line: Ref
    text: str


class Measured(NamedTuple):
    """Folded from many lines of one table."""

    how: FoldHow
    table: str
    rows: int
    first: Ref
    last: Ref


class Given(NamedTuple):
    """Not in the input: a fact given by the user, known of the release, or assumed by a rule, with the reason."""

    by: Literal["user", "release", "rule"]
    reason: str


class Computed(NamedTuple):
    """Made from other amounts."""

    op: Op
    of: tuple[Amount[Any], ...]


Origin = Read | Measured | Given | Computed


@dataclass(frozen=True, slots=True, eq=False)
class Amount(Generic[U]):
    """An exact value in base units (bytes, seconds, tokens, ones) with its rounding and its origin.

    `slack` is how far the true value may lie from `value`: half the last printed digit, carried through every
    operation. `decimal` is true for sizes that the user or the log states in powers of ten (HiCache's GB).
    A `name` makes the amount a step of the calculation; an unnamed one is written inside the step that uses it.
    There is no bare-number operand: a constant comes as `Given`, with its reason.
    """

    value: Fraction
    unit: str
    origin: Origin
    slack: Fraction = Fraction(0)
    decimal: bool = False
    name: str = ""

    def called(self, name: str) -> Amount[U]:
        """The same amount as a named step."""
        return replace(self, name=name)

    def __add__(self, other: Amount[U]) -> Amount[U]:
        return self._computed("add", other, self.value + other.value, self.slack + other.slack)

    def __sub__(self, other: Amount[U]) -> Amount[U]:
        return self._computed("sub", other, self.value - other.value, self.slack + other.slack)

    def __mul__(self, other: Amount[One]) -> Amount[U]:
        return self._computed("mul", other, self.value * other.value, self._product_slack(other))

    @overload
    def __truediv__(self, other: Amount[U]) -> Amount[One]: ...
    @overload
    def __truediv__(self, other: Amount[One]) -> Amount[U]: ...
    def __truediv__(self, other: Amount[Any]) -> Amount[Any]:
        unit = "1" if other.unit == self.unit else self.unit
        made = self._computed("div", other, self.value / other.value, self._quotient_slack(other))
        return replace(made, unit=unit, decimal=unit == "B" and self.decimal)

    def per(self, other: Amount[V]) -> Amount[Per[U, V]]:
        """The rate of this over another kind of amount: bytes per token, tokens per second."""
        made = self._computed("per", other, self.value / other.value, self._quotient_slack(other))
        return Amount(made.value, f"{self.unit}/{other.unit}", made.origin, made.slack)

    def buys(self, price: Amount[Per[U, V]]) -> Amount[V]:
        """How much of `V` this affords at `price`: bytes at bytes per token give tokens."""
        made = self._computed("div", price, self.value / price.value, self._quotient_slack(price))
        return Amount(made.value, price.unit.split("/")[1], made.origin, made.slack)

    def floor(self, step: Amount[U]) -> Amount[U]:
        """The largest whole multiple of `step` that is not above this."""
        whole = Fraction(math.floor(self.value / step.value)) * step.value
        return replace(self._computed("floor", step, whole, Fraction(0)), decimal=step.decimal)

    def surely_below(self, other: Amount[U]) -> bool:
        """Whether this is less than `other` by more than rounding can explain."""
        return self.value + self.slack < other.value - other.slack

    def number(self) -> float:
        """The value in base units, for charts and JSON."""
        return float(self.value)

    def _computed(self, op: Op, other: Amount[Any], value: Fraction, slack: Fraction) -> Amount[U]:
        bytes_of = [a.decimal for a in (self, other) if a.unit == "B"]
        decimal = bool(bytes_of) and all(bytes_of)
        return Amount(value, self.unit, Computed(op, (self, other)), abs(slack), decimal)

    def _product_slack(self, other: Amount[Any]) -> Fraction:
        return abs(self.value) * other.slack + abs(other.value) * self.slack

    def _quotient_slack(self, other: Amount[Any]) -> Fraction:
        return (self.slack + abs(self.value / other.value) * other.slack) / abs(other.value)


def least(amounts: Iterable[Amount[U]]) -> Amount[U]:
    """The smallest of them, as a step that shows what it was chosen from."""
    return _chosen("least", sorted(amounts, key=lambda a: a.value))


def most(amounts: Iterable[Amount[U]]) -> Amount[U]:
    """The largest of them, as a step that shows what it was chosen from."""
    return _chosen("most", sorted(amounts, key=lambda a: -a.value))


def _chosen(op: Op, ordered: list[Amount[U]]) -> Amount[U]:
    if len(ordered) == 1:
        return ordered[0]
    best = ordered[0]
    return Amount(best.value, best.unit, Computed(op, tuple(ordered)), best.slack, best.decimal)


def total(amounts: Iterable[Amount[U]]) -> Amount[U]:
    """Their sum; equal parts are written as a product (8 × 300 GB)."""
    parts = tuple(amounts)
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    value = sum((p.value for p in parts), Fraction(0))
    slack = sum((p.slack for p in parts), Fraction(0))
    return Amount(value, first.unit, Computed("sum", parts), slack, all(p.decimal for p in parts))


def leaves(amount: Amount[Any]) -> list[Amount[Any]]:
    """The amounts at the bottom of the tree: read, measured or given."""
    if isinstance(amount.origin, Computed):
        return [leaf for part in amount.origin.of for leaf in leaves(part)]
    return [amount]


def lines_of(amount: Amount[Any]) -> list[Ref]:
    """Every line that the amount rests on, each once, in the order of use."""
    found: dict[Ref, None] = {}
    for leaf in leaves(amount):
        if isinstance(leaf.origin, Read):
            found[leaf.origin.line] = None
        elif isinstance(leaf.origin, Measured):
            found[leaf.origin.first] = found[leaf.origin.last] = None
    return list(found)
