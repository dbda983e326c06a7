"""Drains that wait in vain, and drains that somebody cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.events import ExitCode, OrchestratorAct, ServerReady, ShutdownStep, StopRequested
from analyzer.ledgers import drains
from analyzer.ledgers.endings import kill
from analyzer.vocabulary import Phase
from tests.build import incident, launch, size, timed, where

if TYPE_CHECKING:
    from analyzer.events.base import Event

READY = ServerReady(where=where(5, "10:05:00"))
TERM = StopRequested(where=where(40, "10:20:05"), text="SIGTERM received.", signal="SIGTERM")
SECOND = StopRequested(where=where(42, "10:20:10"), text="Force exiting.", signal="SIGTERM")
SIGKILL = ExitCode(where=where(1, "10:20:40", source="pod.txt"), code=size("137 count", 1), text="exit code 137")


def left(count: int, time: str, line: int) -> ShutdownStep:
    return ShutdownStep(where=where(line, time), text="Gracefully exiting...", remaining=size(f"{count} count", line))


@pytest.mark.parametrize(
    "events",
    [
        (READY, TERM, left(3, "10:20:10", 41)),  # no word of a kill
        (READY, TERM, left(3, "10:20:10", 41), left(0, "10:20:15", 42), SIGKILL),  # done, then its own SIGKILL
        (READY, TERM, left(3, "10:19:10", 39), SIGKILL),  # what it said in a minute and a half is not here
        (READY, TERM, SIGKILL),  # before 0.5.6 a clean stop ends so as well
        (READY, TERM, left(3, "10:20:10", 41), SECOND, SIGKILL),  # a forced exit is the server's own
        (READY, SIGKILL),
    ],
)
def test_no_drain_was_cut(events: tuple[Event, ...]) -> None:
    inside = tuple(e for e in events if e is not SIGKILL)
    outside = tuple(e for e in events if e is SIGKILL)
    assert drains.cut(incident(launch(*inside, outside=outside))) is None


def test_requests_that_were_left_at_the_last_word_show_a_drain_that_was_cut() -> None:
    cut = drains.cut(
        incident(launch(READY, TERM, left(9, "10:20:10", 41), left(7, "10:20:35", 42), outside=(SIGKILL,)))
    )
    assert cut is not None
    assert cut.kill.ref.source == "pod.txt"
    assert drains.left_over(cut) == ", with 7 requests left"


def test_systemd_s_word_that_it_waited_no_longer_is_enough() -> None:
    act = OrchestratorAct(
        where=where(41, "10:21:35"), act="stop-timed-out", reason="sglang.service: State 'stop-sigterm' timed out"
    )
    cut = drains.cut(incident(launch(READY, TERM, act)))
    assert cut is not None
    assert drains.left_over(cut) == ""


FORCED = OrchestratorAct(
    where=where(1, "10:20:35", source="journal.txt"),
    act="stop-timed-out",
    reason="Container failed to exit within 30s of signal 15",
    owner="1ab17352d91f",
)


def test_docker_s_word_that_it_used_the_force_is_enough() -> None:
    cut = drains.cut(incident(launch(READY, TERM, outside=(FORCED,))))
    assert cut is not None
    assert cut.kill.ref.source == "journal.txt"
    cut = drains.cut(incident(launch(READY, TERM, left(7, "10:20:30", 41), outside=(FORCED,))))
    assert cut is not None
    assert drains.left_over(cut) == ", with 7 requests left"


def test_a_container_that_was_forced_is_another_s_where_the_server_was_not_told_to_stop_or_was_done() -> None:
    for inside in ((READY,), (READY, TERM, left(0, "10:20:15", 41))):
        made = incident(launch(*inside, outside=(FORCED,)))
        assert drains.cut(made) is None
        assert kill(made) is None


def test_a_kill_meets_a_server_that_was_asked_to_stop_in_its_shutdown() -> None:
    made = incident(launch(READY, TERM, left(7, "10:20:30", 41), outside=(SIGKILL,)))
    assert drains.met_in(made, timed(SIGKILL)) is Phase.SHUTDOWN
    undated = replace(SIGKILL, where=where(1, source="pod.txt"))
    assert drains.met_in(made, timed(undated)) is Phase.SHUTDOWN, "an end comes last"


def test_a_kill_before_a_request_to_stop_meets_the_server_where_it_stood() -> None:
    early = replace(SIGKILL, where=where(1, "10:19:40", source="pod.txt"))
    for inside in ((READY,), (READY, TERM)):
        made = incident(launch(*inside, outside=(early,)))
        assert drains.met_in(made, timed(early)) is made.timeline.phase()


def test_a_shutdown_that_waits_two_minutes_without_a_batch_is_stuck() -> None:
    steps = [left(1, f"10:{minute}:00", line) for minute, line in ((21, 41), (22, 42), (23, 43))]
    assert drains.stuck(incident(launch(READY, TERM, *steps[:2]))) is None
    stuck = drains.stuck(incident(launch(READY, TERM, *steps)))
    assert stuck is not None
    assert [step.ref.line for step in stuck] == [41, 43]
