"""Many events of one kind are kept by their ends and counted, whether they come one by one or many at a time."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analyzer import folded
from analyzer.events import ExceptionRaised
from analyzer.evidence import Ref, Where
from analyzer.folded import KEPT, Folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from analyzer.events import Event

FEW = 3  # events that stay at each end, in place of a hundred
# The kind of event that the lines of each voice give. Those of the first two are read one by one.
VOICES = ["a", "b", "a", "a", "b", "c"]
ALONE = 2


def event(line: int, text: str = "") -> ExceptionRaised:
    return ExceptionRaised(where=Where(Ref("s", line, line)), text=text, type="KeyError")


def adding(lines: Iterable[int]) -> Folded:
    """Events of one kind, one by one."""
    several = Folded()
    for line in lines:
        several.add("a", line, partial(event, line))
    return several


def making(lines: Iterable[int]) -> list[tuple[int, Callable[[], Event]]]:
    return [(line, partial(event, line)) for line in lines]


def told(several: Folded) -> list[tuple[int, str, int]]:
    return [(one.where.ref.line, one.text, one.count) for one in several.events()]


def places(several: Folded) -> list[int]:
    return [line for line, _, _ in told(several)]


def test_nothing_was_said_where_nothing_was_added() -> None:
    assert Folded().events() == []


def test_few_events_are_all_kept() -> None:
    assert told(adding(range(1, 2 * KEPT + 1))) == [(line, "", 1) for line in range(1, 201)]


def test_of_many_the_ends_stay_and_the_gap_is_counted() -> None:
    kept = adding(range(1, 501)).events()
    assert [one.where.ref.line for one in kept] == [*range(1, 101), *range(401, 501)]
    assert (kept[99].count, sum(one.count for one in kept)) == (301, 500)


def test_the_last_before_a_gap_keeps_its_own_count_besides() -> None:
    several = Folded()
    for line in range(1, 2 * KEPT + 6):
        several.add("a", line, lambda line=line: ExceptionRaised(where=Where(Ref("s", line, line)), count=7))
    assert [one.count for one in several.events()] == [7] * 99 + [7 + 5] + [7] * 100


def test_kinds_are_kept_apart_and_told_in_the_order_of_their_lines() -> None:
    several = Folded()
    for line in range(1, 151):
        several.add(line % 2, line, partial(event, line))
    assert places(several) == list(range(1, 151))


def test_events_of_one_line_are_in_the_order_in_which_they_came() -> None:
    several = Folded()
    for text in ("one", "another", "a third"):
        several.add(text == "another", 5, partial(event, 5, text))
    several.merge("merged", [(4, partial(event, 4, "first")), (4, partial(event, 4, "second"))], 0)
    assert [text for _, text, _ in told(several)] == ["first", "second", "one", "another", "a third"]


def test_an_event_that_does_not_stay_is_never_made() -> None:
    made: list[int] = []
    making = [(line, lambda line=line: made.append(line) or event(line)) for line in range(1, 501)]
    several = Folded()
    for line, make in making[:300]:
        several.add("a", line, make)
    several.merge("a", making[300:], 0)
    assert made == list(range(1, 101)), "who is among the last is not known yet"
    several.events()
    assert made == [*range(1, 101), *range(401, 501)]


def test_many_at_a_time_stand_before_between_and_behind_those_that_came_before_them() -> None:
    several = adding([5, 8])
    several.merge("a", making([1, 6, 9]), 0)
    several.merge("b", making([2, 7]), 0)
    assert places(several) == [1, 2, 5, 6, 7, 8, 9]


def test_those_that_are_passed_over_are_counted_in_the_gap() -> None:
    several = Folded()
    several.merge("a", making([*range(1, 101), *range(901, 1001)]), 800)
    assert told(several) == told(adding(range(1, 1001)))


@pytest.mark.parametrize("alone", [0, 1, 99, 100, 101, 250])
@pytest.mark.parametrize("size", [1, 100, 101, 200])
@pytest.mark.parametrize("behind", [False, True])
def test_many_at_a_time_are_as_if_each_had_been_added_in_its_place(alone: int, size: int, behind: bool) -> None:  # noqa: FBT001 - a parameter
    one, many = range(1, alone + 1), range(alone + 1, alone + size + 1)
    if not behind:
        one, many = range(size + 1, size + alone + 1), range(1, size + 1)
    several = adding(one)
    several.merge("a", making(many), 0)
    assert told(several) == told(adding(range(1, alone + size + 1)))


def test_telling_twice_tells_the_same_and_what_comes_later_is_added() -> None:
    several = adding(range(1, 301))
    assert told(several) == told(several)
    several.add("a", 301, partial(event, 301))
    assert told(several) == told(adding(range(1, 302)))


def each_by_itself(voices: list[int]) -> Folded:
    """The events of lines, of which each has one of the voices."""
    several = Folded()
    for line, voice in enumerate(voices):
        several.add(VOICES[voice], line, partial(event, line, f"{voice}"))
    return several


def in_groups(voices: list[int], order: list[int]) -> Folded:
    """The same: those of most voices at the end, the first and the last few of each, in an order of their own."""
    several, heard = Folded(), defaultdict[int, list[int]](list)
    for line, voice in enumerate(voices):
        if voice < ALONE:
            several.add(VOICES[voice], line, partial(event, line, f"{voice}"))
        else:
            heard[voice].append(line)
    for voice in order:
        lines = heard[voice]
        kept = lines if len(lines) <= 2 * FEW else lines[:FEW] + lines[-FEW:]
        made = [(line, partial(event, line, f"{voice}")) for line in kept]
        if made:
            several.merge(VOICES[voice], made, len(lines) - len(kept))
    return several


@given(st.lists(st.integers(0, len(VOICES) - 1), max_size=80), st.permutations(range(ALONE, len(VOICES))))
@example([2] * 20 + [3] * 20 + [0] * 20, [3, 2, 5, 4])
@example([0] * 20 + [2, 3] * 20, [2, 3, 4, 5])
@example([2, 3, 3, 3, 2, 0, 0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3, 2, 2, 0, 2, 3], [3, 2, 4, 5])
def test_groups_are_as_if_each_line_had_been_added_by_itself(voices: list[int], order: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folded, "KEPT", FEW)
        assert told(in_groups(voices, order)) == told(each_by_itself(voices))
