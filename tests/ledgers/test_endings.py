"""How a launch may have ended."""

from __future__ import annotations

import pytest

from analyzer.events import (
    CapacityPrinted,
    ChildFailed,
    ExitCode,
    Failure,
    HealthFailed,
    OrchestratorAct,
    ProbeFailed,
    RankDead,
    RequestsRetracted,
    ServerReady,
    TreeKilled,
    WeightLoadBegun,
)
from analyzer.ledgers import endings
from tests.build import incident, launch, size, timed, tp, turned, where
from tests.rules.answers import failure, raised

READY = ServerReady(where=where(5, "10:05:00"))
CRASH = raised("ValueError", "no", 30, "10:20:00", tp(0))
DEAD = RankDead(where=where(31, "10:20:01"), text="Rank 1 scheduler died (exit code: -9)", code=size("-9 count", 31))
LOST = failure("collective-timeout", "Connection closed by peer", 33, "10:20:00", tp(1), victim=True)


def test_what_python_raises_when_it_is_told_to_stop_is_no_error() -> None:
    assert endings.own_error(incident(launch(READY, raised("KeyboardInterrupt", "", 30, "10:20:00", tp(0))))) is None


def test_an_error_that_a_client_s_request_raised_is_not_the_server_s() -> None:
    assert endings.own_error(incident(launch(READY, raised("ValueError", "bad", 30, "10:20:00", process="")))) is None


def test_an_error_line_after_which_work_went_on_ended_nothing() -> None:
    early = failure("kv-pool-leak", "memory leak detected", 10, "10:01:00", tp(0))
    assert endings.own_error(incident(launch(early, READY))) is None


def test_a_lost_peer_is_the_error_only_where_nothing_else_is() -> None:
    assert endings.lost_peer(incident(launch(READY, LOST, CRASH))) is None
    lost = endings.lost_peer(incident(launch(READY, LOST)))
    assert lost is not None
    assert lost.ref == LOST.where.ref


def test_an_exception_that_tells_of_another_process_is_a_message() -> None:
    told = raised(
        "RuntimeError", "Rank 1 scheduler died during initialization (exit code: -9)", 31, "10:20:01", process="main"
    )
    made = incident(launch(TreeKilled(where=where(30, "10:20:01")), DEAD, told))
    assert endings.own_error(made) is None
    kill = endings.kill(made)
    assert kill is not None
    assert kill.ref == DEAD.where.ref


def test_a_message_without_a_kill_is_the_last_resort() -> None:
    echo = ChildFailed(where=where(31, "10:20:01"), text="SIGQUIT received")
    error = endings.own_error(incident(launch(READY, echo)))
    assert error is not None
    assert error.why == "SIGQUIT received"


@pytest.mark.parametrize(
    ("reason", "wanted"),
    [
        ("Stopping container sglang", True),
        ("JOB 4170 ON gpu-a1 CANCELLED AT 2026-02-17T10:12:41", True),
        ("JOB 4170 ON gpu-a1 CANCELLED AT 2026-02-17T10:12:41 DUE TO TIME LIMIT", False),
        ("Container sglang failed liveness probe, will be restarted", False),
    ],
)
def test_an_orchestrator_that_was_told_to_stop_it_is_told_from_one_that_acts_by_itself(
    reason: str, *, wanted: bool
) -> None:
    act = OrchestratorAct(where=where(3, source="events.txt"), act="killed", reason=reason)
    [item] = incident(launch(READY, outside=(act,))).of(OrchestratorAct)
    assert endings.asked(item) is wanted


def test_a_retraction_or_an_event_loop_shows_a_server_past_its_launch() -> None:
    looped = raised("TypeError", "x", 3, "10:20:00", tp(0), frames=("scheduler.py:event_loop_overlap", "x.py:mix"))
    loading = raised("TypeError", "x", 3, "10:20:00", tp(0), frames=("model_runner.py:load_model",))
    assert endings.past_launch(incident(launch(RequestsRetracted(where=where(3, "10:20:00", tp(0))))))
    assert endings.past_launch(incident(launch(looped)))
    assert not endings.past_launch(incident(launch(loading)))


def test_an_event_loop_at_the_server_s_own_request_is_still_the_launch() -> None:
    looped = raised("TypeError", "x", 9, "10:04:00", tp(0), frames=("scheduler.py:event_loop_overlap",))
    assert not endings.past_launch(incident(launch(WeightLoadBegun(where=where(3, "10:03:00", tp(0))), looped)))


