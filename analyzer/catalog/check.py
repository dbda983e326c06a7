"""The proof of a catalog by its own samples: what `postmortem patterns check` and the data test run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.catalog import wording
from analyzer.catalog.values import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.catalog.catalog import Catalog
    from analyzer.catalog.definition import Pattern, Sample, Variant
    from analyzer.catalog.match import Claim

_FRAME = ['  File "/srv/app.py", line 7, in serve', '    raise Stopped("{}")', "Stopped: no more requests"]
_TRACEBACK = "Traceback (most recent call last):"


class Problem(NamedTuple):
    """Something a pattern's samples disprove, with the file and the pattern."""

    file: str
    pattern: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: pattern {self.pattern}: {self.what}"


class _Lines(NamedTuple):
    """A record to be matched."""

    text: str
    more: Sequence[str] = ()


def check(catalog: Catalog) -> list[Problem]:
    """Everything that is wrong with the patterns, in their order; empty where each sample and decoy holds.

    A sample gives exactly what it says; exactly its pattern and those named by `also` claim it; decoys are left
    alone; every variant has a sample that only it matches; a sample quoted in a request or in a traceback's source
    line is claimed by nothing.
    """
    return [
        Problem(pattern.file, pattern.id, what) for pattern in catalog.patterns for what in _problems(catalog, pattern)
    ]


def _problems(catalog: Catalog, pattern: Pattern) -> Iterator[str]:
    faults = [fault for variant in pattern.variants if (fault := wording.objection(variant.regex))]
    if faults:
        yield from faults
        return
    if not pattern.samples:
        yield "has no sample"
    for sample in pattern.samples:
        yield from _sample(catalog, pattern, sample)
    for decoy in pattern.decoys:
        if pattern.id in _claimers(catalog, _lines(pattern, decoy)):
            yield f"claims its decoy: {decoy}"
    yield from _variants(pattern)
    used = {name for sample in pattern.samples for name in _claimers(catalog, _lines(pattern, sample.text))}
    for name in pattern.also:
        if name not in used:
            yield f"also: no sample is claimed by {name!r}"


def _sample(catalog: Catalog, pattern: Pattern, sample: Sample) -> Iterator[str]:
    claimers = _claimers(catalog, _lines(pattern, sample.text))
    if pattern.id not in claimers:
        yield f"does not claim its sample: {sample.text}"
        return
    for other in sorted(claimers - {pattern.id, *pattern.also}):
        yield f"{other!r} claims its sample, too: {sample.text}"
    given = _given(catalog, pattern, sample)
    for name in sorted(given.keys() | sample.gives.keys()):
        if name not in sample.gives:
            yield f"its sample gives {name} = {given[name]!r}, which it does not say: {sample.text}"
        elif name not in given or not _same(given[name], sample.gives[name]):
            yield f"its sample gives {name} = {given.get(name)!r}, not {sample.gives[name]!r}: {sample.text}"
    for kind, quoted, neutral in _quotes(sample.text):
        for name in sorted(_claimers(catalog, quoted) - _claimers(catalog, neutral)):
            yield f"{name!r} claims its sample inside {kind}: {sample.text}"


def _variants(pattern: Pattern) -> Iterator[str]:
    if len(pattern.variants) < 2:  # noqa: PLR2004 - a single variant needs no telling apart
        return
    alone: set[int] = set()
    for sample in pattern.samples:
        matching = [n for n, v in enumerate(pattern.variants) if _matches(pattern, v, sample.text)]
        alone.update(matching if len(matching) == 1 else ())
    for number, variant in enumerate(pattern.variants):
        if number not in alone:
            yield f"variant {number + 1} has no sample that only it matches: {' '.join(variant.regex.split())}"


def _matches(pattern: Pattern, variant: Variant, text: str) -> bool:
    expression = wording.compiled(variant.regex)
    anchored = pattern.at in {"start", "exception"}
    return bool(expression.match(text) if anchored else expression.search(text))


def _lines(pattern: Pattern, text: str) -> _Lines:
    if pattern.at == "exception":
        return _Lines(_TRACEBACK, [*_FRAME[:2], *text.split("\n")])
    first, *more = text.split("\n") if pattern.at == "record" else [text]
    return _Lines(first, more)


def _claimers(catalog: Catalog, lines: _Lines) -> set[str]:
    for head in catalog.heads:
        if lines.text.startswith(head.text):
            return {head.pattern.id}
    return {claim.pattern.id for claim in _claims(catalog, lines)}


def _claims(catalog: Catalog, lines: _Lines) -> list[Claim]:
    return catalog.matcher.claims(lines.text, lines.more)


def _given(catalog: Catalog, pattern: Pattern, sample: Sample) -> dict[str, str]:
    for head in catalog.heads:
        if head.pattern is pattern and sample.text.startswith(head.text):
            return {column.field: raw for key, raw in head.pairs(sample.text) if (column := head.columns.get(key))}
    claims = _claims(catalog, _lines(pattern, sample.text))
    return next(claim.values for claim in claims if claim.pattern is pattern)


def _same(raw: str, said: str | float | bool) -> bool:  # noqa: FBT001 - whatever TOML has
    if isinstance(said, bool):
        return raw in {str(said), str(said).lower(), str(int(said))}
    if isinstance(said, str):
        return raw == said
    try:
        return float(raw.rstrip("%").replace(",", "")) == said
    except ValueError:
        return ":" in raw and seconds(raw) == said


def _quotes(text: str) -> Iterator[tuple[str, _Lines, _Lines]]:
    """The text where it must mean nothing, each with the same place around a neutral word."""
    flat, plain = text.replace("\n", " ").replace('"', ""), "hello"
    forms = {
        "a logged request": "Receive: obj=GenerateReqInput(rid='7', text='{}', sampling_params={{}})",
        "a logged answer": "Finish: obj=GenerateReqInput(rid='7', text=['{}']), out={{'text': ''}}",
        "a request logged as JSON": '{{"event": "request.received", "obj": {{"text": "{}"}}}}',
        "a source line": _FRAME[1],
    }
    for kind, form in forms.items():
        yield kind, _Lines(form.format(flat)), _Lines(form.format(plain))
    framed = [(_FRAME[0], _FRAME[1].format(word), _FRAME[2]) for word in (flat, plain)]
    yield "a traceback", _Lines(_TRACEBACK, framed[0]), _Lines(_TRACEBACK, framed[1])
