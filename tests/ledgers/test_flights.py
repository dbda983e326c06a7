"""Flight recorders of several ranks, joined."""

from __future__ import annotations

from analyzer.events import Fact
from analyzer.ledgers.flights import flights, gap, split
from tests.build import incident, launch, where


def recorder(rank: int, *lines: str) -> Fact:
    """What the recorder of one rank says: `group queued done operation` for each group."""
    return Fact(where=where(1, source=f"trace_{rank}"), name=f"flight {rank}", value="\n".join(lines))


def test_other_facts_are_no_recorders() -> None:
    assert flights(incident(launch(outside=(Fact(where=where(1), name="flight of fancy", value="0 1 1 x"),)))) == []


def test_ranks_that_are_all_done_show_no_gap() -> None:
    assert gap(incident(launch(outside=(recorder(0, "0 9 9 -"), recorder(1, "0 8 8 -"))))) is None


def test_ranks_that_wait_in_the_same_collective_show_no_gap() -> None:
    assert gap(incident(launch(outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 9 8 all_reduce"))))) is None


def test_the_rank_that_never_queued_what_others_wait_for_is_late() -> None:
    made = incident(
        launch(outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 8 8 -"), recorder(2, "0 9 8 all_reduce")))
    )
    found = gap(made)
    assert found is not None
    assert (found.number, [f.rank for f in found.late], [f.rank for f in found.waiting]) == (9, [1], [0, 2])


def test_groups_are_compared_by_themselves() -> None:
    made = incident(launch(outside=(recorder(0, "0 9 8 all_reduce", "tp 4 4 -"), recorder(1, "tp 3 3 -"))))
    assert gap(made) is None


def test_one_number_with_two_operations_is_a_split() -> None:
    made = incident(launch(outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 9 8 _all_gather_base"))))
    assert {name: [f.rank for f in some] for name, some in split(made).items()} == {
        "all_reduce": [0],
        "_all_gather_base": [1],
    }


def test_different_numbers_are_no_split() -> None:
    assert split(incident(launch(outside=(recorder(0, "0 9 8 all_reduce"), recorder(1, "0 9 7 broadcast"))))) == {}
