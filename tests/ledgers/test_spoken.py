"""Which error lines ended a server, and what they say."""

from __future__ import annotations

from analyzer.events import ExceptionRaised, Failure, ServerReady
from analyzer.ledgers.spoken import decisive, figures, from_lines, in_time, survived, while_launching
from analyzer.verdict import Cleared
from analyzer.vocabulary import Status
from tests.build import incident, launch, size, timed, tp, where

TOPIC = "disk-full"


def line(number: int, time: str, rank: int = 0) -> Failure:
    return Failure(where=where(number, time, tp(rank)), text="No space left on device", topic=TOPIC, detail="/home/x")


def test_a_line_after_which_the_server_works_on_is_not_decisive() -> None:
    served = incident(launch(line(5, "10:00:00"), ServerReady(where=where(9, "10:05:00"))))
    assert decisive(served, TOPIC) == []
    [verdict] = survived(served, TOPIC)
    assert isinstance(verdict, Cleared)


def test_an_exception_that_ended_a_rank_is_decisive_whatever_the_others_still_did() -> None:
    raised = ExceptionRaised(where=where(5, "10:00:00", tp(0)), process="scheduler", type="OSError")
    made = incident(launch(line(5, "10:00:00"), raised, ServerReady(where=where(9, "10:05:00"))))
    assert [t.ref.line for t in decisive(made, TOPIC)] == [5]


def test_a_traceback_that_ended_nothing_and_lies_well_before_one_that_did_is_passed_over() -> None:
    tried = ExceptionRaised(where=where(5, "10:00:00"), type="ImportError")
    ended = ExceptionRaised(where=where(9, "10:00:20", tp(0)), process="scheduler", type="ValueError")
    assert decisive(incident(launch(line(5, "10:00:00"), tried, ended)), TOPIC) == []


def test_a_worker_s_traceback_just_before_its_rank_s_counts() -> None:
    worker = ExceptionRaised(where=where(5, "10:00:00"), type="OSError")
    ended = ExceptionRaised(where=where(9, "10:00:02", tp(0)), process="scheduler", type="BrokenProcessPool")
    assert len(decisive(incident(launch(line(5, "10:00:00"), worker, ended)), TOPIC)) == 1


def test_a_request_that_is_refused_in_the_words_of_a_launch_is_told_by_its_time() -> None:
    ready = ServerReady(where=where(5, "10:00:00"))
    made = incident(launch(line(4, "09:59:00"), ready, line(9, "10:00:10")))
    assert [t.ref.line for t in while_launching(made, made.failures(TOPIC))] == [4]


def test_an_error_that_ends_a_rank_counts_whenever_it_comes() -> None:
    ended = ExceptionRaised(where=where(9, "10:00:10", tp(0)), process="scheduler", type="OSError")
    made = incident(launch(ServerReady(where=where(5, "10:00:00")), line(9, "10:00:10"), ended))
    assert len(while_launching(made, made.failures(TOPIC))) == 1


def test_lines_are_put_in_the_order_of_time_with_undated_ones_last() -> None:
    undated = Failure(where=where(1), topic=TOPIC)
    items = [timed(undated), timed(line(7, "10:00:05")), timed(line(9, "10:00:01"))]
    assert [t.ref.line for t in in_time(items)] == [9, 7, 1]


def test_the_figures_of_a_line_are_named_by_their_part() -> None:
    event = Failure(where=where(1), wanted=size("8 GiB", 1), free=size("2 GiB", 1))
    assert {a.name: a.number() for a in figures(event)} == {"asked for": 8 * 2**30, "free": 2 * 2**30}


def test_the_usual_finding_speaks_with_the_first_line_s_words() -> None:
    verdict = from_lines([timed(line(5, "10:00:00")), timed(line(6, "10:00:01", 1))], remedy=(), confirm=())
    assert verdict.summary == "/home/x (2 processes)"
    assert len(verdict.lines) == 2
    assert verdict.status is Status.ESTABLISHED
