"""The first exception of a process, where nothing more specific is known."""

from __future__ import annotations

import pytest

from analyzer.events import RankDead, ServerReady, WeightLoadBegun
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, raised
from tests.rules.launched import oom

RULE = "scheduler-crashed"


def dead(code: int) -> RankDead:
    return RankDead(where=where(9, "10:00:05"), text=f"exit code {code}", rank_text="0", code=size(f"{code} count", 9))


def test_a_server_that_serves_is_cleared() -> None:
    assert "no process" in cleared(RULE, ServerReady(where=where(5, "10:00:00")))


@pytest.mark.parametrize("type_", ["KeyboardInterrupt", "SystemExit"])
def test_a_process_that_was_told_to_end_did_not_crash(type_: str) -> None:
    assert answers(RULE, raised(type_, "", 5, "10:00:00", process="main")) == []


def test_an_exception_that_the_process_survived_is_none() -> None:
    assert answers(RULE, raised("ValueError", "x", 5, "10:00:00", handled=True)) == []


def test_a_client_s_exception_is_none_of_the_server_s() -> None:
    assert answers(RULE, raised("ValueError", "x", 5, "10:00:00", process="client")) == []


def test_sigkill_and_sigquit_are_no_crash_of_their_own() -> None:
    assert answers(RULE, dead(-9), dead(-3)) == []


def test_last_words_of_native_code_are_found_where_nothing_else_tells_of_the_end() -> None:
    words = failure(RULE, "Fatal Python error: Segmentation fault", 8, "10:00:04", tp(1), detail="Segmentation fault")
    assert found(RULE, words).summary == "a process of the server crashed in native code: Segmentation fault"
    assert "exit code -11" in found(RULE, words, dead(-11)).summary


def test_a_scheduler_s_exception_comes_before_the_parent_s_earlier_line() -> None:
    parent = raised("EOFError", "", 3, "10:00:00", process="main")
    scheduler = raised("RuntimeError", "boom", 5, "10:00:01", tp(1), frames=("scheduler.py:run_batch",))
    assert found(RULE, parent, scheduler).summary == "n0/TP1 raised RuntimeError in scheduler.py:run_batch: boom"


def test_a_rank_that_ended_by_a_signal_of_its_own_is_found_without_an_exception() -> None:
    assert "exit code -11 (segmentation fault)" in found(RULE, dead(-11)).summary


def test_an_exception_without_a_message_is_sought_by_its_place() -> None:
    verdict = found(RULE, raised("AssertionError", "", 5, "10:00:01", tp(1), frames=("scheduler.py:run_batch",)))
    assert verdict.remedy[0].action == "search SGLang's issues for: AssertionError in scheduler.py:run_batch"


def test_a_gpu_that_ran_out_at_a_known_step_is_another_rule_s() -> None:
    assert answers(RULE, WeightLoadBegun(where=where(3, "10:00:00", tp(0))), oom("10:00:05", 8, tp(0))) == []


def test_a_gpu_that_ran_out_in_a_log_that_shows_no_step_is_said_to_have() -> None:
    verdict = found(RULE, oom("10:00:05", 8, wanted="1.16 GiB"))
    assert "in which phase no line shows" in verdict.summary
    assert verdict.not_known
