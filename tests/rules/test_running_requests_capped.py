"""A cap on running requests as the bound, told from a full pool and from few clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import CapacityPrinted, Notice
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.batches import decode

if TYPE_CHECKING:
    from analyzer.tables.table import Rows

RULE = "running-requests-capped"


def printed(cap: int, context: int = 32768, tokens: int = 1_956_160) -> CapacityPrinted:
    amounts = {
        "max_running": size(f"{cap} count", 9),
        "context": size(f"{context} token", 9),
        "tokens": size(f"{tokens} token", 9),
    }
    return CapacityPrinted(where=where(9, "10:04:30"), **amounts)


def reduced(detail: str) -> Notice:
    return Notice(where=where(8, "10:04:20"), topic=RULE, value=size("50 count", 8), detail=detail)


QUEUED = decode(
    running_count=[50.0] * 10, usage_ratio=[0.44] * 10, queue_count=[60.0] * 10, tokens_token=[860_000.0] * 10
)


def test_without_a_cap_that_is_told_nothing_is_said() -> None:
    assert answers(RULE, tables=QUEUED) == []


def lines(running: list[float], usage: float = 0.11) -> dict[str, Rows]:
    many = len(running)
    return decode(running_count=running, usage_ratio=[usage] * many, queue_count=[60.0] * many)


def test_a_number_that_stands_still_in_a_tail_without_the_cap_supports_one() -> None:
    verdict = found(RULE, tables=lines([48.0] * 19 + [47.0] + [48.0] * 20))
    assert verdict.status is Status.SUPPORTED
    assert "48 run in 39 of 40 decode lines" in verdict.claims[1].text
    assert verdict.remedy[0].before is None, "what the argument is, no line tells"
    assert not verdict.harm


@pytest.mark.parametrize(
    "tables",
    [
        lines([48.0] * 19),  # too few
        lines([48.0] * 30 + [45.0, 46.0, 44.0, 43.0]),  # 30 of 34 are under nine tenths
        lines([48.0] * 40, usage=0.6),  # what waits may be larger than what is left
    ],
)
def test_few_lines_numbers_that_change_and_a_pool_half_full_tell_no_cap(tables: dict[str, Rows]) -> None:
    assert answers(RULE, tables=tables) == []


def test_a_cap_that_was_never_reached_is_cleared() -> None:
    assert "run at most; the cap is 128" in cleared(RULE, printed(128), tables=QUEUED)


def test_a_full_pool_is_another_limit() -> None:
    full = decode(running_count=[50.0] * 10, usage_ratio=[0.97] * 10, queue_count=[60.0] * 10)
    cleared(RULE, printed(50), tables=full)


def test_a_queue_at_the_cap_with_room_is_a_limit_without_harm() -> None:
    verdict = found(RULE, printed(50), tables=QUEUED)
    # 1,956,160 ÷ (860,000 ÷ 50) = 113.7, nine tenths of it 102
    assert verdict.remedy[0].after == "102"
    assert not verdict.harm


def test_with_dp_attention_the_flag_is_for_all_data_parallel_ranks_together() -> None:
    values = {"max_running_requests": 400, "dp_size": 8, "enable_dp_attention": True}
    (remedy,) = found(RULE, printed(50), tables=QUEUED, values=values).remedy
    assert (remedy.before, remedy.after) == ("400", "816"), "8 × 102, of which each rank gets 102"
    (apart,) = found(RULE, printed(50), tables=QUEUED, values=values | {"enable_dp_attention": False}).remedy
    assert apart.after == "102", "servers of their own have the flag for themselves"


def test_a_cap_below_what_was_asked_for_is_harm_and_a_shorter_context_lifts_it() -> None:
    verdict = found(
        RULE,
        printed(50),
        reduced("the available KV cache capacity"),
        tables=QUEUED,
        values={"max_running_requests": 128},
    )
    assert verdict.harm
    assert numbers(verdict)["running requests asked for"] == 128
    # 32,768 × 50 ÷ 128
    assert verdict.remedy[0].after == "12800"


def test_state_slots_are_raised_by_their_own_argument() -> None:
    verdict = found(
        RULE, printed(50), reduced("the mamba state cache"), tables=QUEUED, values={"max_running_requests": 128}
    )
    assert verdict.remedy[0].argument == "mamba_full_memory_ratio"
