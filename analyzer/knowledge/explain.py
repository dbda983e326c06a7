"""The manual of an argument or a phase as plain text, 100 columns wide where nothing else is asked."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from analyzer.knowledge.arguments import Argument, Remark, Scope, argument
from analyzer.knowledge.argv import value_of
from analyzer.knowledge.facts import table
from analyzer.knowledge.guards import host_pool_guard
from analyzer.knowledge.phases import phase_order, usual_duration, usual_pinning
from analyzer.knowledge.release import UNKNOWN, Release, newest
from analyzer.units import UNITS, Given, given
from analyzer.units.shown import both, shown
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.knowledge.eras import Era

WIDTH = 100
_LABEL = 11
_UNITS = {"GB": "GB, 10^9 bytes", "GiB": "GiB, 2^30 bytes", "s": "seconds", "token": "tokens", "count": "a number"}


def explain(name: str, release: Release = UNKNOWN, ranks: int | None = None, width: int = WIDTH) -> str | None:
    """What an argument or a phase is, in plain text; `None` where the name is neither.

    `name` is a field, a flag or a phase; `hicache-size=300` gives the argument a value. `ranks` are those on one host:
    with them a value (or an example) is multiplied out. Of a release newer than those known here, what holds in the
    newest of them is told, with that said.
    """
    plain, _, value = name.strip().partition("=")
    known = Release.of(str(newest())) if release.exact and release.notes else release
    rows = _manual(plain, known, ranks, value)
    if rows is None:
        return None
    beyond = [Row(f"What follows is of {newest()}: {note}.") for note in release.notes] if known is not release else []
    return "\n".join(line for row in (*rows[:1], *beyond, *rows[1:]) for line in row.wrapped(width)) + "\n"


class Row(NamedTuple):
    """One paragraph, table row or bullet: its text, and what stands before its first line and its others."""

    text: str
    first: str = ""
    others: str = ""

    def wrapped(self, width: int) -> list[str]:
        """Its lines; an empty one for an empty text."""
        return textwrap.wrap(self.text, width, initial_indent=self.first, subsequent_indent=self.others) or [""]


def _manual(plain: str, release: Release, ranks: int | None, value: str) -> list[Row] | None:
    if plain in set(Phase):
        return _phase(Phase(plain), release)
    known = argument(plain)
    if known is not None:
        return _argument(known, release, ranks, value)
    figure = table("arguments")["figure"].get(plain.lstrip("-").replace("-", "_"))
    return _figure(plain, figure) if figure is not None else None


def _argument(known: Argument, release: Release, ranks: int | None, value: str) -> list[Row]:
    rows = [("field", known.name), ("flag", ", ".join(known.flags) or "none: set by SGLang")]
    if known.scope is not None:
        rows.append(("scope", f"{known.scope}: {known.scope.sentence}"))
    rows += [("unit", _UNITS.get(known.unit, known.unit)), ("total", _total(known))]
    rows += [("releases", _releases(known, release)), ("default", _default(known, release)), ("source", known.source)]
    lines = [_sentence(known.sentence or "what it does is not described here"), _GAP, *_table(rows)]
    sums = _sum(known, ranks, value)
    if sums:
        lines += [_GAP, Row(sums)]
    told = [*_remarks(known.remarks, release), *_guard(known, release)]
    return [*lines, *([_GAP] if told else []), *told]


def _phase(phase: Phase, release: Release) -> list[Row]:
    order = phase_order(release)
    usual = usual_duration(phase)
    rows = [("order", " → ".join(order))]
    if usual is not None:
        rows.append(("usual", f"{shown(usual.low)} to {shown(usual.high)}: {usual.reason}"))
    if phase is Phase.HOST_POOL:
        pool = given("100", "GB", Given("rule", "an example"))
        pinning = usual_pinning(pool)
        rows.append(("usual", f"{shown(pinning.low)} to {shown(pinning.high)} for 100 GB per rank: {pinning.reason}"))
    if phase not in order:
        rows.append(("here", f"not in {release.text}"))
    guard = host_pool_guard(release) if phase is Phase.HOST_POOL else None
    told = [] if guard is None else [*guard.always.values(), *guard.sentences.values()]
    return [_sentence(phase.sentence), _GAP, *_table(rows), *([_GAP] if told else []), *_bullets(told)]


def _figure(name: str, row: dict[str, str]) -> list[Row]:
    scope = Scope(row["scope"])
    rows = [("scope", f"{scope}: {scope.sentence}"), ("unit", _UNITS.get(row.get("unit", ""), ""))]
    rows += [("total", f"value × {row['times']}" if "times" in row else ""), ("source", row["source"])]
    return [_sentence(f"{name}: {row['says']}"), _GAP, *_table(rows)]


def _total(known: Argument) -> str:
    if known.times:
        return f"value × {known.times}"
    return f"value ÷ {known.divided}" if known.divided else ""


def _sum(known: Argument, ranks: int | None, value: str) -> str:
    """The multiplication for one host; an example where no value was given."""
    if ranks is None or not known.times or known.unit not in UNITS or known.unit == "ratio":
        return ""
    number = value_of(value, known.takes) if value else 100
    if not isinstance(number, int | float):
        return ""
    each = given(str(number), known.unit, Given("user", "given with the name"))
    total = each * given(str(ranks), "count", Given("user", "given with --ranks"))
    example = "" if value else " (an example: give a value as NAME=VALUE)"
    return f"{ranks} {known.times}: {ranks} × {shown(each)} = {both(total)}{example}"


def _releases(known: Argument, release: Release) -> str:
    since = f"{known.since} or earlier" if known.after is None else f"since {known.since}"
    span = since if known.until is None else f"{known.since} to {known.until}"
    there = known.exists(release)
    if release == UNKNOWN or there is None:
        return span
    return f"{span}; {release.text} {'has' if there else 'does not have'} it"


def _default(known: Argument, release: Release) -> str:
    value = known.default(release)
    if value is not None:
        return value if release == UNKNOWN else f"{value} in {release.text}"
    return ", then ".join(_change(era) for era in known.defaults)


def _change(era: Era[str]) -> str:
    return era.value if era.after is None else f"{era.value} from {era.since} on"


def _remarks(remarks: Iterable[Remark], release: Release) -> list[Row]:
    known = release.exact
    return _bullets(
        remark.text if known else f"{remark.text}{_span(remark)}"
        for remark in remarks
        if not known or remark.certain(release)
    )


def _span(remark: Remark) -> str:
    since, until = remark.since, remark.until
    if since is None and until is None:
        return ""
    if until is None or since == until:
        return f" ({since} or later)" if until is None else f" ({since})"
    return f" ({since} to {until})" if since is not None else f" ({until} or earlier)"


def _guard(known: Argument, release: Release) -> list[Row]:
    wanted = table("arguments")["argument"].get(known.name, {}).get("guard", ())
    guard = host_pool_guard(release)
    if guard is None or not wanted:
        return []
    return _bullets(guard.sentences[fact] for fact in wanted if fact in guard.sentences)


def _table(rows: Iterable[tuple[str, Any]]) -> list[Row]:
    return [Row(str(text), f"  {label:<{_LABEL}}", " " * (_LABEL + 2)) for label, text in rows if text]


def _bullets(texts: Iterable[str]) -> list[Row]:
    return [Row(text, "  - ", "    ") for text in texts]


def _sentence(text: str) -> Row:
    return Row(f"{text[0].upper()}{text[1:]}.")


_GAP = Row("")
