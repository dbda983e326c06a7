"""Refusals of a host pool that would have fitted, told from those that are right."""

from __future__ import annotations

from analyzer.events import HostPoolAnnounced, HostPoolRefused, MemorySnapshot
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers

RULE = "hicache-falsely-refused"
GIB = 2**30


def refused(wanted: str, free: str, line: int = 22, time: str = "10:05:46", rank: int = 0) -> HostPoolRefused:
    sizes = {"wanted": size(f"{wanted} GB", line), "free": size(f"{free} GB", line)}
    return HostPoolRefused(where=where(line, time, tp(rank)), text="Not enough host memory available.", **sizes)


def announced(gb: str, rank: int, line: int, time: str = "10:05:40") -> HostPoolAnnounced:
    return HostPoolAnnounced(where=where(line, time, tp(rank)), size=size(f"{gb} GB", line), pool="kv")


def meminfo(huge_free: str, available: str = "12.78 GB") -> MemorySnapshot:
    sizes = {"total": "134.7 GB", "available": available, "huge_total": "105.23 GB", "huge_free": huge_free}
    read = {name: size(text, 3, "meminfo.txt") for name, text in sizes.items()}
    return MemorySnapshot(where=where(3, source="meminfo.txt"), tool="meminfo", **read)


def test_no_refusal_says_nothing() -> None:
    assert answers(RULE, announced("32.00", 0, 20)) == []


def test_an_old_message_that_names_more_free_than_it_asks_for_is_right_after_the_reserve() -> None:
    why = cleared(RULE, refused("40.00", "44.87"), release="0.4.8", values={"tp_size": 1})
    assert "31.8 GiB are usable" in why, "44.87 GB − 10 GiB = 34.13 GB = 31.79 GiB"


def test_huge_pages_in_use_do_not_make_room() -> None:
    why = cleared(RULE, refused("70.50", "2.04"), outside=(meminfo("1 GB"),), release="0.5.9", values={"tp_size": 1})
    assert "nothing here shows" in why


def test_a_sum_that_does_not_fit_even_with_the_huge_pages_is_refused_rightly() -> None:
    events = refused("70.50", "2.04")
    assert "nothing here shows" in cleared(
        RULE, events, outside=(meminfo("105.23 GB"),), release="0.5.9", values={"tp_size": 8}
    ), "8 × 70.50 GB against 2.04 + 105.23 GB"


def test_ranks_of_a_release_that_does_not_divide_are_not_charged_twice() -> None:
    events = (announced("48.00", 0, 20), refused("48.00", "40.00", rank=1))
    assert "nothing here shows" in cleared(RULE, *events, release="0.5.9", values={"tp_size": 2})


def test_another_pool_of_the_same_rank_is_no_second_charge() -> None:
    events = (announced("48.00", 0, 20), refused("7.33", "5.00", rank=0))
    assert "nothing here shows" in cleared(RULE, *events, release="0.5.20", values={"tp_size": 2})


def test_unused_huge_pages_that_would_have_made_room_are_established() -> None:
    verdict = found(
        RULE, refused("7.05", "2.04"), outside=(meminfo("105.23 GB"),), release="0.5.9", values={"tp_size": 1}
    )
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict)["usable with the huge pages given back"] == 2.04e9 + 105.23e9
    assert "vm.nr_hugepages=0" in verdict.remedy[0].action


def test_a_rank_that_passed_before_proves_room_for_all_of_them() -> None:
    events = (announced("48.00", 0, 20), refused("48.00", "42.00", 30, "10:05:46", 1))
    verdict = found(RULE, *events, release="0.5.20", values={"tp_size": 2})
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict) == {
        "available when the first guard passed, at least": 2 * 48e9 + 10 * GIB,
        "usable by all ranks when it was refused": 2 * 42e9,
    }
