"""Retractions are counted once for all ranks, with their rate."""

from __future__ import annotations

from analyzer.events import RequestsRetracted
from analyzer.evidence import NO_RANK, Rank
from analyzer.ledgers.retractions import Retractions, retractions
from tests.build import incident, launch, size, tp, where


def thrown(time: str, text: str, line: int, rank: Rank = NO_RANK, **figures: int) -> RequestsRetracted:
    requests = size(f"{figures.get('requests', 1)} count", line)
    return RequestsRetracted(where=where(line, time, rank), text=text, requests=requests, count=figures.get("count", 1))


def of(*events: RequestsRetracted) -> Retractions:
    made = retractions(incident(launch(*events)))
    assert made is not None
    return made


def test_none_are_none() -> None:
    assert retractions(incident(launch())) is None


def test_other_ranks_echo_the_same_words_at_the_same_moment() -> None:
    echoes = [thrown("10:05:00", "0.1474 -> 0.1845", 30 + i, tp(i)) for i in range(8)]
    assert of(*echoes).moments.value == 1


def test_the_same_words_of_one_rank_are_two_retractions() -> None:
    assert of(thrown("10:05:00", "same", 30, tp(0)), thrown("10:05:01", "same", 31, tp(0))).moments.value == 2


def test_the_same_words_much_later_are_another_retraction() -> None:
    assert of(thrown("10:05:00", "same", 30, tp(0)), thrown("10:06:00", "same", 31, tp(1))).moments.value == 2


def test_groups_with_words_of_their_own_count_each() -> None:
    assert of(thrown("10:05:00", "one", 30, Rank(dp=0)), thrown("10:05:00", "other", 31, Rank(dp=1))).moments.value == 2


def test_requests_and_rate_are_summed_and_folded_lines_count() -> None:
    made = of(thrown("10:05:00", "a", 30, requests=4), thrown("10:07:00", "b", 31, requests=2, count=3))
    # 4 + 2 × 3 requests; 4 retractions in two minutes
    assert (made.moments.value, made.requests.value, made.per_minute.value) == (4, 10, 2)


def test_a_rate_is_over_a_minute_at_least() -> None:
    assert of(thrown("10:05:00", "a", 30), thrown("10:05:02", "b", 31)).per_minute.value == 2
