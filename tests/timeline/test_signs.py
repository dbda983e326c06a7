"""Progress, life and the clock outside are told apart."""

from __future__ import annotations

from analyzer import timeline
from analyzer.events import (
    DistributedInitBegun,
    HealthFailed,
    HostPoolAnnounced,
    MemorySnapshot,
    Notice,
    ProbeFailed,
    ProcessListed,
)
from tests.build import instant, launch, size, tp, where

POOL = HostPoolAnnounced(where=where(2, "10:06:42", tp(0)))


def test_a_log_that_ends_is_no_silence() -> None:
    assert timeline.build(launch(POOL)).silence is None


def test_a_process_listing_dates_nothing() -> None:
    listed = ProcessListed(where=where(1, "10:20:00", source="ps.txt"))
    assert timeline.build(launch(POOL, outside=[listed])).silence is None


def test_a_probe_outside_dates_the_silence() -> None:
    probe = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True, waited=size("600 s"))
    laid_out = timeline.build(launch(POOL, outside=[probe]))
    assert laid_out.silence == 359  # 10:12:41 less 10:06:42
    wait = next(s for s in laid_out.spans if s.name == "health-wait")
    assert wait.seconds == 600


def test_lines_that_only_repeat_a_wait_are_life_but_no_progress() -> None:
    laid_out = timeline.build(launch(POOL, HealthFailed(where=where(3, "10:16:42"))))
    assert laid_out.life is not None
    assert laid_out.life.at == instant("10:16:42")
    assert laid_out.silence == 600


def test_a_warning_is_no_progress() -> None:
    assert timeline.build(launch(POOL, Notice(where=where(3, "10:07:42"), topic="x"))).silence == 60


def test_a_moment_given_by_the_user_is_a_clock() -> None:
    assert timeline.build(launch(POOL), instant("10:08:42").seconds).silence == 120


def test_a_dated_snapshot_is_a_clock() -> None:
    snapshot = MemorySnapshot(where=where(1, "10:10:42", source="free.txt"))
    assert timeline.build(launch(POOL, outside=[snapshot])).silence == 240


def test_the_slowest_rank_says_the_phase() -> None:
    laid_out = timeline.build(launch(POOL, DistributedInitBegun(where=where(3, "10:06:43", tp(1)))))
    assert laid_out.phase() == "distributed-init"
