"""The JSON of a Prometheus query (instant or range), on one line or laid out; what is cut off is left out."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.layers import stamps
from analyzer.parsers import series
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.parsers.block import Around, Text

KIND = "prometheus"
HEADS = ('"resultType"', '"__name__"', '"metric"')

_ANSWER = lazy(r'\s*(?:\{\s*"status"\s*:.{0,200})?"resultType"\s*:\s*"(?:matrix|vector)"')
_SERIES = lazy(r'\s*\{?\s*"metric"\s*:\s*\{')
_JSON = lazy(r'\s*(?:"[^"]{1,200}"\s*(?::.*|,)?|\d[\d.]*,?|\[\s*\d{9}.*|[\[\]{},\s]*)$')
_TOKEN = lazy(r'"metric"\s*:\s*\{([^{}]{0,4000})\}|\[\s*(\d{9,12}(?:\.\d{1,9})?)\s*,\s*"([^"]{1,40})"\s*\]')


def claims(head: str, _around: Around) -> bool:
    """The answer's type, or the labels of a series."""
    return bool(_ANSWER.match(head[:2000]) or _SERIES.match(head[:2000]))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """What the series tell, each sample at its own time."""
    used = next((n for n, line in enumerate(lines) if n and not _JSON.match(line.text[:200])), len(lines))
    samples = list(_samples(lines[:used]))
    return Block(max(used, 1), used if samples else 0, series.events(samples, around))


def _samples(lines: Sequence[Text]) -> Iterator[series.Sample]:
    begins = [0, *accumulate(len(line.text) + 1 for line in lines)]
    name = ""
    labels: dict[str, str] = {}
    for found in _TOKEN.finditer("\n".join(line.text for line in lines)):
        if found[1] is not None:
            labels = dict(series.LABEL.findall(found[1]))
            name = labels.pop("__name__", "")
            continue
        value, stamp = series.number(found[3]), stamps.epoch(found[2])
        if name and value is not None and stamp:
            at = bisect_right(begins, found.start()) - 1
            line = lines[at]
            ref = line.ref._replace(column=line.ref.column + found.start() - begins[at])
            yield series.Sample(name, labels, value, line._replace(ref=ref, stamp=stamp))