def test_a_node_whose_head_answers_for_it_is_past_its_launch_with_its_last_phase() -> None:
    done = CapacityPrinted(where=where(9, "10:05:00", tp(8)))
    made = launch(done, values={"tp_size": 16, "nnodes": 2, "node_rank": 1})
    assert not endings.past_launch(incident(made))  # no phase of that rank is known


def test_probes_that_fail_while_a_server_launches_show_no_hang_of_a_serving_one() -> None:
    failed = [ProbeFailed(where=where(n, f"10:3{n}:00", source="pod.txt"), probe="Readiness") for n in range(3)]
    assert not endings.serving_stalled(incident(launch(READY, outside=tuple(failed))), 1800)


def test_curl_that_fails_again_and_again_after_the_last_work_shows_one() -> None:
    failed = [ProbeFailed(where=where(n, f"10:3{n}:00", source="curl.txt"), probe="curl") for n in range(3)]
    assert endings.serving_stalled(incident(launch(READY, outside=tuple(failed))), 1800)


def test_a_frozen_heartbeat_shows_one_without_any_clock_outside() -> None:
    checks = [HealthFailed(where=where(20 + n, f"10:06:{n}0"), heartbeat="10:05:30") for n in range(4)]
    assert endings.serving_stalled(incident(launch(READY, *checks)), 0)


def test_a_code_from_before_the_last_work_ended_another_container() -> None:
    code = ExitCode(where=where(1, "09:00:00", source="docker.txt"), code=size("137 count", 1), oom=True)
    assert endings.kill(incident(launch(READY, outside=(code,)))) is None


def test_progress_right_after_an_error_means_that_it_went_on_where_nothing_else_shows_an_end() -> None:
    tried = failure("package-mismatch", "ImportError: libnvshmem_host.so.3: cannot open", 3, "10:00:00")
    begun = WeightLoadBegun(where=where(5, "10:00:08", tp(0)))
    assert endings.own_error(incident(launch(tried, begun))) is None
    sigquit = ChildFailed(where=where(9, "10:00:10"))
    error = endings.own_error(incident(launch(tried, begun, sigquit)))
    assert error is not None
    assert error.ref.line == 3, "other ranks go on for a while"


def test_an_error_in_a_traceback_that_the_process_survives_ended_nothing() -> None:
    handled = raised("ValueError", "tool choice is not supported", 30, "10:20:00", process="", handled=True)
    line = failure("invalid-arguments", "ValueError: tool choice is not supported", 30, "10:20:00")
    assert endings.own_error(incident(launch(READY, line, handled))) is None


CANCELLED = "STEP 4170.0 ON gpu-a1 CANCELLED AT 2026-02-17T10:12:41"


def test_a_step_that_was_cancelled_after_its_task_failed_was_nobody_s_wish() -> None:
    failed = ExitCode(where=where(40), container="gpu-a1", code=size("1 count", 40))
    act = OrchestratorAct(where=where(41), act="killed", reason=CANCELLED)
    assert endings.stop(incident(launch(READY, outside=[failed, act]))) is None


def test_a_task_that_fails_because_its_step_was_cancelled_was_asked_to_stop() -> None:
    act = OrchestratorAct(where=where(40), act="killed", reason=CANCELLED)
    failed = ExitCode(where=where(41), container="gpu-a1", code=size("1 count", 41))
    assert endings.stop(incident(launch(READY, outside=[act, failed]))) is not None


def test_of_two_ends_in_one_second_the_one_that_was_written_first_came_first() -> None:
    above, below = (endings.Ending(timed(raised("ValueError", "no", n, "10:20:00", tp(0))), "") for n in (30, 31))
    assert endings.before(above, below)
    assert not endings.before(below, above)


def test_in_an_export_with_the_newest_line_first_the_one_below_came_first() -> None:
    made = turned(launch(*(raised("ValueError", "no", n, "10:20:00", tp(0)) for n in (31, 30))))
    below, above = (endings.Ending(item, "") for item in made.events)
    assert (below.ref.line, above.ref.line) == (31, 30)
    assert endings.before(below, above)
    assert not endings.before(above, below)


def test_a_warning_by_its_own_head_ends_nothing() -> None:
    said = "req_to_token_pool memory leak detected!available_size=3, total_size=4"
    error = Failure(where=where(3), text=f"ValueError: {said}", topic="kv-pool-leak")
    warning = Failure(
        where=where(3), text=f"/srt/managers/scheduler.py:1336: UserWarning: {said}", topic="kv-pool-leak"
    )
    assert endings.first_error(incident(launch(error))) is not None
    assert endings.first_error(incident(launch(warning))) is None
