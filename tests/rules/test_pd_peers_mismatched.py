"""Prefill and decode that do not match."""

from __future__ import annotations

from analyzer.events import PackageListed
from analyzer.verdict import Cleared, Found
from analyzer.vocabulary import Status
from tests.build import launch, tp, where
from tests.rules.answers import failure, numbers
from tests.rules.several import judged, legs
from tests.rules.test_pd_transfer_failed import READY, leg, lost

RULE = "pd-peers-mismatched"
SAID = failure(
    RULE, "RuntimeError: PD with different TP sizes", 20, "10:06:00", tp(0), detail="PD with different TP sizes"
)
LOST = [lost(20 + n, "Decode instance could be dead") for n in range(4)]


def package(version: str, source: str, name: str = "mooncake-transfer-engine") -> PackageListed:
    return PackageListed(where=where(2, source=source), name=name, version=version)


def test_legs_of_different_sizes_that_work_together_are_not_asked() -> None:
    assert judged(RULE, legs(leg(values={"tp_size": 4}), leg(values={"tp_size": 2}))[0]) == []


def test_one_release_on_both_legs_is_cleared() -> None:
    packages = (package("0.3.9", "pip-prefill.txt"), package("0.3.9", "pip-decode.txt"))
    [verdict] = judged(RULE, legs(leg(*LOST, outside=packages), leg())[0])
    assert isinstance(verdict, Cleared)


def test_different_releases_of_other_packages_are_no_cause() -> None:
    packages = (package("2.9", "pip-prefill.txt", "torch"), package("2.8", "pip-decode.txt", "torch"))
    [verdict] = judged(RULE, legs(leg(*LOST, outside=packages), leg())[0])
    assert isinstance(verdict, Cleared)


def test_the_server_s_own_word_is_shown_with_both_sides() -> None:
    prefill, decode = launch(READY, SAID, values={"tp_size": 4}), launch(READY, values={"tp_size": 2})
    [verdict] = judged(RULE, legs(prefill, decode)[0])
    assert isinstance(verdict, Found)
    assert verdict.status is Status.ESTABLISHED
    assert verdict.harm
    assert "tp_size is 4 on the prefill leg and 2 on the decode leg" in verdict.summary
    assert numbers(verdict) == {"tp_size, prefill": 4, "tp_size, decode": 2}


def test_two_releases_of_the_transfer_engine_explain_transfers_that_all_fail() -> None:
    packages = (package("0.3.11", "pip-prefill.txt"), package("0.3.9", "pip-decode.txt"))
    [verdict] = judged(RULE, legs(leg(*LOST, outside=packages), leg())[0])
    assert isinstance(verdict, Found)
    assert verdict.status is Status.SUPPORTED
    assert "0.3.11 (pip-prefill.txt) against 0.3.9 (pip-decode.txt)" in verdict.summary
    assert numbers(verdict) == {"failed requests": 4}
