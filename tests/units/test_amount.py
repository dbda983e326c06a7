"""Amounts keep value, rounding and origin through every operation."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from analyzer.units import Amount, Byte, Computed, least, leaves, lines_of, most, total
from tests.build import counted, ref, size

sizes = st.integers(min_value=1, max_value=10**15).map(lambda n: size(f"{n} B"))


def test_a_difference_within_rounding_is_not_surely_one() -> None:
    # 5.8 GB may be anything up to 5.85, and 5.82 GB anything from 5.815.
    assert not size("5.8 GB").surely_below(size("5.82 GB"))
    assert size("5.8 GB").surely_below(size("5.9 GB")) is False, "5.85 against 5.85 is a draw"
    assert size("5.8 GB").surely_below(size("6.0 GB"))


def test_whole_numbers_are_exact() -> None:
    assert size("8 GiB").surely_below(size("9 GiB"))


def test_a_truncated_figure_may_be_a_whole_digit_higher() -> None:
    # `free -g` prints 448 for anything up to 449 GiB.
    assert not size("448 GiB", truncated=True).surely_below(size("449 GiB"))
    assert size("448 GiB", truncated=True).surely_below(size("450 GiB"))


def test_eight_times_three_hundred_decimal_gigabytes() -> None:
    asked = size("300.00 GB") * counted(8)
    assert asked.value == 2_400 * 10**9
    assert asked.slack == 8 * 5 * 10**6, "half of 0.01 GB, eight times"
    assert asked.decimal


def test_decimal_and_binary_sizes_give_a_binary_one() -> None:
    missing = size("2400 GB") - size("449 GiB")
    assert missing.value == 2_400 * 10**9 - 449 * 2**30
    assert not missing.decimal


def test_dividing_like_by_like_gives_a_plain_number() -> None:
    ratio = size("2400 GB") / size("600 GB")
    assert (ratio.value, ratio.unit, ratio.decimal) == (4, "1", False)


def test_dividing_by_a_count_keeps_the_unit() -> None:
    share = size("448 GiB") / counted(8)
    assert (share.value, share.unit) == (56 * 2**30, "B")


def test_a_rate_buys_what_it_was_made_from() -> None:
    pool, tokens = size("8163568512 B"), size("116171 token")
    price = pool.per(tokens)
    assert (price.value, price.unit) == (Fraction(8_163_568_512, 116_171), "B/token")
    assert (pool.buys(price).value, pool.buys(price).unit) == (116_171, "token")


def test_floor_gives_the_largest_whole_multiple() -> None:
    assert size("56.125 GiB").floor(size("1 GB")).value == 60 * 10**9, "56.125 × 2^30 = 60,263,759,872"


def test_a_sum_adds_values_and_rounding() -> None:
    whole = total([size("1.5 GB"), size("2.25 GB")])
    assert whole.value == 3_750_000_000
    assert whole.slack == Fraction(5, 100) * 10**9 + Fraction(5, 1000) * 10**9


def test_one_part_is_its_own_sum_least_and_most() -> None:
    only = size("1 GiB")
    assert total([only]) is only
    assert least([only]) is only
    assert most([only]) is only


def test_least_and_most_remember_what_they_were_chosen_from() -> None:
    small, large = size("1 GiB", line=1), size("2 GiB", line=2)
    assert least([large, small]).value == small.value
    assert most([small, large]).value == large.value
    assert lines_of(least([large, small])) == [ref(1), ref(2)]


def test_an_amount_knows_every_line_below_it_once() -> None:
    share = size("300 GB", line=4)
    asked = total([share, share]) - size("449 GiB", line=9, source="free.txt")
    assert lines_of(asked) == [ref(4), ref(9, "free.txt")]
    assert len(leaves(asked)) == 3


@given(sizes, sizes)
def test_adding_and_taking_away_again_changes_nothing_but_the_rounding(a: Amount[Byte], b: Amount[Byte]) -> None:
    back = a + b - b
    assert back.value == a.value
    assert back.slack >= a.slack
    assert isinstance(back.origin, Computed)


@given(sizes, sizes)
def test_only_one_of_two_is_surely_below_the_other(a: Amount[Byte], b: Amount[Byte]) -> None:
    assert not (a.surely_below(b) and b.surely_below(a))


@given(sizes, sizes)
def test_the_floor_is_a_whole_multiple_and_less_than_one_step_away(a: Amount[Byte], step: Amount[Byte]) -> None:
    floor = a.floor(step)
    assert floor.value % step.value == 0
    assert 0 <= a.value - floor.value < step.value
