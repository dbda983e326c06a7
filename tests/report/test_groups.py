"""Processes that behave alike share a label; the odd one out keeps its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.report.groups import Group, alike, ids
from tests.report.build_report import rank_process

if TYPE_CHECKING:
    from analyzer.contract import Process

EIGHT = [rank_process(rank) for rank in range(8)]


def labels(processes: list[Process], most: int) -> list[list[str]]:
    return [[member.id for member in group.members] for group in alike(processes, most).groups]


def test_processes_without_phases_are_not_grouped() -> None:
    grouping = alike([replace(EIGHT[0], phases=[])], 4)
    assert grouping.groups == ()
    assert grouping.left_out == 0


def test_ranks_that_differ_by_less_than_two_seconds_are_one_group() -> None:
    processes = [rank_process(rank, late=0.2 * rank) for rank in range(8)]
    assert labels(processes, 8) == [[f"n0/TP{rank}" for rank in range(8)]]


def test_a_straggler_stands_alone() -> None:
    processes = [rank_process(rank, late=90.0 if rank == 5 else 0.0) for rank in range(64)]
    assert labels(processes, 6)[1] == ["n0/TP5"]


def test_a_rank_that_failed_is_not_one_of_those_that_wait() -> None:
    failed = replace(EIGHT[3], phases=[*EIGHT[3].phases[:-1], replace(EIGHT[3].phases[-1], state="failed")])
    assert labels([*EIGHT[:3], failed, *EIGHT[4:]], 8)[1] == ["n0/TP3"]


def test_the_spread_grows_until_the_groups_are_few_enough() -> None:
    processes = [rank_process(rank, late=5.0 * rank) for rank in range(8)] + [rank_process(8, late=300.0)]
    grouping = alike(processes, 2)
    assert [len(group.members) for group in grouping.groups] == [8, 1]
    # 7 × 5 s = 35 s lie between the first and the last; the spread doubles from 2 s: 4, 8, 16, 32, 64.
    assert grouping.spread == 64.0
    assert grouping.left_out == 0


def test_groups_beyond_the_room_are_counted_and_a_failure_stays() -> None:
    short = [replace(EIGHT[n], phases=EIGHT[n].phases[: n + 1]) for n in range(4)]
    failed = replace(EIGHT[4], phases=[replace(EIGHT[4].phases[0], state="failed")])
    grouping = alike([*short, failed], 2)
    assert len(grouping.groups) == 2
    assert failed in [group.first for group in grouping.groups]
    assert grouping.left_out == 3


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["n0/TP0"], "n0/TP0"),
        (["n0/TP0", "n0/TP1", "n0/TP2"], "n0/TP0-2"),
        (["n0/TP0", "n0/TP2", "n0/TP3"], "n0/TP0,2-3"),
        (["n0/TP0", "n1/TP0"], "n0-1/TP0"),
        (["n0/TP0", "n0/TP1", "n1/TP0", "n1/TP1"], "n0-1/TP0-1"),
        (["n0/DP0/TP0", "n0/DP1/TP1"], "n0/DP0-1/TP0-1"),
        (["n0/TP0", "n0/TP1", "n1/TP1"], "n0/TP0-1, n1/TP1"),
        (["n0/main", "n0/TP0"], "n0/main,TP0"),
        (["n0/main", "n0/DP0/TP0"], "n0/main, n0/DP0/TP0"),
        (["prefill/TP0", "decode/TP0"], "prefill,decode/TP0"),
    ],
)
def test_ids_in_short_name_these_processes_and_no_others(names: list[str], short: str) -> None:
    assert ids(names) == short


def test_a_label_without_room_is_a_count() -> None:
    group = Group(tuple(rank_process(rank, node=f"n{rank % 3}") for rank in range(12)))
    assert group.label(12) == "12 processes"
