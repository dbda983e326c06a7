"""The forms of batch lines as the compiled pass reads them: one text with all that is fixed, and numbers beside it."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from analyzer.scan.fast.compiled import addresses
from analyzer.scan.fast.layout import Forms
from analyzer.tables import OWN, TABLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analyzer.scan.fast.template import Template

BATCHES = tuple(name for name in TABLES if name != "Access")
# The values of a row in each table: the number of its form before its columns; of an access line that of its tail.
WIDTHS = {table: 1 + len(OWN[table]) for table in BATCHES} | {"Access": 1}
_WORD = 8


class Held(NamedTuple):
    """Forms, and the arrays that they tell the addresses of."""

    forms: Forms
    arrays: tuple[object, ...]


def first_word(text: bytes) -> int:
    """The first eight bytes of a text as such a word."""
    return int.from_bytes(text[:_WORD], "little")


def forms_of(templates: Sequence[Template]) -> Held:
    """What is fixed in the templates, and what each of their values is."""
    texts = b""

    def placed(text: bytes) -> tuple[int, int]:
        nonlocal texts
        texts += text
        return len(texts) - len(text), len(text)

    before = [placed(template.before) for template in templates]
    fields = [field for template in templates for field in template.fields]
    behind = [placed(field.behind) for field in fields]
    ends = [0, *accumulate(len(template.fields) for template in templates)]
    owner = [template.table for template in templates for _ in template.fields]
    columns = [
        1 + OWN[table].index(field.column) if field.column else -1 for table, field in zip(owner, fields, strict=True)
    ]
    arrays: tuple[NDArray[Any], ...] = (
        np.frombuffer(texts + bytes(_WORD), np.uint8),
        np.array([*(first_word(template.before) for template in templates), 0], np.uint64),
        np.array([*(BATCHES.index(template.table) for template in templates), 0], np.int64),
        np.array([*before, (0, 0)], np.int64),
        np.array([*pairwise(ends), (0, 0)], np.int64),
        np.array([*behind, (0, 0)], np.int64),
        np.array([*(field.places for field in fields), 0], np.int64),
        np.array([*columns, 0], np.int64),
        np.array([*(field.factor for field in fields), 0], np.float64),
    )
    return Held(Forms(len(templates), *addresses(arrays)), arrays)
