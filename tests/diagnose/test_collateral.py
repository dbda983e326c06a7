"""Consequences are folded with their count; what nothing explains is shown."""

from __future__ import annotations

from analyzer.diagnose.collateral import folded, unexplained
from analyzer.diagnose.lines import Lines
from analyzer.diagnose.roles import Placed
from analyzer.events import ChildFailed, ErrorLine, ExceptionRaised
from analyzer.verdict import Claim, Found
from analyzer.vocabulary import Part, Role, Status
from tests.build import incident, instant, launch, ref, tp, where


def root(line: int, time: str) -> list[Placed]:
    claims = (Claim(Part.EFFECT, "x", Status.ESTABLISHED, (ref(line),)),)
    return [Placed("scheduler-crashed", Found("x", claims, lines=(ref(line),), at=instant(time)), Role.ROOT)]


def test_messengers_are_counted_by_kind() -> None:
    events = [ChildFailed(where=where(9 + r, "10:00:01", tp(r)), text="Received sigquit") for r in range(3)]
    (group,) = folded(incident(launch(*events)), root(5, "10:00:00"), Lines())
    assert (group.count, group.processes) == (3, ["n0/TP0", "n0/TP1", "n0/TP2"])


def test_the_same_exception_of_other_ranks_is_a_consequence() -> None:
    events = [
        ExceptionRaised(where=where(5 + r, "10:00:00", tp(r)), process="scheduler", type="ValueError") for r in range(4)
    ]
    (group,) = folded(incident(launch(*events)), root(5, "10:00:00"), Lines())
    assert (group.text, group.count) == ("ValueError in other processes", 3)


def test_an_error_before_the_root_that_nothing_claims_is_shown() -> None:
    error = ErrorLine(where=where(3, "09:59:00"), text="ERROR something odd", count=4)
    (shown,) = unexplained(incident(launch(error)), root(5, "10:00:00"), Lines())
    assert shown.count == 4


def test_errors_after_the_root_and_claimed_ones_are_not_shown_again() -> None:
    later = ErrorLine(where=where(9, "10:00:05"), text="ERROR teardown")
    claimed = ErrorLine(where=where(5, "09:59:59"), text="ERROR root")
    assert unexplained(incident(launch(claimed, later)), root(5, "10:00:00"), Lines()) == []


def test_a_bystander_before_it_hides_no_error_of_a_healthy_server() -> None:
    (beside,) = root(2, "09:00:00")
    error = ErrorLine(where=where(3, "09:59:00"), text="ERROR something odd")
    made = incident(launch(error))
    assert len(unexplained(made, [Placed("thin-gpu-headroom", beside.found, Role.BYSTANDER)], Lines())) == 1
