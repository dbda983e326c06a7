"""Ranks of an earlier server, told from this one's and from a neighbour's."""

from __future__ import annotations

from typing import Any

from analyzer.events import ClockRead, GpuOutOfMemory, GpuProcess, ProcessListed, ServerReady, WeightLoadBegun
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, found, numbers

RULE = "leftover-processes"
OOM = GpuOutOfMemory(where=where(20, "10:01:00", tp(0)), text="CUDA out of memory. Tried to allocate 1.50 GiB.")
BEGUN = WeightLoadBegun(where=where(5, "10:00:00", tp(0)))
LATER = ClockRead(where=where(1, "10:02:00", source="date.txt"))


def rank(pid: int, parent: int = 1, **fields: Any) -> ProcessListed:
    place = where(pid - 61198, source="ps.txt")
    return ProcessListed(where=place, pid=pid, parent=parent, command=f"sglang::scheduler_TP{pid % 10}", **fields)


def on_gpu(pid: int, mib: int = 101010) -> GpuProcess:
    place = where(pid - 61180, source="nvidia-smi.txt")
    return GpuProcess(where=place, pid=pid, gpu="0", command="sglang::scheduler", used=size(f"{mib} MiB", pid - 61180))


def server(pid: int) -> ProcessListed:
    return ProcessListed(where=where(9, source="ps.txt"), pid=pid, parent=1, command="python3 -m sglang.launch_server")


def test_ranks_whose_server_lives_belong_to_it() -> None:
    assert answers(RULE, OOM, outside=(server(4100), rank(61200, 4100), on_gpu(61200))) == []


def test_a_listing_that_prints_no_parents_cannot_tell() -> None:
    unknown = ProcessListed(where=where(2, source="ps.txt"), pid=61200, command="sglang::scheduler_TP0")
    assert answers(RULE, OOM, outside=(unknown, on_gpu(61200))) == []


def test_an_orphan_beside_a_server_that_came_up_is_no_part_of_anything() -> None:
    assert answers(RULE, ServerReady(where=where(9, "10:02:00")), outside=(rank(61200), on_gpu(61200))) == []


def test_an_orphan_that_holds_what_nobody_missed_is_cleared() -> None:
    assert "wanted for nothing" in cleared(RULE, BEGUN, outside=(rank(61200), on_gpu(61200)))


def test_this_launch_s_own_ranks_over_a_dead_parent_are_none() -> None:
    young = rank(61200, elapsed=size("100 s", 2, "ps.txt"))
    assert answers(RULE, BEGUN, OOM, outside=(young, LATER)) == [], "100 s old, 120 s after the launch began"


def test_orphans_older_than_the_launch_are_supported_by_their_age_alone() -> None:
    old = rank(61200, elapsed=size("97964 s", 2, "ps.txt"), user="u1042")
    verdict = found(RULE, BEGUN, OOM, outside=(old, LATER))
    assert verdict.status is Status.SUPPORTED
    assert "pid 61200 (sglang::scheduler_TP0, of u1042, without a parent)" in verdict.summary


def test_what_they_hold_on_the_gpus_is_added_up_and_they_are_named_for_stopping() -> None:
    ages = {"elapsed": size("97964 s", 2, "ps.txt")}
    ranks = [rank(pid, **ages) for pid in (61200, 61201)]
    verdict = found(RULE, BEGUN, OOM, outside=(*ranks, on_gpu(61200), on_gpu(61201), LATER))
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict)["held on the GPUs by them"] == 2 * 101010 * 2**20
    assert verdict.sum == "2 × 98.6 GiB = 197.3 GiB of GPU memory in their hands"
    assert "kill 61200 61201" in verdict.remedy[0].action


def test_without_ages_and_sums_they_may_be_this_launch_s_own() -> None:
    assert found(RULE, OOM, outside=(rank(61200), on_gpu(61200))).status is Status.HYPOTHESIS


def test_ranks_as_old_as_the_server_in_the_same_listing_are_its_own() -> None:
    own = ProcessListed(
        where=where(9, source="ps.txt"), pid=4100, parent=1, command="x sglang.launch_server", elapsed=size("80 s", 9)
    )
    young = rank(61200, elapsed=size("75 s", 2, "ps.txt"))
    assert answers(RULE, OOM, outside=(own, young, on_gpu(61200))) == []


def test_a_sum_that_leaves_as_much_in_other_hands_tells_them_from_this_launch_s_own() -> None:
    figures = {"total": size("139.80 GiB", 20), "free": size("1.02 GiB", 20), "in_use": size("39.91 GiB", 20)}
    oom = GpuOutOfMemory(where=where(20, "10:01:00", tp(0)), text="CUDA out of memory.", **figures)
    verdict = found(RULE, BEGUN, oom, outside=(rank(61200), on_gpu(61200)))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.claims[-1].text.startswith("98.9 GiB of a GPU are in other hands"), "139.80 − 1.02 − 39.91 = 98.87"
