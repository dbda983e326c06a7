"""SIGKILL without a record of its sender."""

from __future__ import annotations

from analyzer.events import (
    ChildFailed,
    DistributedInitBegun,
    ExitCode,
    KilledPrinted,
    Notice,
    OomKill,
    OrchestratorAct,
    RankDead,
    ServerReady,
    StopRequested,
)
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised

RULE = "killed-by-unknown-sender"
READY = ServerReady(where=where(5, "10:05:00"))
DEAD = RankDead(where=where(30, "10:20:00"), text="Rank 1 scheduler died (exit code: -9)", code=size("-9 count", 30))


def lost(line: int, rank: int) -> object:
    return failure("collective-timeout", "Connection closed by peer", line, "10:20:00", tp(rank), victim=True)


def test_a_server_without_any_sign_of_a_kill_is_not_asked() -> None:
    assert answers(RULE, READY) == []


def test_the_clean_up_after_an_exception_is_no_kill() -> None:
    crash = raised("ValueError", "no", 20, "10:19:59", tp(0))
    assert "own came first" in cleared(RULE, READY, crash, DEAD)


def test_killed_printed_after_sigquit_is_no_kill() -> None:
    echo = ChildFailed(where=where(29, "10:20:00"), text="SIGQUIT received")
    assert answers(RULE, READY, echo, KilledPrinted(where=where(31, "10:20:05"), text="Killed")) == []


def test_exit_code_minus_nine_after_a_stop_is_sglang_s_own() -> None:
    stop = StopRequested(where=where(28, "10:19:00"), signal="SIGTERM", text="SIGTERM received")
    assert "request to stop" in cleared(RULE, READY, stop, DEAD)


def test_the_kernel_s_record_names_the_sender() -> None:
    record = OomKill(where=where(3, "10:20:00", source="dmesg.txt"), pid=11, command="sglang::schedul")
    assert "record names the sender" in cleared(RULE, READY, DEAD, outside=(record,))


def test_a_daemon_that_only_asked_by_sigterm_is_not_known_to_have_sent_sigkill() -> None:
    fields = {"pid": 11, "command": "sglang::schedul", "killer": "earlyoom", "scope": "free"}
    asked = OomKill(where=where(3, "10:19:58", source="journal.txt"), intent=True, **fields)
    sent = OomKill(where=where(4, "10:20:00", source="journal.txt"), **fields)
    assert found(RULE, READY, DEAD, outside=(asked,)).status is Status.HYPOTHESIS
    assert "record names the sender" in cleared(RULE, READY, DEAD, outside=(asked, sent))
    assert "no SIGKILL is shown" in cleared(RULE, READY, outside=(asked,))


def test_an_orchestrator_s_word_names_the_sender() -> None:
    act = OrchestratorAct(where=where(1, source="sacct.txt"), act="preempted", reason="PREEMPTED")
    assert "orchestrator" in cleared(RULE, READY, DEAD, outside=(act,))


def test_a_container_s_code_from_before_the_last_work_is_another_launch_s() -> None:
    code = ExitCode(where=where(1, "09:00:00", source="docker.txt"), code=size("137 count", 1))
    assert answers(RULE, READY, outside=(code,)) == []


def test_a_rank_s_exit_code_alone_leaves_the_sender_open() -> None:
    verdict = found(RULE, READY, DEAD)
    assert verdict.status is Status.HYPOTHESIS
    assert numbers(verdict) == {"exit code": -9.0}
    assert verdict.not_known == ("who sent SIGKILL",)


def test_a_peer_that_is_gone_without_a_word_was_ended_by_somebody() -> None:
    verdict = found(RULE, READY, lost(30, 0), values={"tp_size": 2})
    assert verdict.summary.startswith("a process of the server was gone without a word")


def test_a_lost_peer_on_a_node_whose_log_is_missing_is_no_kill() -> None:
    assert answers(RULE, READY, lost(30, 0), values={"tp_size": 2, "nnodes": 2, "node_rank": 0}) == []


def test_leaked_semaphores_before_ready_show_an_abrupt_end() -> None:
    begun = DistributedInitBegun(where=where(3, "10:03:00", tp(0)))
    said = Notice(where=where(30, "10:03:10"), topic="abrupt-end", text="resource_tracker: 8 leaked semaphore objects")
    assert found(RULE, begun, said).status is Status.HYPOTHESIS


def test_leaked_semaphores_of_a_server_that_served_accuse_nobody() -> None:
    assert answers(RULE, READY, Notice(where=where(30, "10:30:00"), topic="abrupt-end")) == []
