"""A pool below one request of full context: a limit, and harm only where a request met it."""

from __future__ import annotations

from analyzer.events import Notice
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.launched import capacity

RULE = "kv-pool-smaller-than-context"


def too_long(tokens: int, limit: int) -> Notice:
    amounts = {"tokens": size(f"{tokens} token", 40), "limit": size(f"{limit} token", 40)}
    return Notice(where=where(40, "10:05:00"), topic="request-too-long", text="Input length exceeds", **amounts)


def test_without_a_context_nothing_is_said() -> None:
    assert answers(RULE, capacity(59_868)) == []


def test_a_pool_that_holds_one_request_is_cleared() -> None:
    cleared(RULE, capacity(140_000, context=131_072))


def test_a_request_longer_than_the_model_s_context_is_the_client_s_mistake() -> None:
    verdict = found(RULE, capacity(59_868, context=131_072), too_long(140_000, 131_072))
    assert not verdict.harm


def test_a_limit_that_no_request_met_is_no_more_than_possible() -> None:
    verdict = found(RULE, capacity(59_868, context=131_072))
    assert verdict.status is Status.HYPOTHESIS
    assert "no request met it" in verdict.summary


def test_a_request_refused_by_the_pool_s_size_is_harm() -> None:
    verdict = found(RULE, capacity(59_868, context=131_072), too_long(100_000, 59_862))
    assert verdict.harm
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict)["tokens of a refused request"] == 100_000
    assert verdict.remedy[0].after == "59868"


def test_the_context_may_come_from_the_arguments() -> None:
    found(RULE, capacity(59_868), values={"context_length": 131_072})
