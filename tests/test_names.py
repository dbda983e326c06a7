"""Of names there may be millions; what is kept for each of them has a bound."""

from __future__ import annotations

from analyzer.names import APART, LATEST, Apart, Latest


def test_the_first_names_are_kept_apart_and_later_ones_are_one() -> None:
    apart = Apart()
    names = [f"n{number}" for number in range(APART + 2)]
    assert [apart.key(name) for name in names] == [*names[:APART], None, None]
    assert [apart.key(name) for name in names] == [*names[:APART], None, None], "also when they come again"


def test_no_name_is_apart_whenever_it_comes() -> None:
    apart = Apart()
    for number in range(APART + 2):
        apart.key(f"n{number}")
    assert apart.key("") == ""


def test_the_name_goes_that_was_not_met_for_longest() -> None:
    latest = Latest()
    assert [latest.meet(f"n{number}") for number in range(LATEST)] == [None] * LATEST
    assert latest.meet("n0") is None
    assert latest.meet("new") == "n1"
    assert latest.meet("n0") is None


def test_no_name_never_goes() -> None:
    latest = Latest()
    gone = [latest.meet(name) for number in range(LATEST + 5) for name in ("", f"n{number}")]
    assert [name for name in gone if name is not None] == [f"n{number}" for number in range(5)]
