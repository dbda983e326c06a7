"""Many events of one kind are kept by their ends and counted."""

from __future__ import annotations

from analyzer.events import ExceptionRaised
from analyzer.evidence import Ref, Where
from analyzer.parsers.folded import KEPT, Folded


def event(line: int) -> ExceptionRaised:
    return ExceptionRaised(where=Where(Ref("s", line, line)), type="KeyError")


def test_few_events_are_all_kept() -> None:
    folded = Folded()
    for line in range(1, 2 * KEPT + 1):
        folded.add("KeyError", event(line))
    assert [kept.where.ref.line for kept in folded.events()] == list(range(1, 201))
    assert {kept.count for kept in folded.events()} == {1}


def test_of_many_the_ends_stay_and_the_gap_is_counted() -> None:
    folded = Folded()
    for line in range(1, 501):
        folded.add("KeyError", event(line))
    kept = folded.events()
    assert [one.where.ref.line for one in kept] == [*range(1, 101), *range(401, 501)]
    assert (kept[99].count, sum(one.count for one in kept)) == (301, 500)


def test_kinds_are_kept_apart() -> None:
    folded = Folded()
    for line in range(1, 151):
        folded.add(line % 2, event(line))
    assert len(folded.events()) == 150
