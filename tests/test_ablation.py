"""Whatever is taken away from a sample, its answer weakens at most: it never turns into another cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import regex

from tests.judging import accused, answer, blamable, files, read, sources
from tests.samples import CASES

if TYPE_CHECKING:
    from collections.abc import Iterator

STAMP = regex.compile(rb"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]*\] ?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z? ")
every_sample = pytest.mark.parametrize("name", sorted(CASES))


def pieces(text: bytes) -> Iterator[tuple[str, bytes]]:
    """What may be left of a log: a half, a quarter, no line of arguments, no times."""
    lines = text.splitlines(keepends=True)
    count = len(lines)
    yield from (("first half", b"".join(lines[: count // 2])), ("second half", b"".join(lines[count // 2 :])))
    for quarter in range(4):
        yield f"quarter {quarter + 1}", b"".join(lines[quarter * count // 4 : (quarter + 1) * count // 4])
    yield "no arguments", b"".join(line for line in lines if b"server_args=" not in line)
    yield "no times", STAMP.sub(b"", text)


@every_sample
def test_without_one_of_its_files_a_sample_accuses_nothing_else(name: str) -> None:
    whole = sources(name)
    left = {gone.name: [source for source in whole if source is not gone] for gone in whole}
    wrong = {gone: accused(answer(kept)) - blamable(name) for gone, kept in left.items() if kept}
    assert {gone: ids for gone, ids in wrong.items() if ids} == {}


@every_sample
def test_each_file_by_itself_accuses_nothing_else(name: str) -> None:
    wrong = {source.name: accused(answer([source])) - blamable(name) for source in sources(name)}
    assert {only: ids for only, ids in wrong.items() if ids} == {}


@every_sample
def test_a_damaged_log_accuses_nothing_else(name: str) -> None:
    longest = max(files(name), key=lambda file: len(files(name)[file]))
    others = [source for source in sources(name) if source.name != longest]
    damaged = {damage: read(longest, rest) for damage, rest in pieces(files(name)[longest])}
    wrong = {damage: accused(answer([cut, *others])) - blamable(name) for damage, cut in damaged.items()}
    assert {damage: ids for damage, ids in wrong.items() if ids} == {}
