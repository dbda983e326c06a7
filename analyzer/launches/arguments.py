"""Server arguments of one launch: what the command line said and what SGLang made of it, side by side."""

from __future__ import annotations

from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analyzer import knowledge, units
from analyzer.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.events import ArgumentsPrinted, CommandLine
    from analyzer.evidence import Ref
    from analyzer.units import Amount


# Sizes that multiply to the ranks of a server, and how many it may have: the largest that are known of have hundreds.
_SIZES = ("tp_size", "pp_size", "dp_size", "ep_size", "nnodes")
MOST_RANKS = 8192
_LARGEST = 10**18  # that a whole number may be, as a 64-bit field holds it


@immutable
class Said:
    """One argument: its value, who said it (`command-line`, `server_args`, `both`), where, and a difference noted."""

    name: str
    value: Any
    said_by: str
    ref: Ref
    note: str | None = None


@immutable
class Arguments:
    """Lookup by SGLang's field name (`hicache_size`); `made` by SGLang comes before `said` by the operator."""

    made: dict[str, Any] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    made_at: Ref | None = None
    said_at: Ref | None = None
    argv: tuple[str, ...] = ()
    cut: bool = False
    beyond: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        """Whether the sizes make more ranks than any server has (`beyond`): then nothing is counted by them."""
        tp, pp, dp, ep, nodes = (_whole(self.get(name)) or 1 for name in _SIZES)
        ranks = tp * pp * (1 if self.flag("enable_dp_attention") else dp)
        object.__setattr__(self, "beyond", max(ranks, dp, ep, nodes) > MOST_RANKS or min(tp, pp, dp, ep, nodes) < 1)

    @property
    def known(self) -> bool:
        """Whether any source tells the arguments."""
        return bool(self.made or self.said)

    def get(self, name: str, default: Any = None) -> Any:
        """The value that took effect, as a Python literal; `default` where nothing says it."""
        value = self.made.get(name)
        return value if value is not None else self.said.get(name, default)

    def flag(self, name: str) -> bool:
        """Whether a boolean argument is on."""
        return self.get(name) in {True, "True", "true"}

    def ref(self, name: str) -> Ref | None:
        """The line that tells the value in effect."""
        return self.made_at if self.made.get(name) is not None else self.said_at if name in self.said else None

    def amount(self, name: str, unit: str) -> Amount[Any] | None:
        """A numeric argument with its unit; `None` where it is not set or no number."""
        value, ref = self.get(name), self.ref(name)
        if ref is None or isinstance(value, bool) or value is None:
            return None
        try:
            return replace(units.read(str(value), unit, ref), slack=Fraction(0))  # typed, not rounded
        except ValueError:
            return None

    def count(self, name: str, default: int | None = None) -> int | None:
        """A whole-number argument; `default` also for a size of a topology that cannot be."""
        number = None if self.beyond and name in _SIZES else _whole(self.get(name))
        return default if number is None or abs(number) > _LARGEST else number

    def both(self, release: knowledge.Release) -> Iterator[Said]:
        """Every argument that differs from SGLang's default or was typed, with a note where the two disagree."""
        for name, value in self.said.items():
            made = self.made.get(name)
            if name not in self.made:
                yield Said(name, value, "command-line", _place(self.said_at), self._impossible(name))
                continue
            note = None
            if not _same(value, made) and not knowledge.rewritten(name, value, made, release):
                note = f"the command line says {value}, server_args says {made}: another launch's command line?"
            yield Said(name, made, "both", _place(self.made_at), note or self._impossible(name))
        for name, made in self.made.items():
            if name not in self.said and _telling(name, made, release):
                yield Said(name, made, "server_args", _place(self.made_at), self._impossible(name))

    def _impossible(self, name: str) -> str | None:
        """What is to be said of a size where the sizes cannot be."""
        if not self.beyond or name not in _SIZES:
            return None
        sizes = ", ".join(f"{size} {str(self.get(size))[:20]}" for size in _SIZES if self.get(size) is not None)
        return f"{sizes}: no server has more than {MOST_RANKS:,} ranks, or fewer than one; none are counted by them"


def _place(ref: Ref | None) -> Ref:
    assert ref is not None  # noqa: S101 - a value is only there with its line
    return ref


def _telling(name: str, value: Any, release: knowledge.Release) -> bool:
    """Whether a value that nobody typed says something: SGLang settled on it, and it is not the release's default."""
    known = knowledge.argument(name)
    if known is None or value in (None, False, "auto", "null", "", [], {}):
        return False
    usual = known.default(release)
    return usual is None or str(value) != usual.strip("'\"")


def _same(said: Any, made: Any) -> bool:
    try:
        return str(said) == str(made) or float(said) == float(made)
    except (TypeError, ValueError, OverflowError):
        return False


def _whole(value: Any) -> int | None:
    """A value as a whole number; `None` for what is none."""
    try:
        return None if value is None or isinstance(value, bool) else int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def from_events(printed: list[ArgumentsPrinted], typed: list[CommandLine]) -> Arguments:
    """The arguments of one launch from its `server_args` line (the first) and its command line (the first)."""
    made = printed[0] if printed else None
    said = typed[0] if typed else None
    return Arguments(
        made=dict(made.values) if made else {},
        said=knowledge.parse_argv(said.argv) if said else {},
        made_at=made.where.ref if made else None,
        said_at=said.where.ref if said else None,
        argv=said.argv if said else (),
        cut=bool(made and made.cut),
    )
