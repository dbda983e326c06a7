"""Retractions again and again, told from one now and then."""

from __future__ import annotations

from analyzer.events import RequestsRetracted
from analyzer.evidence import NO_RANK, Rank
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.batches import decode
from tests.rules.launched import capacity

RULE = "kv-retraction-storm"


def retracted(
    time: str, requests: int, line: int, rank: Rank = NO_RANK, aborted: int | None = None
) -> RequestsRetracted:
    gone = size(f"{aborted} count", line) if aborted is not None else None
    text = f"KV cache pool is full. Retract requests. #retracted_reqs: {requests}, #new_token_ratio: 0.1 -> 0.{line}"
    return RequestsRetracted(
        where=where(line, time, rank), text=text, requests=size(f"{requests} count", line), aborted=gone
    )


def test_a_server_without_retractions_says_nothing() -> None:
    assert answers(RULE, capacity(1000)) == []


def test_one_is_how_the_scheduler_learns() -> None:
    assert "corrects its guess" in cleared(RULE, retracted("10:05:00", 1, 30))


def test_three_in_an_hour_are_no_storm() -> None:
    rare = [retracted(f"10:{minute:02d}:00", 1, minute) for minute in (5, 25, 55)]
    assert "corrects its guess" in cleared(RULE, *rare)


def test_the_ranks_of_one_group_say_the_same_thing_once() -> None:
    same = [
        RequestsRetracted(
            where=where(30 + i, "10:05:00", tp(i)), text="#retracted_reqs: 1", requests=size("1 count", 30 + i)
        )
        for i in range(8)
    ]
    assert cleared(RULE, *same).startswith("1 retraction,")


def test_several_a_minute_are_found_with_their_rate() -> None:
    often = [retracted(f"10:05:{6 * i:02d}", 7, 30 + i) for i in range(10)]
    full = decode(running_count=[100.0] * 8, usage_ratio=[0.99] * 8, tokens_token=[700_000.0] * 8)
    verdict = found(RULE, capacity(713_477), *often, tables=full, values={"schedule_conservativeness": 0.3})
    made = numbers(verdict)
    # ten times in 54 s, for which a minute is counted
    assert (made["requests retracted"], made["retractions per minute"]) == (70, 10)
    assert verdict.harm
    assert verdict.status is Status.ESTABLISHED
    # 713,477 × 0.9 ÷ 7,000 = 91.7
    assert [remedy.after for remedy in verdict.remedy[:2]] == ["1.0", "91"]


def test_without_batch_lines_it_is_supported() -> None:
    often = [retracted(f"10:05:{6 * i:02d}", 1, 30 + i) for i in range(4)]
    assert found(RULE, *often).status is Status.SUPPORTED


def test_a_request_aborted_for_it_is_harm_by_itself() -> None:
    verdict = found(RULE, retracted("10:05:00", 4, 30, aborted=1))
    assert "requests aborted: 1" in verdict.summary


def test_a_careful_guess_is_made_more_careful() -> None:
    often = [retracted(f"10:05:{6 * i:02d}", 1, 30 + i) for i in range(4)]
    verdict = found(RULE, *often, values={"schedule_conservativeness": 1.0})
    assert verdict.remedy[0].after == "1.3"
