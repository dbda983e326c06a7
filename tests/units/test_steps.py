"""The arithmetic that was done is the arithmetic that is written."""

from __future__ import annotations

from analyzer.units import Given, assumed, given, least, of_release, steps, total
from tests.build import counted, ref, size


def test_an_unnamed_amount_is_no_step_of_its_own() -> None:
    asked = (size("300 GB") * counted(8)).called("asked")
    assert [step.name for step in steps([asked])] == ["asked"]


def test_operands_come_before_results_and_each_once() -> None:
    share = size("300 GB", line=4).called("per rank")
    asked = (share * counted(8, line=4).called("ranks")).called("asked")
    short = (asked - size("449 GiB", source="free.txt").called("there is")).called("missing")
    assert [step.name for step in steps([short, asked])] == ["per rank", "ranks", "asked", "there is", "missing"]


def test_a_product_is_written_with_its_result_in_both_units() -> None:
    asked = (size("300 GB") * counted(8)).called("asked")
    assert steps([asked])[0].expression == "300 GB × 8 = 2,400 GB = 2,235 GiB"


def test_equal_parts_of_a_sum_are_written_as_a_product() -> None:
    asked = total([size("300 GB", line=n) for n in range(1, 9)]).called("asked")
    step = steps([asked])[0]
    assert step.expression == "8 × 300 GB = 2,400 GB = 2,235 GiB"
    assert step.lines == tuple(ref(n) for n in range(1, 9))


def test_a_difference_inside_a_quotient_keeps_its_brackets() -> None:
    share = ((size("449 GiB") - size("9 GiB")) / counted(8)).called("share")
    assert steps([share])[0].expression == "(449 GiB − 9 GiB) ÷ 8 = 55 GiB"


def test_a_choice_shows_what_it_was_chosen_from() -> None:
    room = least([size("449 GiB"), size("100 GiB")]).called("limit")
    assert steps([room])[0].expression == "the smaller of 100 GiB, 449 GiB = 100 GiB"


def test_a_constant_shows_its_reason() -> None:
    kept = assumed("10", "GiB", "SGLang keeps it back").called("reserve")
    assert (steps([kept])[0].op, steps([kept])[0].note) == ("assumed", "SGLang keeps it back")


def test_a_fact_of_the_user_and_a_constant_of_the_release_are_told_apart() -> None:
    told = given("449", "GiB", Given("user", "--ram")).called("memory")
    kept = of_release("10", "GiB", "SGLang keeps it back").called("reserve")
    assert [step.op for step in steps([told, kept])] == ["given", "release"]
