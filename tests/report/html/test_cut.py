"""What a page leaves out is counted and said."""

from __future__ import annotations

from analyzer.report.html.cut import LONGEST, Cut


def test_what_fits_is_whole_and_nothing_is_said() -> None:
    cut = Cut()
    assert cut.first([1, 2, 3], 3, "lines") == ([1, 2, 3], "")
    assert cut.text("x" * LONGEST) == "x" * LONGEST
    assert cut.said == ""


def test_what_does_not_fit_is_counted_where_it_is_cut_and_at_the_end() -> None:
    cut = Cut()
    assert cut.first(range(1_010), 10, "lines") == (list(range(10)), "and 1,000 more lines, not on this page")
    assert cut.first(range(15), 10, "lines").kept == list(range(10))
    assert "1,005 lines" in cut.said


def test_a_long_text_says_how_much_of_it_is_missing() -> None:
    cut = Cut()
    shown = cut.text("x" * (LONGEST + 1_500))
    assert shown.startswith("x" * LONGEST + " …")
    assert "1,500 more signs" in shown
    assert "1,500 signs of long texts" in cut.said


def test_a_divisor_makes_every_bound_smaller_and_leaves_one() -> None:
    assert Cut(4).first(range(100), 40, "lines").kept == list(range(10))
    assert Cut(256).first(range(100), 40, "lines").kept == [0]
