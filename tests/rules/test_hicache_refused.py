"""SGLang's refusal of a host pool, and what its figure for free memory means."""

from __future__ import annotations

from analyzer.events import KvPoolAllocated
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.host_facts import GB, GIB, pools, refusals

RULE = "hicache-refused"
TP8 = {"tp_size": 8, "enable_hierarchical_cache": True, "hicache_size": 300}


def test_a_server_without_host_pools_is_not_asked() -> None:
    assert answers(RULE) == []


def test_an_announced_pool_has_passed() -> None:
    assert "guard passed" in cleared(RULE, *pools("300.00"))


def test_a_refusal_is_established_and_says_what_was_asked() -> None:
    verdict = found(RULE, *refusals("40.00", "34.00", (0, 1)), values=TP8 | {"tp_size": 2}, release="0.5.9")
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict) == {"asked for by one rank": 40 * GB, "printed as free": 34 * GB}
    assert [r.after for r in verdict.remedy] == ["34", "off"]


def test_the_older_message_hides_the_reserve() -> None:
    # 44.87 GB − 10 GiB = 34.13 GB, and a whole GB below it is 34
    verdict = found(RULE, *refusals("40.00", "44.87", (0,)), values=TP8 | {"tp_size": 1}, release="0.4.8")
    assert numbers(verdict)["usable after the reserve"] == 44.87 * GB - 10 * GIB
    assert [r.after for r in verdict.remedy] == ["34", "off"]


def test_a_figure_above_the_request_can_only_be_the_older_message() -> None:
    verdict = found(RULE, *refusals("40.00", "44.87", (0,)), values=TP8 | {"tp_size": 1}, release=None)
    assert numbers(verdict)["usable after the reserve"] == 44.87 * GB - 10 * GIB


def test_a_share_tells_what_was_available_on_the_host() -> None:
    # (available − 10 GiB) ÷ 8 = 57.66 GB, so 8 × 57.66 GB + 10 GiB = 472.02 GB were available
    verdict = found(RULE, *refusals("300.00", "57.66", tuple(range(8))), values=TP8, release="0.5.20")
    assert numbers(verdict)["available when it was refused"] == 8 * 57.66 * GB + 10 * GIB
    assert "one rank's share" in verdict.explanation


def test_a_size_that_passes_the_guard_may_be_too_small_for_the_release() -> None:
    pool = KvPoolAllocated(where=where(9, "10:05:00"), tokens=size("500000 token"), kv_size=size("33 GiB"))
    verdict = found(RULE, pool, *refusals("40.00", "44.87", (0,)), values=TP8 | {"tp_size": 1}, release="0.4.8")
    assert verdict.remedy[0].risk is not None
    assert "35.4 GB" in verdict.remedy[0].risk or "33 GiB" in verdict.remedy[0].risk


def test_a_guard_that_had_nothing_names_no_size() -> None:
    verdict = found(RULE, *refusals("40.00", "0.00", (0,)), values=TP8 | {"tp_size": 1}, release="0.5.9")
    assert [r.argument for r in verdict.remedy] == [None, "enable_hierarchical_cache"]
