"""Resident memory that grows for hours, told from pools held by design, caches that fill and launches."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.events import Event, ServerReady
from analyzer.verdict import Cleared
from analyzer.vocabulary import Part, Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.host_facts import GB, GIB, memory, oom_kill, pools, process

RULE = "host-memory-leak"
READY = ServerReady(where=where(40, "10:09:00"))
POOL = {"tp_size": 1, "enable_hierarchical_cache": True, "hicache_size": 100}


def listings(*sizes: float, command: str = "sglang::scheduler", pid: int = 30) -> list[Event]:
    """One listing an hour from 11:00 on, in GiB."""
    return [process(pid, command, f"{s} GiB", time=f"{11 + n}:00:00", line=1 + 4 * n) for n, s in enumerate(sizes)]


def test_two_listings_show_no_curve() -> None:
    assert answers(RULE, READY, outside=listings(10, 50)) == []


def test_a_launch_grows_by_design() -> None:
    assert answers(RULE, outside=listings(10, 50, 90)) == []


def test_listings_from_before_ready_do_not_count() -> None:
    launch = [
        process(30, "sglang::scheduler", f"{s} GiB", time=f"10:0{m}:00", line=m) for m, s in ((4, 3), (6, 9), (8, 90))
    ]
    assert answers(RULE, READY, outside=launch) == []


def test_a_pool_held_flat_is_by_design() -> None:
    why = cleared(RULE, READY, *pools("100.00", 1), outside=listings(96.0, 96.0, 96.0001), values=POOL)
    assert "holds 96 GiB" in why


def test_a_curve_that_levels_off_is_a_cache() -> None:
    assert isinstance(answers(RULE, READY, outside=listings(10, 18, 22, 23.5, 23.9, 24, 24))[0], Cleared)


def test_a_curve_that_falls_again_is_no_leak() -> None:
    assert isinstance(answers(RULE, READY, outside=listings(10, 20, 14, 24))[0], Cleared)


def test_a_pool_that_fills_with_use_ends_at_its_size() -> None:
    why = cleared(RULE, READY, *pools("100.00", 1), outside=listings(10, 40, 70, 92), values=POOL)
    assert "fills its host pool" in why


def test_other_people_s_processes_are_not_ours() -> None:
    assert answers(RULE, READY, outside=listings(10, 50, 90, command="python3 job.py")) == []


def test_a_climb_beyond_the_pool_is_supported() -> None:
    # (186 − 96) GiB in 9 h
    verdict = found(RULE, READY, *pools("100.00", 1), outside=listings(*range(96, 187, 10)), values=POOL)
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["growth per hour"] == 10 * GIB
    assert numbers(verdict)["host pool of one rank"] == 100 * GB


def test_it_tells_how_long_the_rest_lasts() -> None:
    verdict = found(RULE, READY, outside=(*listings(20, 30, 40), memory("251", "50", "13:01:00")))
    assert numbers(verdict)["hours left at this rate"] == pytest.approx(5)


def test_a_leak_of_a_fifth_of_the_host_explains_the_kill() -> None:
    outside = (*listings(100, 140, 180), oom_kill("sglang::scheduler", 30, "13:30:00"), memory("251", "24", "13:20:00"))
    assert "host-oom-kill" in found(RULE, READY, outside=outside).explains


@pytest.mark.parametrize(
    ("told", "status", "words", "remedy"),
    [
        ({}, Status.ESTABLISHED, "the kernel killed this process", "start it again"),
        ({"killer": "earlyoom", "scope": "free"}, Status.ESTABLISHED, "earlyoom killed this process", "start it again"),
        (
            {"killer": "earlyoom", "scope": "free", "intent": True},
            Status.SUPPORTED,
            "earlyoom set out to end this process",
            "restart it before the memory is used up",
        ),
    ],
)
def test_the_end_of_the_process_that_grows_is_told_as_far_as_it_is_shown(
    told: dict[str, Any], status: Status, words: str, remedy: str
) -> None:
    kill = oom_kill("sglang::scheduler", 30, "13:30:00", resident=size("180 GiB"), **told)
    verdict = found(RULE, READY, outside=(*listings(100, 140, 180), kill, memory("251", "24", "13:20:00")))
    [end] = [claim for claim in verdict.claims if claim.part is Part.END]
    assert (end.status, words in end.text) == (status, True)
    assert verdict.remedy[0].action.startswith(remedy)
    assert ("resident when killed" in numbers(verdict)) is (status is Status.ESTABLISHED)


def test_a_small_leak_explains_no_kill() -> None:
    outside = (*listings(10, 12, 14), oom_kill("sglang::scheduler", 30, "13:30:00"), memory("503", "24", "13:20:00"))
    assert found(RULE, READY, outside=outside).explains == ()


def test_the_storage_backend_s_leak_has_a_release_that_ends_it() -> None:
    values = POOL | {"hicache_storage_backend": "mooncake"}
    fixes = [
        r.action for r in found(RULE, READY, outside=listings(100, 130, 160), values=values, release="0.5.9").remedy
    ]
    assert any("0.5.10 or later" in action for action in fixes)


def test_a_host_that_fills_without_listings_is_a_hypothesis() -> None:
    looks = [memory("251", str(a), f"{11 + n}:00:00") for n, a in enumerate((138, 120, 100, 82))]
    assert found(RULE, READY, outside=looks).status is Status.HYPOTHESIS
