"""A request to stop from outside, and a clean end."""

from __future__ import annotations

from analyzer.events import ExitCode, OrchestratorAct, RankDead, ServerReady, ShutdownStep, StopRequested
from analyzer.vocabulary import Part
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, raised

RULE = "stopped-on-request"
READY = ServerReady(where=where(5, "10:05:00"))


def term(time: str, line: int = 40) -> StopRequested:
    return StopRequested(where=where(line, time), text="SIGTERM received. signum=None", signal="SIGTERM")


def test_a_server_that_nobody_stopped_is_not_asked() -> None:
    assert answers(RULE, READY) == []


def test_an_exception_before_the_signal_came_first() -> None:
    crash = raised("ValueError", "no", 30, "10:20:00", tp(0))
    assert "something else came before" in cleared(RULE, READY, crash, term("10:20:05"))


def test_a_probe_that_sends_the_signal_is_another_finding() -> None:
    act = OrchestratorAct(where=where(1, source="pod.txt"), act="killed", reason="Container x failed liveness probe")
    assert "liveness probe" in cleared(RULE, READY, term("10:20:05"), outside=(act,))


def test_a_rank_that_was_killed_before_is_no_stop() -> None:
    dead = RankDead(where=where(30, "10:20:00"), text="crashed with exit code -9", code=size("-9 count", 30))
    assert "exit code -9" in cleared(RULE, READY, dead, term("10:20:05"))


def test_a_signal_without_an_error_before_it_is_a_stop() -> None:
    verdict = found(RULE, READY, term("10:20:05"), raised("ValueError", "noise", 50, "10:20:06", tp(0)))
    assert verdict.summary == "it was asked to stop (SIGTERM), and it had no error of its own before"


def test_an_interrupt_s_exceptions_are_the_stop_itself() -> None:
    stop = StopRequested(where=where(40, "10:20:05"), text="KeyboardInterrupt", signal="SIGINT")
    assert "SIGINT" in found(RULE, READY, raised("KeyboardInterrupt", "", 39, "10:20:05", tp(0)), stop).summary


def test_an_orderly_shutdown_alone_is_a_stop() -> None:
    assert "orderly" in found(RULE, READY, ShutdownStep(where=where(40, "10:20:05"), text="Shutting down")).summary


def test_exit_code_143_is_sigterm() -> None:
    code = ExitCode(where=where(1, "10:20:09", source="docker.txt"), code=size("143 count", 1), text="exited with 143")
    assert found(RULE, READY, outside=(code,)).at is not None


def test_a_container_that_ended_before_the_last_work_is_another_one() -> None:
    code = ExitCode(where=where(1, "09:00:00", source="docker.txt"), code=size("143 count", 1))
    assert answers(RULE, READY, outside=(code,)) == []


def test_peers_that_lost_it_afterwards_are_claimed() -> None:
    lost = failure("collective-timeout", "recvValue failed", 50, "10:20:09", tp(8), victim=True)
    assert lost.where.ref in found(RULE, READY, term("10:20:05"), lost).lines


def left(count: int, time: str, line: int) -> ShutdownStep:
    return ShutdownStep(where=where(line, time), text="Gracefully exiting...", remaining=size(f"{count} count", line))


KILLED = ExitCode(where=where(1, "10:20:40", source="pod.txt"), code=size("137 count", 1), text="exit code 137")


def test_a_drain_that_was_killed_with_requests_left_is_told_with_their_number_and_a_longer_grace() -> None:
    verdict = found(RULE, READY, term("10:20:05"), left(9, "10:20:10", 41), left(7, "10:20:35", 42), outside=(KILLED,))
    assert verdict.summary.endswith("; it was killed before it was done, with 7 requests left")
    assert KILLED.where.ref in verdict.lines
    (end,) = [claim for claim in verdict.claims if claim.part is Part.END]
    assert [ref.line for ref in end.lines] == [1, 42], "the exit code, and the last word of the drain"
    assert "terminationGracePeriodSeconds" in verdict.remedy[0].action


def test_a_server_that_kills_its_own_processes_after_its_drain_was_not_cut() -> None:
    verdict = found(RULE, READY, term("10:20:05"), left(2, "10:20:10", 41), left(0, "10:20:15", 42), outside=(KILLED,))
    assert "killed" not in verdict.summary
    assert not verdict.remedy
