"""The exact reading is asked once for each form, and its answer holds for what differs in nothing that matters."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import Rank
from analyzer.parsers.steady import Steady

pytest.importorskip("numpy")
memory = pytest.importorskip("analyzer.scan.fast.memory")

CATALOG = Catalog.load()


class Counting(Steady):
    """Counts the questions."""

    asked = 0

    def silent(self, text: str) -> bool:
        self.asked += 1
        return super().silent(text)


def made() -> object:
    return memory.Memory(Steady(CATALOG))


def test_a_form_is_asked_once() -> None:
    known = Counting(CATALOG)
    remembered = memory.Memory(known)
    assert [remembered.silent(b"radix cache evict %d pages" % n) for n in range(9)] == [True] * 9
    assert known.asked == 1


@pytest.mark.parametrize("message", [b"a[2", "grüße".encode(), b"a\x1b[1mb", b"a\tb"])
def test_what_a_form_does_not_settle_is_never_silent(message: bytes) -> None:
    assert not made().silent(message)  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [b".123", b",5", b" TP1 ", b"] [2026-02-17 10:02:51", b"\xff"])
def test_what_changes_the_time_or_is_no_rank_is_another_header(words: bytes) -> None:
    assert made().learn_rank(words + b"] ", (1,)) < 0  # type: ignore[attr-defined]


def test_a_header_without_a_blank_behind_it_is_another_one() -> None:
    assert made().learn_rank(b" TP1]D", (1,)) < 0  # type: ignore[attr-defined]


def test_ranks_and_times_are_those_of_the_header() -> None:
    remembered = made()
    label = remembered.learn_rank(b" DP1 TP4 EP4] ", (1, 2))  # type: ignore[attr-defined]
    assert remembered.ranks[label] == Rank(dp=1, tp=4, ep=4)  # type: ignore[attr-defined]
    assert remembered.learn_rank(b" DP1 TP4 EP4] ", (1, 2)) == label  # type: ignore[attr-defined]
    assert made().stamp(b"[2026-02-17 10:02:51").text == "2026-02-17 10:02:51"  # type: ignore[attr-defined]
    assert made().stamp(b"[2026-02-31 10:02:51") is None  # type: ignore[attr-defined]


def test_a_day_begins_at_midnight_and_one_that_is_not_in_the_calendar_does_not() -> None:
    midnight = datetime(2026, 2, 17, tzinfo=UTC).timestamp()
    assert made().midnight(b"[2026-02-17 ") == midnight  # type: ignore[attr-defined]
    assert made().midnight(b"[2026-02-31 ") is None  # type: ignore[attr-defined]
