"""The manual of an argument or a phase as plain text of at most 100 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from analyzer.knowledge.arguments import Argument, Remark, Scope, argument
from analyzer.knowledge.argv import value_of
from analyzer.knowledge.facts import table
from analyzer.knowledge.guards import host_pool_guard
from analyzer.knowledge.phases import phase_order, usual_duration, usual_pinning
from analyzer.knowledge.release import UNKNOWN, Release
from analyzer.units import UNITS, Given, given
from analyzer.units.shown import both, shown
from analyzer.vocabulary import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.knowledge.eras import Era

_WIDTH = 100
_LABEL = 11
_UNITS = {"GB": "GB, 10^9 bytes", "GiB": "GiB, 2^30 bytes", "s": "seconds", "token": "tokens", "count": "a number"}


def explain(name: str, release: Release = UNKNOWN, ranks: int | None = None) -> str | None:
    """What an argument or a phase is, in plain text; `None` where the name is neither.

    `name` is a field, a flag or a phase; `hicache-size=300` gives the argument a value. `ranks` are those on one host:
    with them a value (or an example) is multiplied out.
    """
    plain, _, value = name.strip().partition("=")
    if plain in set(Phase):
        return _phase(Phase(plain), release)
    known = argument(plain)
    if known is not None:
        return _argument(known, release, ranks, value)
    figure = table("arguments")["figure"].get(plain.lstrip("-").replace("-", "_"))
    return _figure(plain, figure) if figure is not None else None


def _argument(known: Argument, release: Release, ranks: int | None, value: str) -> str:
    rows = [("field", known.name), ("flag", ", ".join(known.flags) or "none: set by SGLang")]
    if known.scope is not None:
        rows.append(("scope", f"{known.scope}: {known.scope.sentence}"))
    rows += [("unit", _UNITS.get(known.unit, known.unit)), ("total", _total(known))]
    rows += [("releases", _releases(known, release)), ("default", _default(known, release)), ("source", known.source)]
    lines = [*_sentence(known.sentence or "what it does is not described here"), "", *_table(rows)]
    sums = _sum(known, ranks, value)
    if sums:
        lines += ["", *textwrap.wrap(sums, _WIDTH)]
    told = [*_remarks(known.remarks, release), *_guard(known, release)]
    return "\n".join([*lines, *([""] if told else []), *told]) + "\n"


def _phase(phase: Phase, release: Release) -> str:
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
    return "\n".join([*_sentence(phase.sentence), "", *_table(rows), *([""] if told else []), *_bullets(told)]) + "\n"


def _figure(name: str, row: dict[str, str]) -> str:
    scope = Scope(row["scope"])
    rows = [("scope", f"{scope}: {scope.sentence}"), ("unit", _UNITS.get(row.get("unit", ""), ""))]
    rows += [("total", f"value × {row['times']}" if "times" in row else ""), ("source", row["source"])]
    return "\n".join([*_sentence(f"{name}: {row['says']}"), "", *_table(rows)]) + "\n"


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
    if release is UNKNOWN or there is None:
        return span
    return f"{span}; {release.text} {'has' if there else 'does not have'} it"


def _default(known: Argument, release: Release) -> str:
    value = known.default(release)
    if value is not None:
        return value if release is UNKNOWN else f"{value} in {release.text}"
    return ", then ".join(_change(era) for era in known.defaults)


def _change(era: Era[str]) -> str:
    return era.value if era.after is None else f"{era.value} from {era.since} on"


def _remarks(remarks: Iterable[Remark], release: Release) -> list[str]:
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
    return f" ({since} or later)" if until is None else f" ({since} to {until})"


def _guard(known: Argument, release: Release) -> list[str]:
    wanted = table("arguments")["argument"].get(known.name, {}).get("guard", ())
    guard = host_pool_guard(release)
    if guard is None or not wanted:
        return []
    return _bullets(guard.sentences[fact] for fact in wanted if fact in guard.sentences)


def _table(rows: Iterable[tuple[str, Any]]) -> list[str]:
    return [
        line
        for label, text in rows
        if text
        for line in textwrap.wrap(
            str(text), _WIDTH, initial_indent=f"  {label:<{_LABEL}}", subsequent_indent=" " * (_LABEL + 2)
        )
    ]


def _bullets(texts: Iterable[str]) -> list[str]:
    return [
        line for text in texts for line in textwrap.wrap(text, _WIDTH, initial_indent="  - ", subsequent_indent="    ")
    ]


def _sentence(text: str) -> list[str]:
    return textwrap.wrap(f"{text[0].upper()}{text[1:]}.", _WIDTH)
